"""Kernels by address: the digits of numba's own, kept apart by sources, compiler and processor, made once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rue
import three_hands
from rue.forms.compile import compile_game
from rue.holdem.kernels import add_comparison
from rue.native import emit, objects
from rue.native.arguments import kind_of, words_of
from rue.native.compiled import compiled
from rue.native.kernel import Kernel
from rue.solvers import walk
from rue.solvers.solver import Solver
from three_hands import PLACE, WINS, wins


class Pair(NamedTuple):
    """A tuple with names."""

    one: Any
    two: Any


ARGUMENTS = st.recursive(
    st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.none()
    | st.builds(np.zeros, st.tuples(st.integers(1, 3), st.integers(1, 3)), st.sampled_from(["f4", "f8", "u2", "i8"])),
    lambda inner: st.tuples(inner, inner) | st.builds(Pair, inner, inner),
)


@given(ARGUMENTS)
def test_kinds_and_words(argument: Any) -> None:
    """A kind is read as the type that numba has for the argument; there is a word for each number in it."""
    kinds = kind_of((argument,))
    assert emit.parsed(kinds) == numba.typeof((argument,))
    read = emit.parsed(kind_of(argument))
    assert len(list(words_of(argument))) == count(read)


def count(kind: Any) -> int:
    """The words of a type."""
    if isinstance(kind, numba.types.BaseTuple):
        return sum(count(member) for member in kind)
    if isinstance(kind, numba.types.Array):
        return 1 + int(kind.ndim)
    return 0 if isinstance(kind, numba.types.NoneType) else 1


@pytest.mark.parametrize("argument", [np.zeros((4, 4))[:, 1], np.zeros((2, 3), order="F"), "text", [1], {}, 1j])
def test_what_no_kernel_takes(argument: Any) -> None:
    with pytest.raises(TypeError, match="kernels take"):
        kind_of(argument)


def test_the_digits_are_those_of_numba() -> None:
    """The same iterations by the object code and by numba, which compiles the kernel its own way."""
    wanted = ("error_model", "fastmath", "nogil")
    iterate = numba.njit(**{key: walk.iterate.targetoptions[key] for key in wanted})(walk.iterate.py_func)
    for name in ("cfr+", "dcfr", "pcfr+"):
        ours, theirs = (Solver(compile_game(rue.game("kuhn")), rue.algorithm(name), 100) for _ in range(2))
        rows, counter = theirs.algorithm.coefficients(1, 40, 100), np.zeros(16, np.int64)
        trees = tuple(treeplex.tree for treeplex in theirs.form.treeplexes)
        ours.run(40)
        iterate(trees, theirs.form.operators, theirs.learners, theirs.rule, rows, False, counter, 0, 1)
        for own, other in zip(ours.learners, theirs.learners, strict=True):
            for field in ("regret", "strategy", "average", "plan"):
                np.testing.assert_array_equal(getattr(own, field), getattr(other, field), err_msg=name)


def reads(pair: Any, rows: Any, index: Any, out: Any) -> Any:
    """A kernel that reads all kinds of members, one of them by its number."""
    out[0], out[1] = pair.one, pair.two.two
    out[2], out[3] = rows[index].one[1, 2], len(rows[1 - index].two)
    out[4] = rows[0].two[1] + rows[1].two[0]
    return len(out) if pair.two.one is None else -1


def test_members_of_tuples() -> None:
    """Tuples are read where their words lie, as Python reads them."""
    rows = tuple(Pair(np.arange(6.0).reshape(2, 3) * k, np.arange(2.0, k + 3.0)) for k in (1, 2))
    for index in (0, 1):
        arguments = Pair(-7, Pair(None, 0.25)), rows, index
        ours, theirs = np.zeros(5), np.zeros(5)
        kinds = kind_of((*arguments, ours))
        function = objects.Loaded(objects.Object(**made(reads, kinds), kinds=kinds, kernel="reads"))
        words = np.array([0, *words_of((*arguments, ours))], np.int64)
        assert function(words.ctypes.data) == 0
        assert words[0] == reads(*arguments, theirs) == 5
        np.testing.assert_array_equal(ours, theirs)


def made(function: Any, kinds: str) -> dict[str, Any]:
    """The object code of a function that no kernel has been made of yet."""
    name, code = emit.emit(compiled(function), emit.parsed(kinds))
    return {"name": name, "code": code}


def test_what_is_left_out_of_numba_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the number that numba gives to each function it meets."""
    strengths, cards = np.zeros(2, int), np.zeros((2, 2), int)
    kinds = kind_of((np.zeros((2, 2)), strengths, strengths, cards, cards))
    codes = []
    for way in (emit.lean, nullcontext):
        monkeypatch.setattr(emit, "lean", way)
        codes.append(re.sub(rb"B\d+v\d+", b"", made(add_comparison.py_func, kinds)["code"]))
    assert codes[0] == codes[1]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache."""
    monkeypatch.setenv("RUE_CACHE_DIR", str(tmp_path))
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def test_made_once_and_whole(elsewhere: Path) -> None:
    assert wins(Kernel(PLACE)) == WINS
    (path,) = elsewhere.rglob("*.o")
    before = path.stat().st_mtime_ns
    assert wins(Kernel(PLACE)) == WINS
    assert path.stat().st_mtime_ns == before
    whole = path.read_bytes()
    for broken in (b"", whole[:100], whole[:-1], whole[:-1] + b"\1", b"x" + whole):
        path.write_bytes(broken)
        assert objects.read(path) is None
    assert wins(Kernel(PLACE)) == WINS
    assert path.read_bytes() == whole, "the same sources give the same object code"


def test_two_at_once_compile_once(elsewhere: Path) -> None:
    command = [sys.executable, three_hands.__file__]
    two = [subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert {process.communicate(timeout=120)[0] for process in two} == {f"{WINS}\n"}
    assert len(list(elsewhere.rglob("*.o"))) == 1
    assert not list(elsewhere.rglob("*.writing"))


def test_versions_that_nobody_uses_are_deleted(elsewhere: Path) -> None:
    """All but three, and none that was made this week."""
    now = time.time()
    for name, days in (("a", 30), ("b", 20), ("c", 10), ("d", 9), ("e", 5), ("f", 1)):
        made = elsewhere / f"kernels-{name}" / "processor"
        made.mkdir(parents=True)
        for folder in (made, made.parent):
            os.utime(folder, (now, now - days * 86_400))
    os.utime(elsewhere / "kernels-a" / "processor")
    with objects.alone(objects.object_path(PLACE, "(i)")):
        left = {path.name for path in elsewhere.glob("kernels-*")}
    assert left == {"kernels-a", "kernels-e", "kernels-f", objects.folder().parent.name}


HALF = """
import hashlib, rue
run = rue.start("spot:river", iterations={iterations}, half=True, threads=1)
run.advance()
digest = hashlib.sha256()
for name, array in sorted(run.solver.state().items()):
    digest.update(name.encode() + array.tobytes())
print(digest.hexdigest())
"""


def half_digits(iterations: int) -> str:
    """What 16 bits hold after some iterations, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", HALF.format(iterations=iterations)], capture_output=True, check=True)
    return done.stdout.decode()


def test_half_is_the_same_in_every_process() -> None:
    assert half_digits(100) == half_digits(100)


@pytest.mark.skipif("RUE_TEST_COLD" not in os.environ, reason="compiles for a minute; RUE_TEST_COLD=1 does it")
def test_half_is_the_same_where_it_was_compiled(elsewhere: Path) -> None:
    """The process that has the code made runs the same code as those that find it."""
    assert not list(elsewhere.rglob("*.o"))
    cold = half_digits(1000)
    assert list(elsewhere.rglob("*.o"))
    assert half_digits(1000) == cold


@pytest.mark.parametrize("what", ["sources", "compiler", "processor"])
def test_what_is_foreign_is_never_found(what: str, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = objects.object_path(PLACE, "(i)")
    objects.folder.cache_clear()
    if what == "sources":
        monkeypatch.setattr(objects, "kernel_version", lambda: "others")
    elif what == "compiler":
        monkeypatch.setattr(objects.llvmlite, "__version__", "0.0")
    else:
        monkeypatch.setattr(objects, "processor", lambda: ("another", "+avx1024"))
    assert objects.object_path(PLACE, "(i)") != here


def test_what_cannot_be_compiled_is_told(elsewhere: Path) -> None:
    with pytest.raises(rue.RueError, match="cannot compile rue.holdem.kernels:nothing: "):
        Kernel("rue.holdem.kernels:nothing")(1)


def test_what_came_with_the_package(elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code for a level of the processor is run and nothing compiled; what it cannot run is not looked at."""
    able = [level for level, needed in objects.LEVELS.items() if needed <= features()]
    monkeypatch.setattr(objects, "SHIPPED", tmp_path / "objects")
    for variable, value in (("RUE_CACHE_DIR", str(tmp_path / "objects")), ("RUE_PROCESSOR", "x86-64-v3")):
        monkeypatch.setenv(variable, value)
    forget()
    if not able:
        pytest.skip("this processor has none of the levels")
    assert wins(Kernel(PLACE)) == WINS
    monkeypatch.delenv("RUE_PROCESSOR")
    monkeypatch.setenv("RUE_CACHE_DIR", str(tmp_path / "empty"))
    forget()
    assert wins(Kernel(PLACE)) == WINS
    assert not list((tmp_path / "empty").rglob("*.o"))
    monkeypatch.setattr(objects, "LEVELS", {"x86-64-v3": {"nothing-has-this"}})
    forget()
    assert wins(Kernel(PLACE)) == WINS
    assert list((tmp_path / "empty").rglob("*.o"))


def features() -> set[str]:
    return {name for name, there in objects.llvm.get_host_cpu_features().items() if there}


def forget() -> None:
    for known in (objects.folder, objects.processor, objects.shipped):
        known.cache_clear()


def test_of_threads_that_load_a_kernel_at_once_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that one of them has given away must stay: the code behind it may not be exchanged for the other's."""
    kernel, begun, other = Kernel("rue.solvers.walk:iterate"), [], []

    def slowly(place: str, kinds: str) -> object:
        begun.append(place)
        if len(begun) == 1:
            other.append(kernel.function(kinds))  # another thread, while this one is at it
        return object()

    monkeypatch.setattr("rue.native.kernel.found", slowly)
    assert kernel.function("i") is other[0]
    assert kernel.function("i") is other[0]
    assert len(begun) == 2


def test_what_numba_loads_for_nothing_is_there_afterwards() -> None:
    check = (
        "import sys; from rue.native.make import NEEDLESS, without\n"
        "with without(*NEEDLESS):\n"
        "    from rue.native import emit\n"
        "    assert all(sys.modules[name] is None for name in NEEDLESS)\n"
        "import scipy"
    )
    subprocess.run([sys.executable, "-c", check], check=True)
