"""The page in a browser: build a spot, solve it, walk through it."""

from __future__ import annotations

import re
from typing import Any

import pytest

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="the page is driven by playwright: it is not here"
).expect


def test_build_solve_and_walk(tab: Any, served: str) -> None:
    tab.goto(served)
    board, solve = tab.locator("[name=board]"), tab.locator("button.primary")
    expect(board).to_have_value("Ks 7h 2d 9c 4s")
    board.fill("Ks 7h 2d 9c 4x")
    expect(tab.locator(".sentence")).to_contain_text("'4x'")
    expect(solve).to_be_disabled()
    board.fill("Ks 7h 2d 9c 4s")
    expect(solve).to_be_enabled()
    solve.click()
    expect(tab.locator("range-grid .cell.there").first).to_be_visible()
    expect(tab).to_have_url(re.compile(r"#/run/\d+$"))
    expect(tab.locator("run-strip .state")).to_have_text("solved")
    expect(tab.locator("run-strip .big")).to_contain_text("of the pot")
    steps = tab.locator("line-bar .step")
    expect(steps).to_have_count(1)
    tab.keyboard.press("1")
    expect(steps).to_have_count(2)
    tab.click("line-bar .step.now [data-action='bet 50']")
    expect(steps).to_have_count(3)
    expect(tab).to_have_url(re.compile(r"check,bet%2050$"))
    expect(tab.locator("hand-table tbody td").last).to_contain_text(re.compile(r"\d"))
    tab.keyboard.press("Backspace")
    expect(steps).to_have_count(2)
    tab.reload()
    expect(steps).to_have_count(2)
    tab.click("rue-shell nav a[data-page=home]")
    expect(tab.locator("run-card .state")).to_have_text("solved")
