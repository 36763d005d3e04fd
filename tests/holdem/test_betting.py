"""Trees as players build them: sizes by line, donk bets, geometric sizes, rules that change sizes, names, and text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.betting.presets import PRESETS
from zerosum.holdem.betting.sizes import BettingState
from zerosum.holdem.betting.tree import Street, build_betting_tree, count_tree, walk_streets
from zerosum.holdem.betting.tree_text import find_removed_lines, format_tree_lines
from zerosum.holdem.spots.files import load_spot, resolve_spot, spot_from_dict, spot_to_dict, write_spot
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.support.errors import ZerosumError

FLOP: dict[str, Any] = {"board": "Qs Jh 2h", "pot": 100, "stack": 950, "oop": "TT+", "ip": "AK", "big_blind": 10}


def tree(**options: Any) -> Street:
    return spot(**FLOP, **options).tree


def after(street: Street, text: str) -> tuple[str, ...]:
    """The actions after a line, streets separated by slashes."""
    *before, last = [part.split(", ") if part else [] for part in text.split(" / ")]
    for done in before:
        street = next(leaf.next_round for leaf in street.ends if leaf.line == tuple(done) and leaf.next_round)
    return street.nodes_by_line[tuple(last)].actions


# Sizes.


def test_geometric_sizes_are_all_in_after_n_bets() -> None:
    """A pot of 100 and 950 behind: each bet of 1/2 (20^(1/3) - 1) of the pot makes it 20^(1/3) times as large."""
    flop = tree(bets="3e", raises="none", minimum=1)
    share = (20 ** (1 / 3) - 1) / 2
    bet = float(after(flop, "")[1].removeprefix("bet "))
    assert bet == pytest.approx(100 * share, abs=1e-5)
    turn = next(leaf.next_round for leaf in flop.ends if leaf.line[-1] == "call" and leaf.next_round)
    assert turn.pot == pytest.approx(100 * 20 ** (1 / 3), abs=1e-4)
    assert tree(bets="e", raises="none", minimum=1).nodes_by_line[()].to == flop.nodes_by_line[()].to
    betting = BettingAbstraction.parse("2e; river: e", "2e", minimum=1.0)
    # A bet of 100 leaves 300 for a pot of 300.
    assert betting.compute_bet_amounts(BettingState(1, 0, 100, 400)) == [100.0]
    assert betting.compute_bet_amounts(BettingState(2, 0, 100, 400)) == [400]
    assert betting.compute_bet_amounts(BettingState(1, 1, 150, 850, 0, 50, 50, 1, 1)) == [
        250.0
    ]  # 200 after the call: 200, then 600


def test_the_smallest_raise() -> None:
    flop = tree(bets="50%", raises="min")
    assert after(flop, "bet 50") == ("fold", "call", "raise 100")
    assert after(flop, "bet 50, raise 100") == ("fold", "call", "raise 150")
    assert after(tree(bets="min", raises="none"), "") == ("check", "bet 10")


@pytest.mark.parametrize("text", ["33,75%", "75%, 33", "50%; river: 75", "33 / 50%"])
def test_a_bare_number_beside_percentages_needs_a_unit(text: str) -> None:
    for options in ({"bets": text}, {"raises": text}, {"donks": text}, {"at": [f"check: {text}"]}):
        if "river" in text and "at" in options:
            continue
        with pytest.raises(ZerosumError, match=r"a share of the pot or a number of chips: write"):
            tree(**options)
    assert after(tree(bets="33", raises="none"), "") == ("check", "bet 33")
    assert after(tree(bets="33c,75%", raises="none"), "") == ("check", "bet 33", "bet 75")


# Rules.


def test_caps_by_street() -> None:
    flop = tree(bets="50%", raises="100%", cap="3; flop: 1; turn: 2")
    assert after(flop, "bet 50") == ("fold", "call")
    assert len(after(flop, "check, check / bet 50")) == 3
    assert after(flop, "check, check / bet 50, raise 250") == ("fold", "call")
    assert len(after(flop, "check, check / check, check / bet 50, raise 250")) == 3


def test_all_in_is_added_and_forced() -> None:
    assert after(tree(bets="50%", raises="none", add_allin=9.4), "") == ("check", "bet 50")
    assert after(tree(bets="50%", raises="none", add_allin=9.5), "") == ("check", "bet 50", "allin")
    raised = tree(bets="300c", raises="100%", add_allin=1)
    assert after(raised, "bet 300") == ("fold", "call", "allin")  # 1000 is more than the stack; 650 behind a pot of 700
    assert after(tree(bets="none", raises="none", add_allin=100), "") == ("check",)
    assert after(tree(bets="400c,600c", raises="none", force_allin="60%"), "") == ("check", "bet 400", "allin")
    assert after(tree(bets="570c", raises="none", force_allin=0.6), "") == ("check", "allin")


def test_close_sizes_are_merged_into_the_larger() -> None:
    """(100 + 75)/(100 + 66) = 1.054, (100 + 75)/(100 + 50) = 1.167."""
    assert after(tree(bets="50%,66%,75%", raises="none", merge="10%"), "") == ("check", "bet 50", "bet 75")
    assert after(tree(bets="50%,66%,75%", raises="none", merge="17%"), "") == ("check", "bet 75")
    assert after(tree(bets="50%,66%,75%", raises="none"), "") == ("check", "bet 50", "bet 66", "bet 75")
    assert after(tree(bets="900%,allin", raises="none", merge="10%"), "") == ("check", "allin")


def test_donk_bets() -> None:
    flop = tree(bets="50%", raises="none", donks="20%; river: none")
    assert after(flop, "") == ("check", "bet 50")  # the street before had no last bettor
    assert after(flop, "check, bet 50, call / ") == ("check", "bet 40")
    assert after(flop, "check, bet 50, call / check") == ("check", "bet 100")  # in position as ever
    assert after(flop, "bet 50, call / ") == ("check", "bet 100")  # the bettor goes on
    assert after(flop, "check, check / ") == ("check", "bet 50")
    assert after(flop, "check, bet 50, call / bet 40, call / ") == ("check", "bet 140")
    assert after(flop, "check, check / check, bet 50, call / ") == ("check",)
    assert after(tree(bets="50%", raises="none", donks="20%", aggressor="ip"), "") == ("check", "bet 20")
    assert after(tree(bets="50%", raises="none", donks="20%", aggressor="oop"), "") == ("check", "bet 50")
    as_bets = tree(bets="50%", raises="none", donks="bets; river: none")
    assert after(as_bets, "check, bet 50, call / ") == ("check", "bet 100")


def test_streets_stay_shared_where_nothing_differs() -> None:
    def build(**options: Any) -> Street:
        return build_betting_tree(BettingAbstraction.parse("50%", "none", minimum=10.0, **options), 0, 100, 950)

    assert count_tree(build()) == count_tree(build(aggressor="ip"))
    streets, edited = (len(list(walk_streets(root))) for root in (build(), build(at=["check check bet50 call: none"])))
    assert streets < edited < 2 * streets


@pytest.mark.parametrize(
    "wrong",
    [
        {"cap": "two"}, {"cap": "2; floop: 1"}, {"cap": True}, {"add_allin": -1}, {"force_allin": 0},
        {"force_allin": "130%"}, {"force_allin": 67}, {"merge": -0.1}, {"merge": "x"}, {"merge": 10},
        {"aggressor": "button"},
        {"donks": "river ip: 50%"}, {"donks": "x"}, {"tree": "huge"}, {"at": "50%"}, {"without": ""},
        {"at": [5]}, {"bets": "0e"}, {"at": ["check bet77: 50%"]}, {"without": ["bet50 fold call"]},
        {"without": ["check", "bet50", "bet100", "allin"]}, {"at": ["check Kd: 50%"]},
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_a_message(wrong: Any) -> None:
    with pytest.raises(ZerosumError) as caught:
        spot(**FLOP, **wrong).count_tree()
    assert "\n" not in str(caught.value)


# Single lines.


def test_sizes_after_a_line() -> None:
    flop = tree(
        bets="50%", raises="100%", at=["check bet50: 2x,allin", ": 20%", "bet20 call: 100%", "check check: none"]
    )
    assert after(flop, "") == ("check", "bet 20")
    assert after(flop, "check, bet 50") == ("fold", "call", "raise 100", "allin")
    assert after(flop, "bet 20, call / ") == ("check", "bet 140")
    assert after(flop, "bet 20, call / check") == ("check", "bet 70")
    assert after(flop, "check, check / ") == ("check",)
    assert after(flop, "check, check / check") == ("check", "bet 50")


def test_lines_can_be_taken_out() -> None:
    flop = tree(bets="50%,100%", raises="100%", cap=2, without=["check bet100", "bet50 raise", "check check check"])
    assert after(flop, "check") == ("check", "bet 50")
    assert after(flop, "bet 50") == ("fold", "call")
    assert after(flop, "check, check / ") == ("bet 50", "bet 100")


# Names.


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    flop = spot(**FLOP, tree=name)
    options = PRESETS[name].options
    assert {key for key in options if key not in spot_to_dict(flop)} == set()
    assert flop.betting.to_options()["bets"] == options["bets"]
    assert spot_from_dict(spot_to_dict(flop)) == flop
    changed = spot(**FLOP, tree=name, bets="40%")
    assert changed.betting.to_options()["bets"] == "40%"
    assert changed.betting.rules == flop.betting.rules


def test_presets_grow() -> None:
    sizes = [sum(map(sum, spot(**FLOP, tree=name).count_tree().nodes)) for name in ("simple", "standard", "rich")]
    assert sizes == sorted(sizes)
    assert sizes[2] > 5 * sizes[0]


def test_a_preset_takes_the_place_of_the_bets_of_a_spot() -> None:
    turn = resolve_spot("spot:turn", tree="simple")
    flop = spot(**FLOP, tree="simple")
    assert turn.betting.to_options() | {"minimum": 0} == flop.betting.to_options() | {"minimum": 0}


# Text.


def test_every_line_is_written_once() -> None:
    flop = spot(**FLOP, tree="simple")
    written = list(format_tree_lines(flop.tree))
    counts = flop.count_tree()
    ends = sum(number for kinds in counts.leaves for kind, number in kinds.items() if kind != "deal")
    assert len(written) == len(set(written)) == ends
    assert find_removed_lines(flop.tree, written) == []


def test_deleted_lines_are_gone_from_the_tree(tmp_path: Path) -> None:
    whole = spot(**FLOP, bets="50%,100%", raises="100%", cap=2)
    lines = [line for line in format_tree_lines(whole.tree) if "raise" not in line and not line.startswith("bet 100")]
    (tmp_path / "tree.txt").write_text("# a remark\n\n" + "\n".join(lines) + "\n")
    edited = spot(**FLOP, bets="50%,100%", raises="100%", cap=2, tree_file=tmp_path / "tree.txt")
    assert list(format_tree_lines(edited.tree)) == lines
    assert edited != whole
    assert spot_from_dict(spot_to_dict(edited)) == edited
    for name in ("edited.toml", "edited.json"):
        write_spot(edited, tmp_path / name)
        assert load_spot(tmp_path / name) == edited
    named = tmp_path / "named.toml"
    named.write_text(
        'board = "Qs Jh 2h"\npot = 100\nstack = 950\noop = "TT+"\nip = "AK"\nbig_blind = 10\n'
        'bets = "50%,100%"\nraises = "100%"\ncap = 2\ntree_file = "tree.txt"\n'
    )
    assert load_spot(named) == edited


def test_a_run_on_an_edited_tree_resumes_without_the_file(tmp_path: Path) -> None:
    """A run that is saved and resumed equals one without a stop, even after the text of the tree is gone."""
    bets = {**FLOP, "board": "Qs Jh 2h 7c", "bets": "50%,100%", "raises": "100%", "cap": 2}
    whole_tree = spot(**bets)
    text = tmp_path / "tree.txt"
    text.write_text("\n".join(line for line in format_tree_lines(whole_tree.tree) if "bet 100" not in line))
    edited = spot(**bets, tree_file=text)
    whole = zerosum.solve(edited, iterations=12)
    zerosum.solve(edited, iterations=5, out=tmp_path / "run")
    text.unlink()
    again = zerosum.resume(tmp_path / "run", iterations=12)
    assert again.curve[-1].exploitability == whole.curve[-1].exploitability
    assert again.value == whole.value
    for run in (again, zerosum.load(tmp_path / "run")):
        assert run.spot == edited
        assert run.at().actions == ("check", "bet 50")
        assert zerosum.diff(run, whole).moved == 0.0
    with pytest.raises(ZerosumError, match="the betting tree differs"):
        zerosum.diff(again, zerosum.solve(whole_tree, iterations=1))


@given(st.data())
def test_any_deletion_is_a_tree_or_a_sentence(data: st.DataObject) -> None:
    river = build_betting_tree(BettingAbstraction.parse("50%,allin", "100%", cap=3), 2, 100, 400)
    written = list(format_tree_lines(river))
    lines = [line for line in written if data.draw(st.booleans())]
    try:
        gone = find_removed_lines(river, lines)
    except ZerosumError:
        assert lines == []
        return
    edited = build_betting_tree(BettingAbstraction.parse("50%,allin", "100%", cap=3, without=gone), 2, 100, 400)
    assert list(format_tree_lines(edited)) == lines


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["check, check", "bet 75, call"], "no line 'bet 75'"),
        (["check"], "ends before"),
        (["check, check, check"], "continues after its end"),
        (["# nothing"], "no line left"),
        (["käse"], "no line 'käse'"),
    ],
)
def test_texts_that_are_no_part_of_the_tree(rows: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ZerosumError, match=message):
        find_removed_lines(build_betting_tree(BettingAbstraction.parse("50%", "none"), 2, 100, 400), rows)
    path = tmp_path / "tree.txt"
    path.write_text("\n".join(rows))
    with pytest.raises(ZerosumError, match=f"tree.txt: .*{message}"):
        spot("Qs Jh 2h 3c 4d", 100, 400, "TT+", "AK", "50%", "none", big_blind=10, tree_file=path)


def test_a_tree_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ZerosumError, match="cannot read the betting tree"):
        spot(**FLOP, tree_file=tmp_path / "nowhere.txt")


def test_a_tree_with_too_many_lines_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.holdem.betting.tree_text.MAX_LINES", 3)
    with pytest.raises(ZerosumError, match="too many to be written"):
        list(format_tree_lines(spot(**FLOP, tree="simple").tree))


def test_the_options_are_checked_like_any_others() -> None:
    assert isinstance(spot(**FLOP), Spot)
    with pytest.raises(TypeError, match="unexpected keyword argument 'bet'"):
        spot(**FLOP, bet="50%")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="multiple values"):
        spot("Qs Jh 2h", 100, 950, "TT+", "AK", "50%", bets="50%")
    with pytest.raises(TypeError, match="nothing more by position"):
        spot("Qs Jh 2h", 100, 950, "TT+", "AK", "50%", "100%", "50%")
