"""Any input gives a value or a message of one line: no other error, no hang.

Texts are valid ones cut, doubled and changed, which gets deeper into a parser than random letters do. A few examples
each by default; `ZEROSUM_FUZZ=5000 pytest tests/cli/test_fuzz.py` searches longer, with other draws every time.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.cli.main import run
from zerosum.games.catalogue import GAMES, create_game
from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.cards.cards import parse_board, parse_cards
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots import libratus
from zerosum.holdem.spots.files import load_spot, read_spot
from zerosum.holdem.spots.line import find_decision
from zerosum.holdem.spots.options import parse_stacks
from zerosum.problems.games.strategy_profile import match_strategy
from zerosum.results.game_result import GameResult
from zerosum.results.payoff_unit import Measure, Unit
from zerosum.results.strategy_view import compile_pattern
from zerosum.runs.strategy_reader import read_strategy
from zerosum.support import options
from zerosum.support.errors import ZerosumError

HARDER = "ZEROSUM_FUZZ" in os.environ
fuzzed = settings(
    max_examples=int(os.environ.get("ZEROSUM_FUZZ", "60")),
    deadline=None,
    derandomize=not HARDER,
    suppress_health_check=list(HealthCheck),
)
LETTERS = "0123456789.,:;%+-/()[]{}<>=\"'|~_ \t\n\x00eExXnNaAiIfF٣\uff11é\U0001f0a1\udc80"


@st.composite
def mutated(draw: st.DrawFn, examples: list[str]) -> str:
    """Draw a valid text with a few pieces cut out, doubled, overwritten, or taken from another text."""
    text = draw(st.sampled_from(examples))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        piece = draw(
            st.sampled_from(["", text[start:end] * 2, text[start:end] * 50])
            | st.text(LETTERS, max_size=4)
            | st.sampled_from(["9" * 400, "1e999", "-1", "nan", "-inf", "1e-400", "(" * 60, "[" * 60, "\ufeff"])
            | st.sampled_from(examples).map(lambda other: other[:12])
        )
        text = text[:start] + piece + text[end:]
    return text


def sentence_or_value(read: Callable[[], Any]) -> Any:
    """Return the value of a reader, or None if it refuses, which it must do with a message."""
    try:
        return read()
    except ZerosumError as error:
        message = str(error)
        assert message
        assert len(message) < 3000
        return None


RANGES = ["22+,A2s+,KTs+:0.5", "25%", "random", "AA-TT,AKs:0.25,QsJs", "top 20%", "AsKd,7h6h:1", "random:0.5,-AA"]
BOARDS = ["Ks 7h 2d 9c", "KsQsJs", "10h 9h 8h 2c 3d", "As,Kd,Qc"]
BETS = ["50%,100%,allin", "50%; river: 75%,allin", "2.5x,300,none", "oop: 50%; ip: 33%,75%", "50% / 100%,allin", "3e"]
NAMES = ["dcfr(1.5, 0.5, 2)", "cfr+(average=1)", "nh-dcfr", "trm-lcfr(1.005, 0.995)", "oftrl(fixed, eta=0.1)",
         "dcfr(1..4, -1..-3, 2)", "linear-mccfr(1e6)", "os-mccfr(explore=0.4)", "rule.py:mine", "idcfr+(skip=0.5)",
         "cfr(order=simultaneous)", "optimistic-lcfr", "oftrl(tuned)", "lp"]  # fmt: skip
LINES = ["check bet50 call 4d", "bet 858 raise 2000", "check, bet 33% / call", "allin fold", "check check"]
SPOTS = ["river", "libratus:3", "deepstack:river-5k:7", "my.toml", "~/my.json", "deepstack:turn-6k:9999999999999999999"]
GAME_NAMES = [*(entry.example for entry in GAMES.values()), "leduc(suits=3)", "goofspiel(5, order=ascending)",
              "liars-dice(sides=4, dice=2)", "game.py:Mine", "openspiel:kuhn_poker", "leduc-nl(stack=5)",
              "battleship(2, 2, [1], 2)", "matrix([[1, 2], [3]])"]  # fmt: skip
NUMBERS = ["1000", "1e6", "1_000", "1,000", "0.5", "-1", "0.5%", " 12 ", "1e-3", "inf"]
EXPRESSIONS = ["^K", "(a|b)*c{2,3}", r"\bJ\|", "[a-z]+?", "(?P<x>a)(?P=x)"]


@pytest.mark.parametrize(
    ("read", "examples"),
    [
        pytest.param(Range.parse, RANGES, id="ranges"),
        pytest.param(parse_board, BOARDS, id="boards"),
        pytest.param(parse_cards, BOARDS, id="cards"),
        pytest.param(BettingAbstraction.parse, BETS, id="bets"),
        pytest.param(lambda text: BettingAbstraction.parse(text, by="actions"), BETS, id="bets by action"),
        pytest.param(lambda text: BettingAbstraction.parse("50%", text), BETS, id="raises"),
        pytest.param(zerosum.algorithm, NAMES, id="algorithms"),
        pytest.param(create_game, GAME_NAMES, id="games"),
        pytest.param(load_spot, SPOTS, id="spots"),
        pytest.param(options.parse_integer, NUMBERS, id="whole numbers"),
        pytest.param(options.parse_number, NUMBERS, id="numbers"),
        pytest.param(parse_stacks, NUMBERS, id="stacks"),
        pytest.param(Unit().parse_target, NUMBERS, id="limits"),
        pytest.param(Unit("chips", (Measure("% of the pot", 1.0),)).parse_target, NUMBERS, id="limits in chips"),
        pytest.param(compile_pattern, EXPRESSIONS, id="regular expressions"),
    ],
)
def test_texts(read: Callable[[str], Any], examples: list[str]) -> None:
    @fuzzed
    @given(mutated(examples))
    def look(text: str) -> None:
        sentence_or_value(lambda: read(text))

    look()


@pytest.fixture(scope="module")
def turn() -> Any:
    return zerosum.holdem.spot("Ks 7h 2d 9c", 500, 2000, "TT+", "QQ+", "50%,allin", "allin")


def test_lines(turn: Any) -> None:
    @fuzzed
    @given(mutated(LINES))
    def look(text: str) -> None:
        sentence_or_value(lambda: find_decision(turn, text))

    look()


# files

TOML = """name = "single-raised pot"
board = "Ks 7h 2d 9c"
pot = 500
stack = 9750
oop = "22+,A2s+"
ip = "random"
bets = "50%,100%,allin"
cap = 3
big_blind = 100.0
minimum = 1e2
"""
SPOT = {"board": "Ks 7h 2d 9c", "pot": 500, "stack": [9750, 1e4], "oop": "22+", "allin_threshold": 0.5, "by": "bets"}
LIBRATUS = "-round 3\n-board Ks7h2d9c\n-pot 500\n-reach " + " ".join(["1"] * 5) + "\n"


def read_file(read: Callable[[Path], Any], name: str, content: bytes) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return sentence_or_value(lambda: read(path))


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("name", "text"), [("x.toml", TOML), ("x.json", json.dumps(SPOT)), ("x.JSON", json.dumps(SPOT))]
)
def test_spot_files(name: str, text: str) -> None:
    @fuzzed
    @given(mutated([text]))
    @example("[" * 100_000)
    @example("a." * 50_000 + "b = 1")
    @example("pot = " + "9" * 5000)
    def look(changed: str) -> None:
        read_file(read_spot, name, encoded(changed))

    look()


@pytest.mark.parametrize("numbers", [5, 2652])
def test_libratus_files(numbers: int) -> None:
    reach = " ".join(["0.5"] * numbers)

    @fuzzed
    @given(mutated([LIBRATUS.replace("1 1 1 1 1", "REACH")]), mutated(["0.25", "1", "nan", "1e-9"]))
    def look(text: str, number: str) -> None:
        content = text.replace("REACH", f"{reach[:-3]}{number}")
        read_file(libratus.read_endgame, "subgame1.txt", encoded(content))

    look()


KUHN_CSV = "player,infoset,reach,action,probability\n1,K|,1.0,check,0.5\n1,K|,1.0,bet,0.5\n2,K|bet,1,call,1\n"
STRATEGIES = [
    KUHN_CSV,
    ",0,1\n0,0.5,0.5\n0pb,0.25,0.75\n",
    '{"K|": {"check": 0.5, "bet": 0.5}, "Q|bet": {"fold": 1}}',
    '{"0": [[0, 0.5], [1, 0.5]], "0, 1": [[0, 1.0]]}',
    '{"decisions": [{"player": 1, "infoset": "K|", "reach": 1, "actions": {"check": 1.0}}]}',
    '{"format": "zerosum-result", "version": 1, "decisions": []}',
    "TabularPolicy:0<~>0=0x1p-1,1=0x1p-1<~>1pb<~>0=0.25,1=0.75",
]


def test_strategy_files() -> None:
    form = zerosum.compile_game(zerosum.game("kuhn"))

    @fuzzed
    @given(mutated(STRATEGIES))
    @example('{"K|": {"check": ' + "9" * 5000 + "}}")
    @example('{"K|": {"check": 1e999}}')
    @example('{"K|": {"check": ' + "[" * 5000)
    @example("TabularPolicy:a<~>" + "9" * 5000 + "=1")
    @example("x," + "9" * 5000 + "\na,1\n")
    @example('infoset,action,probability\n"' + "x" * 200_000 + '",a,1\n')
    def look(text: str) -> None:
        strategy = read_file(read_strategy, "x", encoded(text))
        if strategy is not None:
            sentence_or_value(lambda: match_strategy(form, strategy, "uniform"))

    look()


def test_strategies_on_openspiel() -> None:
    pytest.importorskip("pyspiel")
    form = zerosum.compile_game(zerosum.game("openspiel:kuhn_poker"))

    @fuzzed
    @given(mutated(STRATEGIES))
    def look(text: str) -> None:
        strategy = read_file(read_strategy, "x", encoded(text))
        if strategy is not None:
            sentence_or_value(lambda: match_strategy(form, strategy, "uniform"))

    look()


def test_saved_results(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    zerosum.solve("kuhn", iterations=3).save(path)
    text = path.read_text()

    @fuzzed
    @given(mutated([text, text[:300] + "}", text[-300:]]))
    def look(changed: str) -> None:
        read_file(GameResult.load, "x.json", encoded(changed))

    look()


def test_saved_spots(tmp_path: Path) -> None:
    path = tmp_path / "river.zs"
    river = zerosum.holdem.spot("Ks 7h 2d 9c 4s", 500, 1000, "AA", "KK", "allin")
    zerosum.solve(river, iterations=2).save(path)
    data = path.read_bytes()

    @fuzzed
    @given(
        st.lists(st.tuples(st.integers(0, len(data) - 1), st.integers(0, 255)), min_size=1, max_size=4),
        st.integers(0, 30),
    )
    def look(changes: list[tuple[int, int]], cut: int) -> None:
        content = bytearray(data)
        for place, value in changes:
            content[place] = value
        read_file(zerosum.load, "x", bytes(content[: len(content) - cut]))

    look()


# command lines

WORDS = [
    "kuhn", "leduc", "spot:river", "holdem", "libratus:9", "dcfr", "cfr+", "--iterations", "--until",
    "--seconds", "--nodes", "--threads", "--seed", "--seeds", "--start-seed", "--start-from",
    "--start-weight", "--fill", "uniform", "--algorithm", "-a", "--out", "--plot", "--json", "--refine",
    "--by-rules", "--line", "--hand", "--dry-run", "--board", "--pot", "--stack", "--oop", "--bets", "--cap",
    "--x", "--player", "--infoset", "--min-reach", "--limit", "--against", "--worst", "missing.json", "1",
    "-1", "1e3", "nan", "0.5%", "50%", "AA", "Ks7h2d9c", "", "-", "--", "--nonsense", "=", "--seed=-1",
    "--help", "\udc80", "a\nb",
]  # fmt: skip


def test_command_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Nothing is solved here: a command that is accepted is stopped where the work would start."""

    def enough(*arguments: object, **more: object) -> None:
        raise ZerosumError("this is far enough")

    for place in (
        "zerosum.engine.forms.sequence.form_compiler.compile_game",
        "zerosum.holdem.engine.public_tree.build_public_tree",
    ):
        monkeypatch.setattr(place, enough)
    monkeypatch.chdir(tmp_path)
    commands = ["solve", "compare", "show", "exploit"]

    @fuzzed
    @given(st.sampled_from(commands), st.lists(st.sampled_from(WORDS) | mutated(NUMBERS), max_size=7))
    def look(command: str, words: list[str]) -> None:
        code = run([command, *words])
        out, err = capsys.readouterr()
        assert code in (0, 2), err
        assert err.count("\n") == (1 if code else 0), err
        assert not code or (err.startswith("zerosum: ") and not out)

    look()
    assert list(tmp_path.iterdir()) == []
