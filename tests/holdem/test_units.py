"""Chips may be any unit, and weights of ranges any size: only how amounts and weights compare counts."""

from __future__ import annotations

import pytest

import zerosum as package
from zerosum.holdem.betting.tree import walk_streets
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.files import resolve_spot
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.support.errors import ZerosumError

UNITS = (1e-12, 1e-9, 1e-6, 1e-5, 1e6, 1e12)
TIGHT, WIDE = "QQ+,AKs,87s", "88+,AQs+,54s"


def in_units(unit: float, board: str = "Ks7h2d9c4s", oop: str = TIGHT, ip: str = WIDE) -> Spot:
    sizes = "33%,75%,allin", "50%,2.5x,allin"
    return spot(board, 26 * unit, 87 * unit, oop, ip, *sizes, big_blind=unit)


@pytest.mark.parametrize("unit", UNITS)
def test_the_tree_is_the_same_in_any_unit(unit: float) -> None:
    board = "Ks7h2d9c"
    ours, theirs = (list(walk_streets(in_units(scale, board).tree)) for scale in (1.0, unit))
    assert len(ours) == len(theirs)
    for street, other in zip(ours, theirs, strict=True):
        assert (other.pot / unit, other.stack / unit) == pytest.approx((street.pot, street.stack), rel=1e-9)
        for choice, there in zip(street.choices, other.choices, strict=True):
            assert [word.split()[0] for word in choice.actions] == [word.split()[0] for word in there.actions]
            assert [to / unit for to in there.to] == pytest.approx(choice.to, rel=1e-9)


@pytest.mark.parametrize("half", [False, True], ids=["32 bits", "16 bits"])
@pytest.mark.parametrize("unit", UNITS)
def test_a_solution_is_the_same_in_any_unit(unit: float, half: bool) -> None:
    ours, theirs = (package.solve(in_units(scale), iterations=200, half=half) for scale in (1.0, unit))
    assert ours.exploitability < 0.1
    assert theirs.exploitability / unit < 0.1
    assert theirs.value / unit == pytest.approx(ours.value, abs=ours.exploitability)


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**-20, 2.0**40])
def test_in_a_unit_that_rounds_alike_it_is_the_same_to_many_digits(unit: float) -> None:
    ours, theirs = (package.solve(in_units(scale), iterations=200) for scale in (1.0, unit))
    assert theirs.value / unit == pytest.approx(ours.value, rel=1e-9)
    assert theirs.exploitability / unit == pytest.approx(ours.exploitability, rel=1e-9)


@pytest.mark.parametrize("algorithm", ["cfr+", "pcfr+", "hedge", "oftrl", "nh-cfr", "mccfr", "pcs-cfr"])
def test_every_way_of_solving_takes_any_unit(algorithm: str) -> None:
    limits = {"nodes": 50_000} if algorithm in ("mccfr", "pcs-cfr") else {"iterations": 50}
    values = [package.solve(in_units(unit), algorithm, **limits).value / unit for unit in (1.0, 1e-12, 1e12)]
    assert values[1:] == pytest.approx([values[0]] * 2, rel=0.02)


def test_a_start_from_a_strategy_is_in_the_same_unit() -> None:
    values = []
    for unit in (1.0, 2.0**-40):
        scaled = in_units(unit)
        first = package.solve(scaled, iterations=20)
        values.append(package.solve(scaled, iterations=1, start_from=first, start_weight=10).exploitability / unit)
    assert values[1] == pytest.approx(values[0], rel=1e-4)


@pytest.mark.parametrize("weight", ["1e-45", "1e-300"])
@pytest.mark.parametrize("half", [False, True], ids=["32 bits", "16 bits"])
def test_tiny_weights_on_all_hands_count_like_large_ones(weight: str, half: bool) -> None:
    tiny = [",".join(f"{part}:{weight}" for part in text.split(",")) for text in (TIGHT, WIDE)]
    ours, theirs = (
        package.solve(in_units(1.0, oop=oop, ip=ip), iterations=200, half=half)
        for oop, ip in ((TIGHT, WIDE), (tiny[0], tiny[1]))
    )
    assert theirs.equity == pytest.approx(ours.equity, rel=1e-12)
    assert ours.exploitability < 0.1
    assert theirs.exploitability < 0.1
    assert theirs.value == pytest.approx(ours.value, abs=ours.exploitability)


@pytest.mark.parametrize("weight", ["1e-40", "1e-300"])
@pytest.mark.parametrize("half", [False, True], ids=["32 bits", "16 bits"])
def test_weights_that_are_nothing_beside_others_are_held(weight: str, half: bool) -> None:
    tiny, small = (
        package.solve(in_units(1.0, oop=f"AA,A5s,KK:{smallest}", ip=f"QQ,K9s,JJ:{smallest}"), iterations=200, half=half)
        for smallest in (weight, "1e-20")
    )
    assert tiny.value == pytest.approx(small.value, rel=1e-3)
    assert tiny.exploitability == pytest.approx(small.exploitability, rel=0.1, abs=1e-3)


def test_a_range_keeps_the_weights_it_was_given() -> None:
    tiny = in_units(1.0, oop="AA:1e-45,KK:5e-46")
    assert tiny.oop == Range.parse("AA:1e-45,KK:5e-46")
    assert tiny.weights[0].max() > 0.5
    assert set(tiny.weights[0] / tiny.weights[0].max()) == {0.0, 0.5, 1.0}


@pytest.mark.parametrize(("pot", "stack"), [(1.0, 1.1e6), (1.1e6, 1.0), (1e-9, 1.0)])
def test_a_stack_that_the_pot_is_nothing_beside_is_refused(pot: float, stack: float) -> None:
    with pytest.raises(ZerosumError, match="differ by a factor"):
        spot("Ks7h2d9c4s", pot, stack, minimum=min(pot, stack))


@pytest.mark.parametrize("pot", [5e-324, 1e-100, 9e-19, 1.1e18, 1e300])
def test_a_pot_that_32_bits_cannot_hold_is_refused(pot: float) -> None:
    with pytest.raises(ZerosumError, match="use another unit"):
        spot("Ks7h2d9c4s", pot, 2 * pot, big_blind=pot)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("half", [False, True], ids=["32 bits", "16 bits"])
@pytest.mark.parametrize("unit", [1.001e-18 / 26, 1e18 / 27])
def test_the_smallest_and_the_largest_pot_are_solved(unit: float, half: bool) -> None:
    ours, theirs = (package.solve(in_units(scale), iterations=200, half=half) for scale in (1.0, unit))
    assert theirs.value / unit == pytest.approx(ours.value, abs=ours.exploitability)


@pytest.mark.parametrize("name", ["spot:river", "spot:turn"])
def test_the_smallest_bet_of_a_spot_by_name_follows_its_big_blind(name: str) -> None:
    named = resolve_spot(name)
    unit = 1 / named.big_blind
    same = resolve_spot(name, pot=named.pot * unit, stack=named.stack * unit, big_blind=1)
    assert same.count_tree() == named.count_tree()
    with pytest.raises(ZerosumError, match="give the big blind"):
        resolve_spot(name, pot=1, stack=2)
    assert resolve_spot(name, pot=1, stack=2, minimum=2).betting.rules.minimum == 2


def test_a_bet_of_nothing_is_refused() -> None:
    tiny = spot("Ks7h2d9c4s", 1e6, 1e6, bets="0.0000001", minimum=1e-8)
    with pytest.raises(ZerosumError, match="too small for the chips"):
        tiny.count_tree()


def test_amounts_are_shown_in_any_unit(zerosum) -> None:  # type: ignore[no-untyped-def]
    where = ("--board", "Ks7h2d9c4s", "--oop", TIGHT, "--ip", WIDE, "--iterations", 100)
    chips = ("--pot", "1e-9", "--stack", "2e-9", "--big-blind", "1e-10")
    output = zerosum("solve", "holdem", *where, *chips, "--hand", "AA")
    assert output.code == 0
    assert "bet 0.0000000005" in output.out
    assert "0.00 chips" not in output.out
    assert "0.0)" not in output.out
