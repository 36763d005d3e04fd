"""Locks of the page: what edits make of a decision, a run with them, before and after."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from explorer_page import SPOT, Page
from hypothesis import given, settings
from hypothesis import strategies as st

import rue
from rue.errors import RueError
from rue.holdem.files import from_mapping
from rue.problems.spot_edits import Edit, EditedDecision
from rue.results.spot import SpotResult

ALL_CHECK = {"line": "check", "edits": [{"mix": {"check": 1}}]}


@pytest.fixture(scope="module")
def solved() -> SpotResult:
    found = rue.solve(from_mapping(SPOT), iterations=300)
    assert isinstance(found, SpotResult)
    return found


def test_later_edits_prevail_and_others_learn_or_stay(solved: SpotResult) -> None:
    every, aces, one = Edit("", {"check": 0.5, "allin": 0.5}), Edit("AA", {"bet50": 1.0}), Edit("AhAd", {"check": 1.0})
    found = EditedDecision.of(solved, "check", [every, aces, one])
    assert found.locked.all()
    assert found.point.hand("AsAd") == {"check": 0, "bet 50": 1, "allin": 0}
    assert found.point.hand("AdAh") == {"check": 1, "bet 50": 0, "allin": 0}
    assert found.point.hand("6s5s") == {"check": 0.5, "bet 50": 0, "allin": 0.5}
    learning = EditedDecision.of(solved, "check", [aces])
    assert learning.locked.sum() == 6
    kept = EditedDecision.of(solved, "check", [aces], keep=True)
    assert kept.locked.all()
    assert kept.point.hand("6s5s") == solved.at("check").hand("6s5s") == learning.point.hand("6s5s")
    assert kept.told == "check: @AA: bet50 100%; the others as they were solved"


def test_what_an_edit_costs_is_what_evs_say(solved: SpotResult) -> None:
    before = solved.at("check")
    worst = before.evs.argmin(axis=0)
    edits = [
        Edit(rue.holdem.cards.hand_name(int(hand)), {before.actions[worst[k]]: 1.0})
        for k, hand in enumerate(before.hands)
    ]
    found = EditedDecision.of(solved, "check", edits)
    lost = (before.ev - before.evs.min(axis=0)) @ before.likelihood / before.likelihood.sum()
    assert found.costs == pytest.approx(float(lost))
    assert EditedDecision.of(solved, "check", [], keep=True).costs == pytest.approx(0.0)


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 1), st.booleans())
def test_the_whole_range_takes_an_action_as_often_as_asked(solved: SpotResult, share: float, keep: bool) -> None:
    found = EditedDecision.of(solved, "check", [Edit("overall", {"check": share})], keep)
    assert found.point.frequencies["check"] == pytest.approx(share, abs=1e-9)
    np.testing.assert_allclose(found.chances.sum(axis=0), 1)
    first = Edit("AA", {"bet 50": 1.0})
    try:
        fixed = EditedDecision.of(solved, "check", [first, Edit("overall", {"check": share})])
    except RueError as error:
        assert "cannot make up for it" in str(error)
    else:
        assert fixed.point.frequencies["check"] == pytest.approx(share, abs=1e-9)
        assert fixed.point.hand("AhAs")["bet 50"] == 1


def test_edits_that_mean_nothing_get_a_sentence(solved: SpotResult) -> None:
    for edits, keep in ([], False), ([Edit("KQs", {"check": 1.0})], True), ([Edit("", {"check": 0.4})], False):
        with pytest.raises(RueError):
            EditedDecision.of(solved, "check", edits, keep)
    locked = rue.solve(from_mapping(SPOT), iterations=5, locks="check: check 100%")
    assert isinstance(locked, SpotResult)
    with pytest.raises(RueError, match="has locks"):
        EditedDecision.of(locked, "check", [], keep=True)


def test_a_locked_run_is_that_of_rue_solve_and_both_are_compared(opened: Callable[[], Page]) -> None:
    page = opened()
    key = page.solved()
    shown = page.ask("POST", f"runs/{key}/edited", ALL_CHECK)
    assert [choice["frequency"] for choice in shown["decision"]["choices"]] == [1, 0, 0]
    assert set(shown["locked"]) == set(shown["decision"]["hands"]["name"])
    assert shown["costs"] > 0
    made = page.ask("POST", f"runs/{key}/lock", {"locks": [ALL_CHECK], "iterations": 50})
    assert made["locks"] == ["check: @check 100%"]
    page.wait(made["id"], "done")
    before = rue.solve(from_mapping(SPOT), iterations=50)
    plain = rue.solve(from_mapping(SPOT), iterations=50, locks="check: check 100%", unlocked=before)
    assert isinstance(plain, SpotResult)
    for again in (page, opened()):
        runs = {run["name"]: run for run in again.ask("GET", "runs")}
        new, old = runs["small river, locked"], runs["small river"]
        assert new["value"] == plain.value
        found = again.ask("GET", f"runs/{new['id']}/compare?before={old['id']}&line=check,bet50")
        assert (found["before"]["ev_oop"], found["after"]["ev_oop"]) == (before.ev_oop, plain.ev_oop)
        assert found["price"] == json.loads(json.dumps(plain.price.content()))  # type: ignore[union-attr]
        assert found["price"]["loses"] == {"player 2": pytest.approx(plain.ev_oop - before.ev_oop)}
        assert found["after"]["here"] is None
        first = again.ask("GET", f"runs/{new['id']}/compare?before={old['id']}&line=check")
        assert first["after"]["decision"]["choices"][0]["frequency"] == pytest.approx(1, abs=1e-12)
        by_hand = {each.name: each.strategy for each in rue.views.decision.DecisionView.of(before, "check").classes}
        moved = dict(zip(first["moved"]["name"], first["moved"]["moved"], strict=True))
        assert moved == {name: pytest.approx(1 - mix["check"], abs=1e-4) for name, mix in by_hand.items()}
        assert "has locks" in again.refused("POST", f"runs/{new['id']}/edited", ALL_CHECK)
        most = again.ask("GET", f"runs/{new['id']}/differences?before={old['id']}&line=")
        apart = rue.diff(before, plain, top=30)
        assert [row["line"] for row in most["rows"]] == [
            rue.holdem.words.words(row.place["after"]) for row in apart.decisions
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
    for each in wrong:
        page.refused("POST", f"runs/{key}/edited", each)
        page.refused("POST", f"runs/{key}/lock", {"locks": [each], "iterations": 2})
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
    assert "on its way" in page.refused("POST", f"runs/{endless}/lock", {"locks": [ALL_CHECK]})


def test_after_a_card_of_an_interchangeable_suit_a_lock_means_what_it_does_in_a_text() -> None:
    spot = from_mapping({**SPOT, "board": "Ks 7s 2s 9s", "oop": "KK,QJs,A7o", "ip": "AA,99,T8s"})
    before = rue.solve(spot, iterations=60)
    assert isinstance(before, SpotResult)
    edited = EditedDecision.of(before, "check check 4h", [Edit("", {"check": 1.0}), Edit("KdKc", {"allin": 1.0})])
    others = [rue.holdem.cards.hand_name(int(hand)) for hand in edited.before.hands]
    others.remove("KdKc")
    text = f"check check 4h: KdKc: allin 100%; {', '.join(others)}: check 100%"
    one = rue.solve(spot, iterations=60, locks=edited.lock, unlocked=before)
    two = rue.solve(spot, iterations=60, locks=text)
    assert isinstance(one, SpotResult)
    assert isinstance(two, SpotResult)
    assert (one.value, one.solution.tree.suits) == (two.value, two.solution.tree.suits)
    assert one.at("check check 4h").hand("KdKc")["allin"] == 1
    assert one.at("check check 4d").hand("KhKc")["allin"] != 1
    assert one.price is not None
    assert one.price.loses.keys() == {1}
