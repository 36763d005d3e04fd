"""Locks of the page: edits of a decision, a run with them, before and after."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from explorer_page import SPOT, Page
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.holdem.solution.hand_groups import group_by_class
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.files import spot_from_dict
from zerosum.holdem.study.lock_draft import HandEdit, draft_lock
from zerosum.support.errors import ZerosumError

ALL_CHECK = {"line": "check", "edits": [{"mix": {"check": 1}}]}


@pytest.fixture(scope="module")
def solved() -> SpotResult:
    result = zerosum.solve(spot_from_dict(SPOT), iterations=300)
    assert isinstance(result, SpotResult)
    return result


def test_later_edits_prevail_and_others_learn_or_stay(solved: SpotResult) -> None:
    every, aces, single = (
        HandEdit("", {"check": 0.5, "allin": 0.5}),
        HandEdit("AA", {"bet50": 1.0}),
        HandEdit("AhAd", {"check": 1.0}),
    )
    draft = draft_lock(solved, "check", [every, aces, single])
    assert draft.table.locked.all()
    assert draft.table.frequencies_of("AsAd") == {"check": 0, "bet 50": 1, "allin": 0}
    assert draft.table.frequencies_of("AdAh") == {"check": 1, "bet 50": 0, "allin": 0}
    assert draft.table.frequencies_of("6s5s") == {"check": 0.5, "bet 50": 0, "allin": 0.5}
    learning = draft_lock(solved, "check", [aces])
    assert learning.table.locked.sum() == 6
    kept_draft = draft_lock(solved, "check", [aces], keep=True)
    assert kept_draft.table.locked.all()
    assert (
        kept_draft.table.frequencies_of("6s5s")
        == solved.at("check").frequencies_of("6s5s")
        == learning.table.frequencies_of("6s5s")
    )
    assert kept_draft.text == "check: @AA: bet50 100%; the others as they were solved"


def test_the_cost_of_an_edit_agrees_with_the_evs(solved: SpotResult) -> None:
    before = solved.at("check")
    worst = before.action_ev.argmin(axis=0)
    edits = [
        HandEdit(zerosum.holdem.cards.cards.hand_name(int(hand)), {before.actions[worst[k]]: 1.0})
        for k, hand in enumerate(before.hand)
    ]
    draft = draft_lock(solved, "check", edits)
    lost = (before.ev - before.action_ev.min(axis=0)) @ before.deals / before.deals.sum()
    assert draft.ev_cost == pytest.approx(float(lost))
    assert draft_lock(solved, "check", [], keep=True).ev_cost == pytest.approx(0.0)


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 1), st.booleans())
def test_the_whole_range_takes_an_action_with_the_requested_frequency(
    solved: SpotResult, share: float, keep: bool
) -> None:
    draft = draft_lock(solved, "check", [HandEdit("overall", {"check": share})], keep)
    assert draft.table.frequencies["check"] == pytest.approx(share, abs=1e-9)
    np.testing.assert_allclose(draft.strategy.sum(axis=0), 1)
    first = HandEdit("AA", {"bet 50": 1.0})
    try:
        fixed = draft_lock(solved, "check", [first, HandEdit("overall", {"check": share})])
    except ZerosumError as error:
        assert "cannot make up for it" in str(error)
    else:
        assert fixed.table.frequencies["check"] == pytest.approx(share, abs=1e-9)
        assert fixed.table.frequencies_of("AhAs")["bet 50"] == 1


def test_edits_that_mean_nothing_get_a_sentence(solved: SpotResult) -> None:
    for edits, keep in ([], False), ([HandEdit("KQs", {"check": 1.0})], True), ([HandEdit("", {"check": 0.4})], False):
        with pytest.raises(ZerosumError):
            draft_lock(solved, "check", edits, keep)
    locked = zerosum.solve(spot_from_dict(SPOT), iterations=5, locks="check: check 100%")
    assert isinstance(locked, SpotResult)
    with pytest.raises(ZerosumError, match="has locks"):
        draft_lock(locked, "check", [], keep=True)


def test_a_locked_run_is_that_of_zerosum_solve_and_both_are_compared(opened: Callable[[], Page]) -> None:
    page = opened()
    key = page.solved()
    preview = page.ask("POST", f"runs/{key}/lock/preview", ALL_CHECK)
    assert [action["frequency"] for action in preview["decision"]["actions"]] == [1, 0, 0]
    assert all(preview["decision"]["columns"]["locked"])
    assert preview["ev_cost"] > 0
    run = page.ask("POST", f"runs/{key}/lock", {"locks": [ALL_CHECK], "iterations": 50})
    assert run["locks"] == ["check: @check 100%"]
    page.wait(run["id"], "done")
    before = zerosum.solve(spot_from_dict(SPOT), iterations=50)
    plain = zerosum.solve(spot_from_dict(SPOT), iterations=50, locks="check: check 100%", unlocked=before)
    assert isinstance(plain, SpotResult)
    for again in (page, opened()):
        runs = {run["name"]: run for run in again.ask("GET", "runs")}
        new, old = runs["small river, locked"], runs["small river"]
        assert new["value"] == plain.value
        comparison = again.ask("GET", f"runs/{new['id']}/compare?before={old['id']}&line=check,bet50")
        assert (comparison["before"]["ev_oop"], comparison["after"]["ev_oop"]) == (before.ev_oop, plain.ev_oop)
        assert comparison["price"] == json.loads(json.dumps(plain.price.to_json()))  # type: ignore[union-attr]
        assert comparison["price"]["loses"] == {"player 2": pytest.approx(plain.ev_oop - before.ev_oop)}
        assert comparison["after"]["range_evs"] is None
        first = again.ask("GET", f"runs/{new['id']}/compare?before={old['id']}&line=check")
        assert first["after"]["decision"]["actions"][0]["frequency"] == pytest.approx(1, abs=1e-12)
        classes = before.at("check").aggregate(group_by_class())
        checked = dict(zip(classes.name, classes.frequency[classes.actions.index("check")], strict=True))
        moved = dict(zip(first["changes"]["name"], first["changes"]["strategy_change"], strict=True))
        assert moved == {name: pytest.approx(1 - share, abs=1e-4) for name, share in checked.items()}
        assert "has locks" in again.refused("POST", f"runs/{new['id']}/lock/preview", ALL_CHECK)
        most = again.ask("GET", f"runs/{new['id']}/differences?before={old['id']}&line=")
        apart = zerosum.diff(before, plain, top=30)
        assert [row["line"] for row in most["rows"]] == [
            zerosum.holdem.betting.action_names.split_line(row.place["after"]) for row in apart.decisions
        ]
        assert most["moved"] == pytest.approx(apart.moved, abs=1e-6)


def test_locks_that_mean_nothing_are_refused(page: Page) -> None:
    key = page.solved()
    wrong: list[Any] = [
        {},
        {"line": "check"},
        {"line": "check", "edits": "all"},
        {"line": "check", "edits": ["all"]},
        {"line": "check", "edits": [{"hands": "AA"}]},
        {"line": "check", "edits": [{"mix": {"check": "1"}}]},
        {"line": "check", "edits": [{"mix": {"check": {"AA": 1}}}]},
        {"line": "check", "edits": [{"mix": {"check": 0.5}}]},
        {"line": "check", "edits": [{"mix": {}}]},
        {"line": "check", "edits": [{"mix": {"nothing": 1}}]},
        {"line": "check", "edits": [{"hands": "@/etc/passwd", "mix": {"check": 1}}]},
        {"line": "@/etc/passwd", "edits": [], "keep": True},
        {"line": "check,check", "edits": [], "keep": True},
        {"line": "check", "edits": [{"mix": {"check": 1}}] * 2000},
    ]
    for body in wrong:
        page.refused("POST", f"runs/{key}/lock/preview", body)
        page.refused("POST", f"runs/{key}/lock", {"locks": [body], "iterations": 2})
    assert "twice" in page.refused("POST", f"runs/{key}/lock", {"locks": [ALL_CHECK, ALL_CHECK]})
    assert "at least one" in page.refused("POST", f"runs/{key}/lock", {"locks": []})
    for what in ("compare", "differences"):
        assert "no run" in page.refused("GET", f"runs/{key}/{what}?before=77")
        assert "before" in page.refused("GET", f"runs/{key}/{what}")
        assert page.refused("GET", f"runs/{key}/{what}?before={key}&line=dance")
    other = page.solved(spot={**SPOT, "pot": 90})
    assert page.refused("GET", f"runs/{key}/compare?before={other}")
    game = page.ask("POST", "runs", {"game": "kuhn", "iterations": 2})["id"]
    page.wait(game, "done")
    assert "not a hold'em spot" in page.refused("GET", f"runs/{key}/compare?before={game}")
    assert len(page.ask("GET", "runs")) == 3
    endless = page.ask("POST", "runs", {"spot": SPOT, "seconds": 600})["id"]
    assert "still running" in page.refused("POST", f"runs/{endless}/lock", {"locks": [ALL_CHECK]})


def test_after_a_card_of_an_interchangeable_suit_a_lock_equals_its_text() -> None:
    spot = spot_from_dict({**SPOT, "board": "Ks 7s 2s 9s", "oop": "KK,QJs,A7o", "ip": "AA,99,T8s"})
    before = zerosum.solve(spot, iterations=60)
    assert isinstance(before, SpotResult)
    edited = draft_lock(before, "check check 4h", [HandEdit("", {"check": 1.0}), HandEdit("KdKc", {"allin": 1.0})])
    others = [zerosum.holdem.cards.cards.hand_name(int(hand)) for hand in edited.before.hand]
    others.remove("KdKc")
    text = f"check check 4h: KdKc: allin 100%; {', '.join(others)}: check 100%"
    by_edits = zerosum.solve(spot, iterations=60, locks=edited.lock, unlocked=before)
    by_text = zerosum.solve(spot, iterations=60, locks=text)
    assert isinstance(by_edits, SpotResult)
    assert isinstance(by_text, SpotResult)
    assert (by_edits.value, by_edits.solution.tree.suits) == (by_text.value, by_text.solution.tree.suits)
    assert by_edits.at("check check 4h").frequencies_of("KdKc")["allin"] == 1
    assert by_edits.at("check check 4d").frequencies_of("KhKc")["allin"] != 1
    assert by_edits.price is not None
    assert by_edits.price.loses.keys() == {1}
