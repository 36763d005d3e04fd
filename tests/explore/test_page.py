"""The page in a browser: build a spot, solve it, walk through it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rue.holdem.cards import parse_board
from rue.holdem.files import from_mapping, mapping_of

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="the page is driven by playwright: it is not here"
).expect


def test_build_solve_and_walk(tab: Any, served: str) -> None:
    tab.goto(served)
    board, solve = tab.locator("[name=board]"), tab.locator("button.primary")
    expect(board).to_have_value("Ks 7h 2d 9c 4s")
    board.fill("Ks 7h 2d 9c 4x")
    expect(tab.locator("spot-facts .sentence")).to_contain_text("'4x'")
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


def test_a_spot_is_built_by_clicking_and_shared(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/build")
    board, solve = tab.locator("[name=board]"), tab.locator("button.primary")
    expect(board).to_have_value("Ks 7h 2d 9c 4s")
    tab.click("card-picker [data-card='4s']")
    tab.click("card-picker [data-card='Ah']")
    expect(board).to_have_value("Ks 7h 2d 9c Ah")
    painter = tab.locator("range-painter[data-player=oop]")
    text = painter.locator("textarea")
    expect(text).to_have_value("KK,A7s,QJs")
    painter.locator(".cell[data-cell='0']").click()
    expect(text).to_have_value("KK+,A7s,QJs")
    painter.locator("input[aria-label='weight of the brush']").fill("50")
    painter.locator(".cell[data-cell='14']").click()
    expect(text).to_have_value("AA,KK:0.5,A7s,QJs")
    painter.locator("[data-suit=h]").click()
    painter.locator(".cell[data-cell='1']").click()
    expect(text).to_have_value("AA,KK:0.5,A7s,QJs,AhKh:0.5")
    painter.locator(".cell[data-cell='1']").click(button="right")
    painter.locator("combo-picker [data-hand=AsKs]").click()
    expect(text).to_have_value("AA,KK:0.5,A7s,QJs,AhKh:0.5,AsKs:0.5")
    other = tab.locator("range-painter[data-player=ip]")
    other.locator("input[aria-label='the best hands, in percent']").fill("5")
    expect(other.locator("textarea")).to_have_value("77+,AJs+")
    other.locator("textarea").fill("AA,99,nonsense")
    expect(other.locator(".bad")).to_contain_text("nonsense")
    expect(solve).to_be_disabled()
    other.locator("textarea").fill("AA,99")
    expect(solve).to_be_enabled()
    tab.locator("[data-street=river][data-player=ip][data-kind=bets]").fill("75%")
    expect(tab).to_have_url(re.compile(r"#/build/[\w-]+$"))
    tab.wait_for_timeout(400)
    tab.reload()
    expect(board).to_have_value("Ks 7h 2d 9c Ah")
    expect(text).to_have_value("AA,KK:0.5,A7s,QJs,AhKh:0.5,AsKs:0.5")
    expect(tab.locator("[data-street=river][data-player=ip][data-kind=bets]")).to_have_value("75%")
    expect(tab.locator("[data-street=river][data-player=oop][data-kind=bets]")).to_have_value("50%,allin")
    link = tab.evaluate("location.origin + '/' + location.hash")
    tab.goto(link)
    expect(board).to_have_value("Ks 7h 2d 9c Ah")
    tab.once("dialog", lambda dialog: dialog.accept("my spot"))
    tab.click("spot-menu button >> nth=0")
    expect(tab.locator("spot-menu [role=status]")).to_have_text("saved as my spot.toml")
    tab.once("dialog", lambda dialog: dialog.accept("tight"))
    other.locator("range-shelf select").select_option("+")
    other.locator("textarea").fill("22+")
    other.locator("range-shelf select").select_option("=tight")
    expect(other.locator("textarea")).to_have_value("AA,99")
    tab.locator("spot-menu select").select_option("bundled flop")
    expect(board).to_have_value("Jd 7d 3s")
    tab.locator("spot-menu select").select_option("saved my spot")
    expect(board).to_have_value("Ks 7h 2d 9c Ah")
    with tab.expect_download() as download:
        tab.click("spot-menu button >> nth=2")
    assert from_mapping(mapping_of(download.value.path().read_text())).board == parse_board("Ks 7h 2d 9c Ah")
    tab.click("card-picker [data-random='3']")
    expect(tab.locator("card-picker .deck [aria-pressed=true]")).to_have_count(3)
