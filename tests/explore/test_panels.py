"""The panels of the page in a browser: lock and compare, train, runouts and reports."""

from __future__ import annotations

import re
from typing import Any

import pytest
from explorer_page import SPOT, solved

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="the page is driven by playwright: it is not here"
).expect
expect.set_options(timeout=30_000)


def test_a_decision_is_edited_locked_solved_again_and_compared(tab: Any, served: str) -> None:
    key = solved(served, SPOT)
    tab.goto(f"{served}#/run/{key}/check")
    tab.click("[data-tab=lock]")
    editor, told = tab.locator("lock-editor"), tab.locator("lock-editor p[role=status]")
    first = tab.locator("action-bar tbody tr").first.locator("td").nth(2)
    editor.locator("[data-mix=check]").fill("100")
    editor.locator("[data-mix=check]").blur()
    expect(editor.locator("[data-mix=allin]")).to_have_value("0")
    editor.locator("[data-do=set]").click()
    expect(told).to_contain_text("17 of 17 hands are locked: costs")
    expect(first).to_have_text("100.0%")
    tab.click("range-grid .cell[data-cell='0']")
    expect(editor.locator("[data-scope=class]")).to_have_text("AA")
    expect(editor.locator("[data-mix=check]")).to_have_value("100")
    editor.locator("[data-mix=allin]").fill("100")
    editor.locator("[data-mix=allin]").blur()
    editor.locator("[data-do=set]").click()
    expect(first).not_to_have_text("100.0%")
    editor.locator("[data-scope=hand]").click()
    editor.locator("select[aria-label=hand]").select_option("AhAd")
    editor.locator("[data-mix=check]").fill("100")
    editor.locator("[data-mix=check]").blur()
    editor.locator("[data-do=set]").click()
    expect(editor.locator(".locks li")).to_contain_text("check: check 100%; AA: allin 100%; AhAd: check 100%")
    editor.locator("[data-do=undo]").click()
    expect(editor.locator(".locks li a")).to_have_text("check: check 100%; AA: allin 100%")
    tab.click("[data-tab=hands]")
    expect(first).not_to_have_text("100.0%")
    tab.click("[data-tab=lock]")
    editor.locator("[name=until]").fill("1")
    editor.locator("[data-do=solve]").click()
    expect(tab.locator("run-strip h1")).to_have_text("small river, locked")
    expect(tab.locator("run-strip .state")).to_have_text("solved")
    expect(tab.locator("run-compare [data-test=price]")).to_contain_text("IP loses")
    expect(tab.locator("run-compare .small-cells")).to_have_count(2)
    row = tab.locator("run-compare tbody tr", has_text="Check").first
    expect(row.locator("td").nth(3)).to_have_text(re.compile(r"^\W\d+\.\d%$"))
    expect(tab.locator("run-compare .scroll tbody tr").first).to_contain_text("%")
    tab.click("[data-tab=lock]")
    expect(told).to_contain_text("has locks already")
