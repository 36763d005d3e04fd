"""Equity against known values and against a plain count; random spots; the order of classes of hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hand_strength import strength, strengths
from twins import equity as twin
from twins.hand_strength import strength as twin_strength
from zerosum.games.poker.preflop_equity import find_class_representatives, load_class_equities
from zerosum.holdem.cards.cards import CLASS_ORDER, HANDS, list_class_hands, parse_board
from zerosum.holdem.cards.hand_strength import compute_equity, compute_hand_equities, list_runouts
from zerosum.holdem.cards.kernels import add_comparison
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.deepstack import SPOT_KINDS, draw_random_range, draw_random_spot
from zerosum.holdem.spots.files import load_spot, read_spot, write_spot
from zerosum.support.errors import ZerosumError

LIBRATUS = Path(__file__).parents[3] / "shared" / "data" / "libratus"
needs_libratus = pytest.mark.skipif(not LIBRATUS.is_dir(), reason="the Libratus files are not in ../shared")


@pytest.mark.parametrize(
    ("board", "net"),
    [("Td9d6hQc", 72.7273), ("Td9d6d", 65.2020), ("AsKs2d3c5h", 100.0), ("AsKsKd3c5h", -100.0)],
)
def test_aces_against_kings(board: str, net: float) -> None:
    """The average winnings of aces when both players have put in 100 chips."""
    share = compute_equity(parse_board(board), Range.parse("AA"), Range.parse("KK"))
    assert 100 * (2 * share - 1) == pytest.approx(net, abs=5e-5)


@needs_libratus
@pytest.mark.parametrize(("number", "percent"), [(3, 54.2103), (4, 69.7671)])
def test_libratus_endgames(number: int, percent: float) -> None:
    endgame = load_spot(f"libratus:{number}", LIBRATUS)
    assert 100 * compute_equity(endgame.board, endgame.oop, endgame.ip) == pytest.approx(percent, abs=5e-5)
    assert 100 * compute_equity(endgame.board, endgame.ip, endgame.oop) == pytest.approx(100 - percent, abs=5e-5)


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc", "Td9d6hQc2s"])
def test_equity_agrees_with_the_plain_twin(board: str) -> None:
    cards = parse_board(board)
    weights, other = Range.parse("JsTs:0.5,AdKd,8c7c:0.25"), Range.parse("JsTc,AdQd:0.75,6s6c")
    plain_strength = twin_strength if len(cards) > 3 else strength  # the flop has 990 runouts for each pair
    expected = twin.equity(cards, *(twin.weighted_hands(r.weights, HANDS) for r in (weights, other)), plain_strength)
    assert compute_equity(cards, weights, other) == pytest.approx(expected, abs=1e-12)


def test_comparing_hands_agrees_with_the_plain_twin() -> None:
    random = np.random.default_rng(2)
    hands = [random.choice(len(HANDS), 40, replace=False) for _ in range(2)]
    values = [random.integers(0, 5, 40) for _ in range(2)]
    matrix = np.zeros((40, 40), np.float32)
    add_comparison(matrix, *values, *(HANDS[numbers] for numbers in hands))
    first, second = (
        [(int(value), tuple(cards)) for value, cards in zip(*pair, strict=True)]
        for pair in zip(values, (HANDS[numbers].tolist() for numbers in hands), strict=True)
    )
    assert matrix.tolist() == twin.comparison(first, second)


def test_runouts_and_shares() -> None:
    board = parse_board("Td9d6hQc")
    assert len(list_runouts(board)) == 48
    everything = Range.parse("random")
    shares, mass = compute_hand_equities(board, everything, everything)
    assert np.isnan(shares).sum() == 1326 - 1128
    assert set(mass[~np.isnan(shares)]) == {46 * 45 * 44 / 2}
    assert compute_equity(board, everything, everything) == pytest.approx(0.5)


def test_refuses_impossible_deals() -> None:
    with pytest.raises(ZerosumError, match="dealt together"):
        compute_equity(parse_board("Td9d6h"), Range.parse("AsAh"), Range.parse("AsAd"))
    with pytest.raises(ZerosumError, match="3, 4 or 5"):
        compute_equity((1, 2), Range.parse("AA"), Range.parse("KK"))


@pytest.mark.parametrize("kind", SPOT_KINDS)
def test_random_spots(kind: str, tmp_path: Path) -> None:
    spot = draw_random_spot(kind, 3)
    assert spot == draw_random_spot(kind, 3) == load_spot(f"deepstack:{kind}:3")
    assert spot != draw_random_spot(kind, 4)
    assert load_spot(f"deepstack:{kind}").name == f"deepstack:{kind}:0"
    assert (len(spot.board), spot.pot) == SPOT_KINDS[kind]
    assert spot.stack + spot.pot / 2 == 20_000
    assert spot.hands == ((1081, 1081) if len(spot.board) == 5 else (1128, 1128))
    write_spot(spot, tmp_path / "x.toml")
    assert read_spot(tmp_path / "x.toml") == spot


def test_bets_of_random_spots() -> None:
    river = draw_random_spot("river-500", 0).tree
    names = [list(river.nodes_by_line[line].actions) for line in [(), ("check",), ("bet 250",)]]
    assert names == [
        ["check", "bet 250", "bet 500", "bet 1000", "allin"],
        ["check", "bet 250", "bet 500", "bet 1000", "allin"],
        ["fold", "call", "raise 750", "raise 1250", "raise 2250", "allin"],
    ]
    third = river.nodes_by_line["check", "bet 250"].actions
    assert list(third) == ["fold", "call", "raise 1250", "allin"]
    turn = draw_random_spot("turn-5k", 0).tree
    assert list(turn.choices[0].actions) == ["check", "bet 2500", "bet 5000", "allin"]
    assert list(turn.nodes_by_line["check",].actions) == ["check", "bet 5000", "allin"]
    after = next(leaf.next_round for leaf in turn.ends if leaf.line == ("check", "check"))
    assert after is not None
    assert len(after.choices[0].actions) == 5


def test_a_random_range_splits_along_strength() -> None:
    """Both halves by strength carry a uniform part of the weight: a half on average, not always."""
    order = strengths(parse_board("4s8hTc9h2s")).astype(float)
    order[order < 0] = np.nan
    rng = np.random.default_rng(0)
    parts = []
    for _ in range(300):
        weights = draw_random_range(order, rng).weights
        assert weights.max() == 1
        weaker = order < np.nanmedian(order)
        parts.append(weights[weaker].sum() / weights.sum())
    assert np.mean(parts) == pytest.approx(0.5, abs=0.06)
    assert np.std(parts) == pytest.approx(1 / 12**0.5, abs=0.04)


def test_errors_about_random_spots() -> None:
    for text, message in [
        ("deepstack:river", "did you mean"),
        ("deepstack:river-5k:x", "seed 'x'"),
        ("deepstack:river-5k:-1", "seed '-1'"),
    ]:
        with pytest.raises(ZerosumError, match=message):
            load_spot(text)
    with pytest.raises(ZerosumError, match="0 or more"):
        draw_random_spot("river-5k", -1)


def test_the_order_of_classes() -> None:
    """The exact chances against a random hand, from the table before the flop, fall along the order."""
    first, by_equity = load_class_equities()
    classes = [list_class_hands(name) for name in CLASS_ORDER]
    rows = np.searchsorted(first, [find_class_representatives()[hands[0]] for hands in classes])
    assert len(set(rows)) == 169
    assert (np.diff(by_equity.equity[rows].sum(axis=1)) < 0).all()
