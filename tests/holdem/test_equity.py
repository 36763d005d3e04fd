"""Equity against known values and against a plain count; random spots; the order of classes of hands."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from hand_strength import strength, strengths
from rue.errors import RueError
from rue.games.preflop import of_classes, smallest
from rue.holdem.cards import HANDS, RANKS, parse_board
from rue.holdem.deepstack import KINDS, random_range, random_spot
from rue.holdem.equity import equity, hand_equities, runouts
from rue.holdem.files import load_spot, read_spot, write_spot
from rue.holdem.hand_classes import CLASS_ORDER, class_hands
from rue.holdem.ranges import Range

LIBRATUS = Path(__file__).parents[3] / "shared" / "data" / "libratus"
needs_libratus = pytest.mark.skipif(not LIBRATUS.is_dir(), reason="the Libratus files are not in ../shared")


@pytest.mark.parametrize(
    ("board", "net"),
    [("Td9d6hQc", 72.7273), ("Td9d6d", 65.2020), ("AsKs2d3c5h", 100.0), ("AsKsKd3c5h", -100.0)],
)
def test_aces_against_kings(board: str, net: float) -> None:
    """What aces win on average when each has paid 100 chips."""
    share = equity(parse_board(board), Range.parse("AA"), Range.parse("KK"))
    assert 100 * (2 * share - 1) == pytest.approx(net, abs=5e-5)


@needs_libratus
@pytest.mark.parametrize(("number", "percent"), [(3, 54.2103), (4, 69.7671)])
def test_libratus_endgames(number: int, percent: float) -> None:
    found = load_spot(f"libratus:{number}", LIBRATUS)
    assert 100 * equity(found.board, found.oop, found.ip) == pytest.approx(percent, abs=5e-5)
    assert 100 * equity(found.board, found.ip, found.oop) == pytest.approx(100 - percent, abs=5e-5)


def plainly(board: tuple[int, ...], own: Range, other: Range) -> float:
    """The same by loops over pairs and runouts, weights and all."""
    won = total = 0.0
    for one in np.flatnonzero(own.weights):
        for two in np.flatnonzero(other.weights):
            used = {*board, *HANDS[one].tolist(), *HANDS[two].tolist()}
            if len(used) < len(board) + 4:
                continue
            weight = own.weights[one] * other.weights[two]
            for more in combinations(sorted(set(range(52)) - used), 5 - len(board)):
                mine = strength((*board, *more, *HANDS[one].tolist()))
                yours = strength((*board, *more, *HANDS[two].tolist()))
                won += weight * (1 if mine > yours else 0.5 if mine == yours else 0)
                total += weight
    return won / total


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc", "Td9d6hQc2s"])
def test_agrees_with_a_plain_count(board: str) -> None:
    cards = parse_board(board)
    own, other = Range.parse("JsTs:0.5,AdKd,8c7c:0.25"), Range.parse("JsTc,AdQd:0.75,6s6c")
    assert equity(cards, own, other) == pytest.approx(plainly(cards, own, other), abs=1e-12)


def test_runouts_and_shares() -> None:
    board = parse_board("Td9d6hQc")
    assert len(runouts(board)) == 48
    everything = Range.parse("random")
    shares, mass = hand_equities(board, everything, everything)
    assert np.isnan(shares).sum() == 1326 - 1128
    assert set(mass[~np.isnan(shares)]) == {46 * 45 * 44 / 2}
    assert equity(board, everything, everything) == pytest.approx(0.5)


def test_refuses_what_cannot_be_dealt() -> None:
    with pytest.raises(RueError, match="dealt together"):
        equity(parse_board("Td9d6h"), Range.parse("AsAh"), Range.parse("AsAd"))
    with pytest.raises(RueError, match="3, 4 or 5"):
        equity((1, 2), Range.parse("AA"), Range.parse("KK"))


@pytest.mark.parametrize("kind", KINDS)
def test_random_spots(kind: str, tmp_path: Path) -> None:
    found = random_spot(kind, 3)
    assert found == random_spot(kind, 3) == load_spot(f"deepstack:{kind}:3")
    assert found != random_spot(kind, 4)
    assert load_spot(f"deepstack:{kind}").name == f"deepstack:{kind}:0"
    assert (len(found.board), found.pot) == KINDS[kind]
    assert found.stack + found.pot / 2 == 20_000
    assert found.hands == ((1081, 1081) if len(found.board) == 5 else (1128, 1128))
    write_spot(found, tmp_path / "x.toml")
    assert read_spot(tmp_path / "x.toml") == found


def test_bets_of_random_spots() -> None:
    river = random_spot("river-500", 0).tree
    names = [list(river.node(*line).actions) for line in [(), ("check",), ("bet 250",)]]
    assert names == [
        ["check", "bet 250", "bet 500", "bet 1000", "allin"],
        ["check", "bet 250", "bet 500", "bet 1000", "allin"],
        ["fold", "call", "raise 750", "raise 1250", "raise 2250", "allin"],
    ]
    third = river.node("check", "bet 250").actions
    assert list(third) == ["fold", "call", "raise 1250", "allin"]
    turn = random_spot("turn-5k", 0).tree
    assert list(turn.choices[0].actions) == ["check", "bet 2500", "bet 5000", "allin"]
    assert list(turn.node("check").actions) == ["check", "bet 5000", "allin"]
    after = next(leaf.following for leaf in turn.ends if leaf.line == ("check", "check"))
    assert after is not None
    assert len(after.choices[0].actions) == 5


def test_a_random_range_splits_along_strength() -> None:
    """Both halves by strength carry a uniform part of the weight: a half on average, not always."""
    order = strengths(parse_board("4s8hTc9h2s")).astype(float)
    order[order < 0] = np.nan
    rng = np.random.default_rng(0)
    parts = []
    for _ in range(300):
        weights = random_range(order, rng).weights
        assert weights.max() == 1
        weaker = order < np.nanmedian(order)
        parts.append(weights[weaker].sum() / weights.sum())
    assert np.mean(parts) == pytest.approx(0.5, abs=0.06)
    assert np.std(parts) == pytest.approx(1 / 12**0.5, abs=0.04)


def test_errors_about_random_spots() -> None:
    for text, said in [
        ("deepstack:river", "did you mean"),
        ("deepstack:river-5k:x", "seed 'x'"),
        ("deepstack:river-5k:-1", "seed '-1'"),
    ]:
        with pytest.raises(RueError, match=said):
            load_spot(text)
    with pytest.raises(RueError, match="0 or more"):
        random_spot("river-5k", -1)


def test_the_order_of_classes() -> None:
    """The exact chances against a random hand, from the table before the flop, fall along the order."""
    first, found = of_classes()
    classes = [class_hands(RANKS.index(name[0]), RANKS.index(name[1]), name[2:]) for name in CLASS_ORDER]
    rows = np.searchsorted(first, [smallest()[hands[0]] for hands in classes])
    assert len(set(rows)) == 169
    assert (np.diff(found.equity[rows].sum(axis=1)) < 0).all()
