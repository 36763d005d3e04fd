"""Bad input gets a message of one line and an exit code."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command import GAME, refused
from zerosum.cli.main import run


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solve", "GAME"),
        ("solve leduk", "did you mean leduc"),
        ("solve kuhn extra", "extra"),
        ("solve kuhn --nonsense", "--nonsense"),
        ("solve kuhn --algorithm dfcr", "did you mean dcfr"),
        ("solve kuhn --algorithm dcfr(x=1)", "no parameter 'x'"),
        ("solve kuhn(foo=3)", "^zerosum: kuhn has no parameter 'foo'; valid names are ranks$"),
        ("solve rps(foo=3)", "^zerosum: rps has no parameter 'foo'; it takes no parameters$"),
        ("solve kuhn --algorithm missing.py:mine", "there is no file missing.py"),
        ("solve missing.py:Game", "there is no file missing.py"),
        ("solve kuhn --algorithm hs-dcfr --seconds 1", "give iterations as well"),
        ("solve kuhn --iterations many", "'many' is not a whole number"),
        ("solve kuhn --iterations 1.5", "not a whole number"),
        ("solve kuhn --iterations 0", "at least 1"),
        ("solve kuhn --iterations", "requires an argument"),
        ("solve kuhn --until nan", "until"),
        ("solve kuhn --until small", "--until"),
        ("solve kuhn --seconds -1", "seconds"),
        ("solve kuhn --threads 0", "threads"),
        ("solve kuhn --seed -1", "^zerosum: --seed must be a whole number of at least 0, not -1$"),
        ("solve kuhn --seed 1e300", "--seed: '1e300' is too large"),
        ("solve kuhn --seconds soon", "^zerosum: --seconds: 'soon' is not a number$"),
        ("show SAVED --min-reach often", "^zerosum: --min-reach: 'often' is not a number$"),
        ("solve kuhn --start-weight 2", "--start-weight needs --start-from"),
        ("solve kuhn --fill uniform", "--fill needs --start-from"),
        ("solve kuhn --start-from SAVED --start-weight 0", "above 0"),
        ("solve kuhn --start-from SAVED --start-seed 1", "not from both"),
        ("solve kuhn --start-from SAVED -a mccfr", "mccfr samples"),
        ("solve kuhn --start-from SAVED -a lp", "lp cannot start from a strategy"),
        ("solve kuhn --start-from SAVED -a hedge", "does not match regret"),
        ("solve kuhn --start-from missing.csv", "cannot read missing.csv"),
        ("solve kuhn --start-from SAVED --seeds 3", "cannot be combined with --seeds"),
        ("sweep kuhn", "^zerosum: --algorithm or -a is missing: add --algorithm NAME$"),
        ("sweep kuhn -a dcfr({alpha})", "^zerosum: --grid is missing: add --grid NAME=VALUES$"),
        ("export SAVED", "^zerosum: --format is missing: add --format csv"),
        ("compare leduc os-mccfr vr-mccfr --by-rules", "there is no option --by-rules"),
        ("exploit leduc SAVED --by-rules", "there is no option --by-rules"),
        ("exploit leduc SAVED --lock Kc|bet:fold=20%,call=80% --price", "there is no option --price"),
        ("figure dcfr-5 --redraw --out nowhere", "nowhere holds none of these figures"),
        ("exploit kuhn", "STRATEGY"),
        ("exploit kuhn missing.csv", "cannot read missing.csv"),
        ("exploit leduk SAVED", "did you mean leduc"),
        ("exploit leduc SAVED --against missing.csv", "cannot read missing.csv"),
        ("exploit leduc SAVED --against SAVED --worst 3", "cannot be combined with --against"),
        ("exploit leduc SAVED --worst -1", "--worst must be a whole number of at least 0, not -1"),
        ("exploit leduc SAVED --fill best", "fill must be uniform"),
        ("exploit leduc SAVED --board 2s", "--board is an option of hold'em"),
        ("exploit leduc SAVED --threads 2", "evaluated by a single thread: leave out --threads"),
        ("solve kuhn --seed 1", "dcfr does not sample"),
        ("solve kuhn --seeds 3", "every seed gives the same"),
        ("compare kuhn cfr lp --seeds 3", "every seed gives the same"),
        ("solve kuhn -a mccfr --seeds 0", "at least 1"),
        ("solve kuhn -a mccfr --seeds 3 --until 0.1", "stop each seed at a different point"),
        ("solve kuhn -a mccfr --seeds 3 --out x.json", "saves a single strategy"),
        ("solve kuhn -a mccfr --nodes 0", "nodes must be a whole number"),
        ("solve kuhn -a discounted-mccfr(1..2) --seconds 1", "give nodes as well"),
        ("solve kuhn --by-rules", "use an algorithm that samples"),
        ("solve kuhn -a mccfr --by-rules --until 0.1", "computes no exploitability"),
        ("solve kuhn -a mccfr --by-rules --plot x.svg", "no curve for --plot"),
        ("compare kuhn cfr mccfr --x time", "iterations, seconds or nodes"),
        ("solve big-leduc --out missing/x.json", "cannot write missing/x.json"),
        ("solve big-leduc --out SAVED/..", "cannot write"),
        ("solve big-leduc --out /dev/null", "not a regular file"),
        ("solve big-leduc --plot x.gif", "must end in .svg, .png or .pdf"),
        ("solve big-leduc --plot missing/x.svg", "cannot write missing/x.svg"),
        ("solve big-leduc --plot x.svg --out x.svg", "different files"),
        ("solve big-leduc --algorithm lp --plot x.svg", "no curve"),
        ("compare big-leduc", "ALGORITHM"),
        ("compare big-leduc cfr cfr", "named twice"),
        ("compare big-leduc lp LP", "named twice"),
        ("compare big-leduc cfr cfr()", "the same algorithm"),
        ("compare big-leduc dcfr dcfr(1.5,0,2)", "the same algorithm"),
        ("compare big-leduc cfr dfcr", "did you mean dcfr"),
        ("compare big-leduc cfr --x years", "iterations, seconds or nodes"),
        ("compare big-leduc cfr --plot x", "must end in"),
        ("compare big-leduc lp --plot x.svg", "no curve"),
        ("show missing.json", "cannot read missing.json"),
        ("show SAVED --player 3", "1 or 2"),
        ("show SAVED --infoset (", "regular expression"),
        ("show SAVED --min-reach 2", "probability"),
        ("show SAVED --limit 0", "at least 1"),
        ("sovle", "solve"),
        ("--nonsense", "--nonsense"),
        ("games extra", "extra"),
    ],
)
def test_bad_input_is_one_sentence(
    zerosum: Any, saved: Path, line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = line.replace("SAVED", str(saved)).split(" ")
    if words[0] in ("solve", "compare", "exploit") and len(words) > 1:  # algorithms with parameters hold no spaces here
        monkeypatch.setattr("zerosum.problems.games.game_problem.compile_game", unreachable)
    refused(zerosum(*words), message)
    assert list(tmp_path.iterdir()) == []


def unreachable(*arguments: object, **more: object) -> None:
    raise AssertionError("the game was compiled before the input was checked")


def test_imperfect_recall_is_refused_or_refined(zerosum: Any, tmp_path: Path) -> None:
    forgets = GAME.replace("(ONE, TWO, TERMINAL)", "(ONE, ONE, TERMINAL)").replace('f"player {len(state) + 1}"', '"me"')
    forgets = forgets.replace('return "me"', 'return ("me", len(state))')
    (tmp_path / "game.py").write_text(forgets)
    refused(zerosum("solve", f"{tmp_path}/game.py:Pennies"), "imperfect recall.*--refine")
    assert zerosum("solve", f"{tmp_path}/game.py:Pennies", "--refine", "--iterations", 5).code == 0


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (MemoryError(), 2, "not enough memory"),
        (np.exceptions.DTypePromotionError("two\nlines"), 1, "zerosum hit a bug: DTypePromotionError: two lines"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), 2, "not enough memory"),
        (ImportError("libx.so: failed to map segment from shared object"), 2, "not enough memory"),
        (RuntimeError("can't start new thread"), 2, "not enough memory"),
        (OSError(errno.ENOSPC, "No space left on device", "x"), 1, "refused to read or write: x: No space left"),
        (RecursionError("too deep"), 1, "zerosum hit a bug: RecursionError"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError("oh"), 1, "zerosum hit a bug: ZeroDivisionError: oh; run again with --debug and report"),
    ],
)
def test_other_ends(
    zerosum: Any, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    def fail(*arguments: object, **more: object) -> None:
        raise error

    monkeypatch.setattr("zerosum.problems.games.game_problem.compile_game", fail)
    output = zerosum("solve", "kuhn")
    assert (output.code, output.out, output.err.count("\n")) == (code, "", 1)
    assert re.search(message, output.err)


@pytest.mark.parametrize("line", ["--debug solve leduk", "solve leduk --debug"])
def test_debug_shows_the_traceback(line: str) -> None:
    with pytest.raises(ValueError, match="there is no game"):
        run(line.split())
