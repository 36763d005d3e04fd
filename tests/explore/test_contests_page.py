"""Games in a browser: several algorithms side by side."""

from __future__ import annotations

import re
from typing import Any

import pytest

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="the page is driven by playwright: it is not here"
).expect
expect.set_options(timeout=30_000)


def test_choose_a_game_compare_algorithms_and_go_on(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/games")
    expect(tab).to_have_url(re.compile("#/games/leduc$"))
    run, rows, lines = tab.locator("game-chooser .primary"), tab.locator("curve-table tbody tr"), "path[data-line]"
    expect(tab.locator("game-chooser .facts")).to_contain_text("936")
    tab.fill("[name=game]", "liars-dice(dice=2)")
    expect(tab.locator("game-chooser .sentence")).to_contain_text("1.4 TB")
    expect(run).to_be_disabled()
    tab.locator("game-chooser select").select_option("kuhn")
    expect(tab.locator("game-chooser .facts")).to_contain_text("12")
    tab.fill("[name='parameter ranks']", "4")
    expect(tab.locator("[name=game]")).to_have_value("kuhn(ranks=4)")
    tab.fill("[name=algorithm]", "mccfr(")
    tab.click("game-chooser >> text=Add")
    expect(tab.locator("game-chooser .chip.wrong")).to_have_count(1)
    expect(run).to_be_disabled()
    tab.locator(".chip.wrong button").click()
    tab.fill("[name=algorithm]", "mccfr")
    tab.keyboard.press("Enter")
    tab.fill("[name=iterations]", "200")
    expect(tab.locator("game-chooser .chip")).to_have_count(4)
    expect(run).to_be_enabled()
    run.click()
    expect(rows).to_have_count(4)
    expect(tab.locator("curve-table .state[data-state=done]")).to_have_count(4)
    expect(tab.locator(lines)).to_have_count(4)
    tab.click("[data-across=seconds]")
    expect(tab.locator("line-chart text", has_text="time (s)")).to_have_count(1)
    tab.locator("curve-table .line").first.click()
    expect(tab.locator(lines)).to_have_count(3)
    rows.nth(1).locator("text=More").click()
    expect(rows.nth(1).locator(".number").first).to_have_text("2,000")
    with tab.expect_download() as download:
        tab.click("text=Save CSV")
    assert download.value.path().read_text().startswith("game,algorithm,iteration")
    with tab.expect_download() as download:
        tab.click("text=Save SVG")
    assert download.value.path().read_text().startswith("<svg")
    tab.locator("curve-table [title^=Delete]").first.click()
    expect(rows).to_have_count(3)
    tab.fill("[name=iterations]", "1000000000")
    tab.wait_for_function("document.querySelector('game-chooser .primary').disabled === false")
    run.click()
    expect(tab.locator("curve-table .state[data-state=running]").first).to_be_visible()
    tab.click("text=Stop all")
    expect(tab.locator("curve-table .state[data-state=stopped]").first).to_be_visible()
    expect(tab.locator("curve-table .state[data-state=running]")).to_have_count(0)
