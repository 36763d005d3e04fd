"""Kernels by address: compiled once for each set of sources, compiler and processor, with the digits of numba."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import three_hands
import zerosum
from three_hands import PLACE, WINS, wins
from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.sequence import walk
from zerosum.engine.sequence.solver import Solver
from zerosum.native import code_cache, compiler
from zerosum.native.decorators import kernel
from zerosum.native.signatures import format_signature, pack_slots


class Pair(NamedTuple):
    """A tuple with names."""

    first: Any
    second: Any


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
    kinds = format_signature((argument,))
    assert compiler.parse_signature(kinds) == numba.typeof((argument,))
    read = compiler.parse_signature(format_signature(argument))
    assert len(list(pack_slots(argument))) == count(read)


def count(kind: Any) -> int:
    """The words of a type."""
    if isinstance(kind, numba.types.BaseTuple):
        return sum(count(member) for member in kind)
    if isinstance(kind, numba.types.Array):
        return 1 + int(kind.ndim)
    return 0 if isinstance(kind, numba.types.NoneType) else 1


@pytest.mark.parametrize("argument", [np.zeros((4, 4))[:, 1], np.zeros((2, 3), order="F"), "text", [1], {}, 1j])
def test_arguments_that_no_kernel_takes(argument: Any) -> None:
    with pytest.raises(TypeError, match="kernels take"):
        format_signature(argument)


def test_the_digits_are_those_of_numba() -> None:
    """Run the same iterations with the object code and with numba, which compiles the kernel itself."""
    wanted = ("error_model", "fastmath", "nogil")
    iterate = numba.njit(**{key: walk.run_sequence_iterations.options[key] for key in wanted})(
        walk.run_sequence_iterations.py_func
    )
    for name in ("cfr+", "dcfr", "pcfr+"):
        ours, theirs = (Solver(compile_game(zerosum.game("kuhn")), zerosum.algorithm(name), 100) for _ in range(2))
        rows, counter = theirs.algorithm.coefficients(1, 40, 100), np.zeros(16, np.int64)
        trees = tuple(treeplex.tree for treeplex in theirs.form.treeplexes)
        ours.run(40)
        iterate(trees, theirs.form.operators, theirs.states, theirs.rule, rows, False, counter, 0, 1)
        for mine, other in zip(ours.states, theirs.states, strict=True):
            for field in ("regret", "strategy", "average", "plan"):
                np.testing.assert_array_equal(getattr(mine, field), getattr(other, field), err_msg=name)


def reads(pair: Any, rows: Any, index: Any, out: Any) -> Any:
    """Read all kinds of members of tuples in a kernel, one of them by its index."""
    out[0], out[1] = pair.first, pair.second.second
    out[2], out[3] = rows[index].first[1, 2], len(rows[1 - index].second)
    out[4] = rows[0].second[1] + rows[1].second[0]
    return len(out) if pair.second.first is None else -1


def test_members_of_tuples() -> None:
    """Members of tuples are read in place, with the values that Python reads."""
    rows = tuple(Pair(np.arange(6.0).reshape(2, 3) * k, np.arange(2.0, k + 3.0)) for k in (1, 2))
    for index in (0, 1):
        arguments = Pair(-7, Pair(None, 0.25)), rows, index
        ours, theirs = np.zeros(5), np.zeros(5)
        kinds = format_signature((*arguments, ours))
        function = code_cache.LoadedKernel(
            code_cache.ObjectCode(**compile_new(reads, kinds), signature=kinds, kernel="reads")
        )
        words = np.array([0, *pack_slots((*arguments, ours))], np.int64)
        assert function(words.ctypes.data) == 0
        assert words[0] == reads(*arguments, theirs) == 5
        np.testing.assert_array_equal(ours, theirs)


def compile_new(function: Any, kinds: str) -> dict[str, Any]:
    """Compile a function that no kernel exists for yet, and return the fields of its object code."""
    name, code = compiler.compile_to_object(kernel(function), compiler.parse_signature(kinds))
    return {"name": name, "code": code}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache."""
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path))
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def test_compiled_once_and_written_whole(elsewhere: Path) -> None:
    assert wins() == WINS
    (path,) = elsewhere.rglob("*.o")
    before = path.stat().st_mtime_ns
    assert wins() == WINS
    assert path.stat().st_mtime_ns == before
    whole = path.read_bytes()
    for broken in (b"", whole[:100], whole[:-1], whole[:-1] + b"\1", b"x" + whole):
        path.write_bytes(broken)
        assert code_cache.read_object(path) is None
    assert wins() == WINS
    assert path.read_bytes() == whole, "the same sources give the same object code"


def test_two_at_once_compile_once(elsewhere: Path) -> None:
    command = [sys.executable, three_hands.__file__]
    processes = [subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert {process.communicate(timeout=120)[0] for process in processes} == {f"{WINS}\n"}
    assert len(list(elsewhere.rglob("*.o"))) == 1
    assert not list(elsewhere.rglob("*.writing"))


def test_versions_that_nobody_uses_are_deleted(elsewhere: Path) -> None:
    """All but the latest three are deleted, but none that was compiled this week."""
    now = time.time()
    for name, days in (("a", 30), ("b", 20), ("c", 10), ("d", 9), ("e", 5), ("f", 1)):
        version_folder = elsewhere / f"kernels-{name}" / "processor"
        version_folder.mkdir(parents=True)
        for folder in (version_folder, version_folder.parent):
            os.utime(folder, (now, now - days * 86_400))
    os.utime(elsewhere / "kernels-a" / "processor")
    with code_cache.lock_object_file(code_cache.object_path(PLACE, "(i)")):
        left = {path.name for path in elsewhere.glob("kernels-*")}
    assert left == {"kernels-a", "kernels-e", "kernels-f", code_cache.local_folder().parent.name}


HALF = """
import hashlib, zerosum
run = zerosum.start("spot:river", iterations={iterations}, half=True, threads=1)
run.advance()
digest = hashlib.sha256()
for name, array in sorted(run.solver.state().items()):
    digest.update(name.encode() + array.tobytes())
print(digest.hexdigest())
"""


def half_digits(iterations: int) -> str:
    """Return a hash of the 16-bit store after some iterations of a separate process."""
    done = subprocess.run([sys.executable, "-c", HALF.format(iterations=iterations)], capture_output=True, check=True)
    return done.stdout.decode()


def test_half_is_the_same_in_every_process() -> None:
    assert half_digits(100) == half_digits(100)


@pytest.mark.skipif("ZEROSUM_TEST_COLD" not in os.environ, reason="compiles for a minute; ZEROSUM_TEST_COLD=1 does it")
def test_half_is_the_same_where_it_was_compiled(elsewhere: Path) -> None:
    """The process that compiles the code runs the same code as those that load it."""
    assert not list(elsewhere.rglob("*.o"))
    cold = half_digits(1000)
    assert list(elsewhere.rglob("*.o"))
    assert half_digits(1000) == cold


@pytest.mark.parametrize("what", ["sources", "compiler", "processor"])
def test_foreign_code_is_never_loaded(what: str, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = code_cache.object_path(PLACE, "(i)")
    code_cache.local_folder.cache_clear()
    if what == "sources":
        monkeypatch.setattr(code_cache, "kernel_version", lambda: "others")
    elif what == "compiler":
        monkeypatch.setattr(code_cache.llvmlite, "__version__", "0.0")
    else:
        monkeypatch.setattr(code_cache, "target_processor", lambda: ("another", "+avx1024"))
    assert code_cache.object_path(PLACE, "(i)") != path


def test_kernels_that_cannot_be_compiled_are_reported(elsewhere: Path) -> None:
    def nothing(number: int) -> None: ...

    nothing.__module__, nothing.__qualname__ = "zerosum.holdem.cards.kernels", "nothing"
    with pytest.raises(zerosum.ZerosumError, match="cannot compile zerosum.holdem.cards.kernels:nothing: "):
        kernel(nothing)(1)


def test_code_bundled_with_the_package(elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code bundled for a level of the processor is run without compiling; code for higher levels is ignored."""
    able = [level for level, needed in code_cache.LEVELS.items() if needed <= features()]
    monkeypatch.setattr(code_cache, "BUNDLED", tmp_path / "objects")
    for variable, value in (("ZEROSUM_CACHE_DIR", str(tmp_path / "objects")), ("ZEROSUM_PROCESSOR", "x86-64-v3")):
        monkeypatch.setenv(variable, value)
    forget()
    if not able:
        pytest.skip("this processor has none of the levels")
    assert wins() == WINS
    monkeypatch.delenv("ZEROSUM_PROCESSOR")
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path / "empty"))
    forget()
    assert wins() == WINS
    assert not list((tmp_path / "empty").rglob("*.o"))
    monkeypatch.setattr(code_cache, "LEVELS", {"x86-64-v3": {"nothing-has-this"}})
    forget()
    assert wins() == WINS
    assert list((tmp_path / "empty").rglob("*.o"))


def features() -> set[str]:
    return {name for name, there in code_cache.llvm.get_host_cpu_features().items() if there}


def forget() -> None:
    for cached in (code_cache.local_folder, code_cache.target_processor, code_cache.bundled_folders):
        cached.cache_clear()


def test_of_threads_that_load_a_kernel_at_once_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that a thread has already returned must stay valid: its code may not be replaced."""
    fresh, begun, other = kernel(walk.run_sequence_iterations.py_func), [], []

    def slowly(place: str, kinds: str) -> object:
        begun.append(place)
        if len(begun) == 1:
            other.append(fresh.load_machine_code(kinds))  # another thread, while this one is loading
        return object()

    monkeypatch.setattr("zerosum.native.decorators.find_kernel", slowly)
    assert fresh.load_machine_code("i") is other[0]
    assert fresh.load_machine_code("i") is other[0]
    assert len(begun) == 2


def test_modules_hidden_from_numba_are_available_afterwards() -> None:
    check = (
        "import sys; from zerosum.native.compiler_process import UNNEEDED_MODULES, hide_modules\n"
        "with hide_modules(*UNNEEDED_MODULES):\n"
        "    from zerosum.native import compiler\n"
        "    assert all(sys.modules[name] is None for name in UNNEEDED_MODULES)\n"
        "import scipy"
    )
    subprocess.run([sys.executable, "-c", check], check=True)
