"""Optional packages: the command in the message about a missing one works when typed."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

import pytest

from zerosum.support.errors import missing_extra_error
from zerosum.support.source_hash import PACKAGE

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", sorted(set(EXTRAS) - {"dev", "bench"}))
def test_the_packages_of_an_extra_are_named_with_their_versions(extra: str) -> None:
    message = str(missing_extra_error("this", extra))
    assert message.startswith(f"this needs {EXTRAS[extra][0].partition('>')[0].partition('[')[0]}")
    assert shlex.split(message.partition(": ")[2]) == ["pip", "install", *EXTRAS[extra]]


def test_no_module_writes_a_separate_message_about_a_missing_package() -> None:
    modules = [path.name for path in PACKAGE.rglob("*.py") if "pip install" in path.read_text(encoding="utf-8")]
    assert modules == ["errors.py"]
