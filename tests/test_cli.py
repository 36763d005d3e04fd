"""The command: what a person sees, exit codes, one sentence for bad input, and whole processes."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command import Said
from rue.algorithms.catalogue import ALGORITHMS, PREFIXES
from rue.cli.main import COMMANDS, run
from rue.forms.compile import compile_game
from rue.games.catalogue import GAMES, make
from rue.result import Result

COMMAND = [sys.executable, "-c", "from rue.cli.main import main; main()"]
KEYS = {
    "game",
    "algorithm",
    "iterations",
    "seconds",
    "exploitability",
    "nash_conv",
    "value",
    "infosets",
    "sequences",
    "curve",
    "stopped",
    "rue",
    "nodes",
    "seed",
    "bytes",
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "leduc.json.gz"
    assert run(["solve", "leduc", "--iterations", "100", "--json", "--out", str(path)]) == 0
    return path


# solve


def test_solve_shows_a_table_and_a_chart(rue: Any) -> None:
    code, out, err = rue("solve", "kuhn", "--iterations", "200")
    assert (code, err) == (0, "")
    rows = dict(re.findall(r"^(\S+)\s+(.+?)\s*$", out, re.MULTILINE))
    assert rows["game"] == "kuhn"
    assert rows["algorithm"] == "dcfr"
    assert rows["iterations"] == "200"
    assert rows["infosets"] == "12"
    assert rows["sequences"] == "26"
    assert rows["value"].startswith("-0.05")
    assert rows["stopped"] == "all iterations done"
    assert {"time", "iterations/s", "NashConv"} <= rows.keys()
    assert "└┬" in out
    assert "\x1b" not in out


def test_solve_json(rue: Any) -> None:
    code, out, err = rue("solve", "leduc", "-a", "cfr+", "--iterations", "1e2", "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert content.keys() == KEYS
    assert content["algorithm"] == "cfr+"
    assert content["curve"][-1]["iteration"] == content["iterations"] == 100
    assert content["nash_conv"] == pytest.approx(2 * content["exploitability"])


def test_solve_exactly(rue: Any) -> None:
    code, out, _ = rue("solve", "kuhn", "--algorithm", "LP", "--json")
    assert code == 0
    assert json.loads(out)["value"] == pytest.approx(-1 / 18)
    code, out, _ = rue("solve", "kuhn", "--algorithm", "lp")
    assert code == 0
    assert "exact solution" in out
    assert "┤" not in out


def test_solve_writes_files(rue: Any, tmp_path: Path) -> None:
    code, _, _ = rue("solve", "kuhn", "--until", "0.01", "--out", tmp_path / "r.json", "--plot", tmp_path / "r.svg")
    assert code == 0
    assert Result.load(tmp_path / "r.json").stopped == "until"
    assert "<svg" in (tmp_path / "r.svg").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.json", "r.svg"]


def test_solve_ends_in_time(rue: Any) -> None:
    code, out, _ = rue("solve", "kuhn", "--seconds", "0.05", "--json")
    assert code == 0
    assert json.loads(out)["stopped"] == "seconds"


def test_seed_and_threads(rue: Any) -> None:
    def solved(*more: object) -> float:
        return float(json.loads(rue("solve", "kuhn", "--iterations", 7, "--json", *more).out)["exploitability"])

    assert solved() == solved("--threads", 1)
    assert solved("--start-seed", 1) == solved("--start-seed", 1) != solved("--start-seed", 2)


GAME = """
from rue import NOBODY, ONE, TWO, Game

class Pennies(Game):
    def root(self): return ()
    def player(self, state): return (ONE, TWO, NOBODY)[len(state)]
    def actions(self, state): return ("heads", "tails")
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return f"player {len(state) + 1}"
    def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0
"""
CHOICES = """
import rue

mine = rue.Algorithm(accumulate=rue.Discount(floor=True), average=rue.Power(1))
number = 3
"""


def test_own_game_and_algorithm(rue: Any, tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(GAME)
    (tmp_path / "rule.py").write_text(CHOICES)
    game, algorithm = f"{tmp_path}/game.py:Pennies", f"{tmp_path}/rule.py:mine"
    code, out, err = rue("solve", game, "--algorithm", algorithm, "--json", "--start-seed", 1)
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert (content["game"], content["algorithm"]) == (game, algorithm)
    assert content["exploitability"] < 0.01


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (CHOICES, "mien", r"has no mien; did you mean mine\?"),
        (CHOICES, "", "say which name"),
        (CHOICES, "number", "is not an rue.Algorithm"),
        ("x = 1", "mine", "it has no rue.Algorithm"),
        ("def", "mine", "syntax error in line 1"),
        ("1 / 0", "mine", "ZeroDivisionError"),
    ],
)
def test_a_file_that_is_no_algorithm(rue: Any, tmp_path: Path, text: str, name: str, message: str) -> None:
    (tmp_path / "rule.py").write_text(text)
    said = rue("solve", "kuhn", "--algorithm", f"{tmp_path}/rule.py:{name}")
    refused(said, message)


# bad input


def refused(said: Said, message: str) -> None:
    assert said.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("rue: ")
    assert re.search(message, said.err)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solve", "GAME"),
        ("solve leduk", "did you mean leduc"),
        ("solve kuhn extra", "extra"),
        ("solve kuhn --nonsense", "--nonsense"),
        ("solve kuhn --algorithm dfcr", "did you mean dcfr"),
        ("solve kuhn --algorithm dcfr(x=1)", "no parameter 'x'"),
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
        ("solve kuhn --seed -1", "^rue: --seed: '-1' is negative; write 0 or more$"),
        ("solve kuhn --seed 1e300", "--seed: '1e300' is too large"),
        ("solve kuhn --seconds soon", "^rue: --seconds: 'soon' is not a number$"),
        ("show SAVED --min-reach often", "^rue: --min-reach: 'often' is not a number$"),
        ("solve kuhn --start-weight 2", "--start-weight goes with --start-from"),
        ("solve kuhn --fill uniform", "--fill goes with --start-from"),
        ("solve kuhn --start-from SAVED --start-weight 0", "above 0"),
        ("solve kuhn --start-from SAVED --start-seed 1", "not from both"),
        ("solve kuhn --start-from SAVED -a mccfr", "mccfr samples"),
        ("solve kuhn --start-from SAVED -a lp", "lp starts from nothing"),
        ("solve kuhn --start-from SAVED -a hedge", "does not match regret"),
        ("solve kuhn --start-from missing.csv", "cannot read missing.csv"),
        ("solve kuhn --start-from SAVED --seeds 3", "leave out --seeds"),
        ("exploit kuhn", "STRATEGY"),
        ("exploit kuhn missing.csv", "cannot read missing.csv"),
        ("exploit leduk SAVED", "did you mean leduc"),
        ("exploit leduc SAVED --against missing.csv", "cannot read missing.csv"),
        ("exploit leduc SAVED --against SAVED --worst 3", "leave out one of them"),
        ("exploit leduc SAVED --worst -1", "--worst: '-1' is negative"),
        ("exploit leduc SAVED --fill best", "fill must be uniform"),
        ("exploit leduc SAVED --board 2s", "--board is an option of hold'em"),
        ("exploit leduc SAVED --threads 2", "--threads goes with hold'em"),
        ("solve kuhn --seed 1", "dcfr draws nothing"),
        ("solve kuhn --seeds 3", "every seed gives the same"),
        ("compare kuhn cfr lp --seeds 3", "every seed gives the same"),
        ("solve kuhn -a mccfr --seeds 0", "at least 1"),
        ("solve kuhn -a mccfr --seeds 3 --until 0.1", "end every seed elsewhere"),
        ("solve kuhn -a mccfr --seeds 3 --out x.json", "keeps one strategy"),
        ("solve kuhn -a mccfr --nodes 0", "nodes must be a whole number"),
        ("solve kuhn -a discounted-mccfr(1..2) --seconds 1", "give nodes as well"),
        ("solve kuhn --by-rules", "goes with an algorithm that samples"),
        ("solve kuhn -a mccfr --by-rules --until 0.1", "exploitability is not known"),
        ("solve kuhn -a mccfr --by-rules --plot x.svg", "no curve to plot"),
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
    rue: Any, saved: Path, line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = line.replace("SAVED", str(saved)).split(" ")
    if words[0] in ("solve", "compare", "exploit") and len(words) > 1:  # algorithms with parameters hold no spaces here
        monkeypatch.setattr("rue.forms.compile.compile_game", unreachable)
    refused(rue(*words), message)
    assert list(tmp_path.iterdir()) == []


def unreachable(*arguments: object, **more: object) -> None:
    raise AssertionError("the game was compiled before the input was checked")


def test_imperfect_recall_is_refused_or_refined(rue: Any, tmp_path: Path) -> None:
    forgets = GAME.replace("(ONE, TWO, NOBODY)", "(ONE, ONE, NOBODY)").replace('f"player {len(state) + 1}"', '"me"')
    forgets = forgets.replace('return "me"', 'return ("me", len(state))')
    (tmp_path / "game.py").write_text(forgets)
    refused(rue("solve", f"{tmp_path}/game.py:Pennies"), "imperfect recall.*--refine")
    assert rue("solve", f"{tmp_path}/game.py:Pennies", "--refine", "--iterations", 5).code == 0


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (MemoryError(), 1, "not enough memory"),
        (np.exceptions.DTypePromotionError("two\nlines"), 1, "rue hit a bug: DTypePromotionError: two lines"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), 1, "not enough memory"),
        (ImportError("libx.so: failed to map segment from shared object"), 1, "not enough memory"),
        (RuntimeError("can't start new thread"), 1, "not enough memory"),
        (OSError(errno.ENOSPC, "No space left on device", "x"), 1, "refused to read or write: x: No space left"),
        (RecursionError("too deep"), 1, "rue hit a bug: RecursionError"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError("oh"), 1, "rue hit a bug: ZeroDivisionError: oh; run again with --debug and report"),
    ],
)
def test_other_ends(rue: Any, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str) -> None:
    def fail(*arguments: object, **more: object) -> None:
        raise error

    monkeypatch.setattr("rue.forms.compile.compile_game", fail)
    said = rue("solve", "kuhn")
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1)
    assert re.search(message, said.err)


@pytest.mark.parametrize("line", ["--debug solve leduk", "solve leduk --debug"])
def test_debug_shows_the_traceback(line: str) -> None:
    with pytest.raises(ValueError, match="there is no game"):
        run(line.split())


# compare


def test_compare(rue: Any, tmp_path: Path) -> None:
    code, out, err = rue("compare", "leduc", "cfr", "dcfr", "lp", "--iterations", 100, "--plot", tmp_path / "x.svg")
    assert (code, err) == (0, "")
    assert "leduc: 936 infosets" in out
    assert re.search(r"^\s*lp\s.*best\s*$", out, re.MULTILINE)
    assert "a cfr   b dcfr" in out
    drawn = (tmp_path / "x.svg").read_text()
    assert ">cfr<" in drawn
    assert ">dcfr<" in drawn


def test_compare_json(rue: Any) -> None:
    code, out, err = rue("compare", "kuhn", "cfr", "cfr+", "--iterations", 50, "--x", "seconds", "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert content.keys() == {"game", "infosets", "sequences", "results"}
    assert [result["algorithm"] for result in content["results"]] == ["cfr", "cfr+"]
    assert all(result.keys() == KEYS for result in content["results"])


def test_compare_marks_the_best(rue: Any) -> None:
    _, out, _ = rue("compare", "leduc", "cfr", "cfr+", "--iterations", 100, "--x", "seconds")
    assert re.findall(r"^\s*(\S+)\s.*best\s*$", out, re.MULTILINE) == ["cfr+"]
    assert out.rstrip().splitlines()[-2].endswith("  seconds")


# show


def test_show(rue: Any, saved: Path) -> None:
    code, out, err = rue("show", saved)
    assert (code, err) == (0, "")
    assert "player 1" in out
    assert re.search(r"^ Kc\|\s+100%\s+\d+%", out, re.MULTILINE)
    assert "896 of 936 infosets left out: 896 by the limit of 40 (--limit 936 shows them)" in out


def test_show_filters(rue: Any, saved: Path) -> None:
    code, out, _ = rue("show", saved, "--player", 2, "--infoset", "^K", "--min-reach", 0.5, "--limit", 3)
    assert code == 0
    assert "player 1" not in out
    assert len(re.findall(r"^ K", out, re.MULTILINE)) == 3
    assert re.search(r"933 of 936 infosets left out: \d+ by the limit of 3 .*, \d+ by the filters", out)
    assert "no infoset is left" in rue("show", saved, "--infoset", "nonsense").out


def test_show_everything(rue: Any, saved: Path) -> None:
    out = rue("show", saved, "--limit", 936).out
    assert "left out" not in out
    assert "player 2" in out


def test_show_json(rue: Any, saved: Path) -> None:
    content = json.loads(rue("show", saved, "--player", 1, "--json").out)
    assert len(content["decisions"]) == content["left_out"] == 468
    assert content["decisions"][0].keys() == {"player", "infoset", "reach", "actions"}


def test_show_many_actions(rue: Any, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    rue("solve", "liars-dice(4)", "--iterations", 20, "--json", "--out", path)
    assert re.search(r" \d+%  .* \d+%", rue("show", path, "--limit", 5).out)


# lists


def test_algorithms(rue: Any) -> None:
    code, out, err = rue("algorithms")
    assert (code, err) == (0, "")
    for name in (*ALGORITHMS, *(f"{prefix}-" for prefix in PREFIXES), "lp", "average", "skip", "order"):
        assert re.search(rf"^ {re.escape(name)}[ (]", out, re.MULTILINE), name
    content = json.loads(rue("algorithms", "--json").out)
    assert [entry["name"] for entry in content["algorithms"]] == [*ALGORITHMS, "lp"]
    assert content["algorithms"][4]["parameters"] == {"alpha": "1.5", "beta": "0", "gamma": "2"}


def test_the_listed_examples_can_be_typed(rue: Any) -> None:
    from rue.algorithms.catalogue import algorithm

    for name in json.loads(rue("algorithms", "--json").out)["examples"]:
        if "/" not in name:
            algorithm(name)


def test_games(rue: Any) -> None:
    code, out, err = rue("games")
    assert (code, err) == (0, "")
    for name in GAMES:
        assert re.search(rf"^ {re.escape(name)}[ (]", out, re.MULTILINE), name
    content = json.loads(rue("games", "--json").out)
    assert {entry["name"]: entry["infosets"] for entry in content["games"]}["leduc"] == 936


@pytest.mark.parametrize("name", [name for name, entry in GAMES.items() if (entry.infosets or 10**9) < 60_000])
def test_the_catalogue_states_the_right_number_of_infosets(name: str) -> None:
    assert compile_game(make(GAMES[name].example)).infosets == GAMES[name].infosets


def test_sizes(rue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rue.games.catalogue.GAMES", {name: GAMES[name] for name in ("kuhn", "rps")})
    code, out, _ = rue("games", "--sizes")
    assert code == 0
    assert re.search(r"^ kuhn.*\s12\s+58\s+26\s+30\s", out, re.MULTILINE)


# help


@pytest.mark.parametrize("command", ["", "solve", "compare", "show", "exploit", "algorithms", "games"])
def test_help_has_examples(rue: Any, command: str) -> None:
    code, out, err = rue(*command.split(), "--help")
    assert (code, err) == (0, "")
    assert "Examples" in out
    assert f"rue {command}".strip() in out


def test_no_command_is_help(rue: Any) -> None:
    code, out, _ = rue()
    assert code == 0
    assert "Usage: rue" in out


def test_version(rue: Any) -> None:
    code, out, _ = rue("--version")
    assert code == 0
    assert re.fullmatch(r"rue \d+\.\d+\.\d+\S*\n", out)


def test_help_loads_nothing_heavy() -> None:
    check = (
        "import sys; from rue.cli.main import run; run(['--help'])\n"
        "print(*{'numpy', 'numba', 'scipy', 'matplotlib'} & sys.modules.keys(), file=sys.stderr, end='')"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# whole processes


def test_json_is_all_a_process_prints() -> None:
    done = subprocess.run(
        [*COMMAND, "solve", "kuhn", "--iterations", "10", "--json"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert json.loads(done.stdout).keys() == KEYS
    assert done.stdout.count("\n") == 1


def test_every_command_takes_debug(rue: Any) -> None:
    for command in COMMANDS:
        assert "--debug" in rue(command.__name__, "--help").out


def test_bad_input_of_a_process() -> None:
    done = subprocess.run([*COMMAND, "solve", "leduk"], capture_output=True, text=True, check=False)
    refused(Said(done.returncode, done.stdout, done.stderr), "did you mean leduc")


def test_closed_pipe_is_silent() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run([*COMMAND, "games"], stdout=closed, stderr=subprocess.PIPE, check=False)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_was_reached(tmp_path: Path, sent: signal.Signals) -> None:
    out = tmp_path / "r.json"
    terminal, stderr = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(
        [*COMMAND, "solve", "leduc", "--until", "0", "--json", "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=environment,
    )
    os.close(stderr)
    seen = b""
    while b"iteration" not in seen:
        seen += os.read(terminal, 4096)
    process.send_signal(sent)
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    stdout, _ = process.communicate()
    os.close(terminal)
    assert process.returncode == (130 if sent == signal.SIGINT else 143)
    assert b"exploitability" in seen
    assert (b"rue: interrupted" if sent == signal.SIGINT else b"rue: terminated") in seen
    content = json.loads(stdout)
    assert content["stopped"] == "interrupted"
    assert content["iterations"] == Result.load(out).iterations > 0


def test_ctrl_c_while_the_command_is_loaded_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    from rue.cli.start import main

    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rue.cli.main.main", interrupt)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


def test_the_package_is_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "rue", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("rue ")


def test_a_second_run_compiles_nothing(tmp_path: Path) -> None:
    def files() -> dict[str, int]:
        return {str(path): path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}

    environment = {**os.environ, "RUE_CACHE_DIR": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    listed = []
    for _ in range(2):
        subprocess.run(
            [*COMMAND, "solve", "kuhn", "--iterations", "10"], env=environment, capture_output=True, check=True
        )
        listed.append(files())
    assert listed[0] == listed[1] != {}


def test_what_rules_print_stays_out_of_json(tmp_path: Path) -> None:
    rules = tmp_path / "loud.py"
    rules.write_text(
        "from rue import ONE, NOBODY, Game\nprint('loading')\n\n\nclass Loud(Game):\n"
        "    def root(self): return ()\n"
        "    def player(self, state): return NOBODY if state else ONE\n"
        "    def actions(self, state): return ('a', 'b')\n"
        "    def child(self, state, action): return (action,)\n"
        "    def infoset(self, state): return 'mine'\n"
        "    def payoff(self, state): print('paid'); return 1.0 if state == ('a',) else 0.0\n"
    )
    command = [*COMMAND, "solve", f"{rules}:Loud", "--iterations", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["value"] > 0.5, done.stderr
    assert "paid" in done.stderr
