"""The panels of the page in a browser: lock and compare, train, runouts and reports."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from explorer_page import SPOT, solved

import zerosum
from zerosum.holdem.spots.files import spot_from_dict

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="the page is driven by playwright: it is not here"
).expect


def test_a_decision_is_edited_locked_solved_again_and_compared(tab: Any, served: str) -> None:
    key = solved(served, SPOT)
    tab.goto(f"{served}#/run/{key}/check")
    tab.click("[data-tab=lock]")
    editor, status = tab.locator("lock-editor"), tab.locator("lock-editor p[role=status]")
    first = tab.locator("action-bar tbody tr").first.locator("td").nth(2)
    editor.locator("[data-mix=check]").fill("100")
    editor.locator("[data-mix=check]").blur()
    expect(editor.locator("[data-mix=allin]")).to_have_value("0")
    editor.locator("[data-do=set]").click()
    expect(status).to_contain_text("17 of 17 hands are locked: costs")
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
    expect(tab.locator("run-header h1")).to_have_text("small river, locked")
    expect(tab.locator("run-header .state")).to_have_text("solved")
    expect(tab.locator("run-comparison [data-test=price]")).to_contain_text("The locks cost IP")
    expect(tab.locator("run-comparison .small-cells")).to_have_count(2)
    row = tab.locator("run-comparison tbody tr", has_text="Check").first
    expect(row.locator("td").nth(3)).to_have_text(re.compile(r"^\W\d+\.\d%$"))
    expect(tab.locator("run-comparison .scroll tbody tr").first).to_contain_text("%")
    tab.click("run-comparison [data-do=differences]")
    expect(tab.locator("run-comparison").get_by_text("of play from here on differs")).to_be_visible()
    expect(tab.locator("run-comparison a", has_text="check").first).to_be_visible()
    tab.click("[data-tab=lock]")
    expect(status).to_contain_text("already has locks")


def test_hands_are_played_against_the_solution_and_graded(tab: Any, served: str) -> None:
    key = solved(served, {**SPOT, "board": "Ks 7h 2d 9c", "name": "turn to train"})
    tab.goto(f"{served}#/run/{key}/check")
    held: list[Any] = []
    tab.route("**/training", lambda route: held.append(route) if route.request.method == "GET" else route.continue_())
    tab.click("page-run a.button >> text=Train")
    expect(tab).to_have_url(re.compile(rf"#/train/{key}/check$"))
    expect(tab.locator("[name=line]")).to_have_value("check")
    tab.locator("[name=seat]").select_option("ip")
    tab.click("[data-do=start]")  # before the page knows whether there is a training: it is not lost
    for route in held:
        route.continue_()
    tab.unroute("**/training")
    answers, following = tab.locator("training-hand .answers button"), tab.locator("training-hand [data-do=next]")
    count = tab.locator("training-score [data-score=answers]")
    expect(answers.first).to_be_visible()
    expect(tab.locator("training-hand h2").first).to_have_text("You are IP")
    expect(tab.locator("training-hand .hole-cards playing-card")).to_have_count(2)
    expect(tab.locator("training-hand .grade")).to_be_hidden()
    for number in range(1, 7):
        expect(answers.first.or_(following)).to_be_visible()
        if following.is_visible():
            tab.keyboard.press("Enter")
            expect(answers.first).to_be_visible()
        if number % 2:
            tab.keyboard.press("1")
        else:
            answers.last.click()
        expect(count).to_have_text(str(number))
        expect(tab.locator("training-hand .grade h2")).to_have_text(
            re.compile("is (right|inaccurate|a mistake|a blunder)")
        )
    expect(tab.locator("training-hand tr.chosen")).to_contain_text("your answer")
    expect(tab.locator("training-score path.line")).to_have_count(1)
    expect(tab.locator("training-score tbody tr").first).to_contain_text("check")
    tab.click("training-score [data-table=classes]")
    expect(tab.locator("training-score th").first).to_have_text("class")
    tab.click("training-score [data-table=mistakes]")
    expect(tab.locator("training-score .scroll a, training-score .scroll p").first).to_be_visible()
    tab.reload()
    expect(count).to_have_text("6")
    tab.fill("[name=line]", "check, dance")
    tab.click("[data-do=start]")
    expect(tab.locator("page-train > .message")).to_contain_text("no 'dance'")


def test_runouts_and_reports_are_drawn_and_sorted(tab: Any, served: str) -> None:
    spot = {**SPOT, "board": "Ks 7h 2d 9c", "name": "turn with rivers"}
    key = solved(served, spot)
    tab.goto(f"{served}#/run/{key}/check,check")
    bars, rows = tab.locator("report-view:visible .bar"), tab.locator("report-view:visible tbody tr:not(.mean)")
    expect(tab.locator("runout-report:visible h2")).to_have_text("On every river")
    expect(bars).to_have_count(0)
    tab.click("runout-report:visible [data-do=fold]")
    expect(bars).to_have_count(48)
    tab.click("report-view:visible [data-mode=equity_oop]")
    expect(tab.locator("report-view:visible rect.side-oop")).to_have_count(48)
    tab.click("report-view:visible [data-key=ev_oop]")
    expect(tab.locator("report-view:visible th[aria-sort=descending]")).to_have_text("EV OOP ▾")
    best = rows.first.get_attribute("data-name")
    rows.first.locator("button").click()
    expect(tab).to_have_url(re.compile(f"check,check,{best}$"))
    tab.click("[data-tab=runouts]")
    expect(tab.locator("runout-report:visible h2")).to_have_text("On every river")
    expect(rows).to_have_count(48)
    tab.click("line-bar .step.current [data-action=check]")
    expect(tab).to_have_url(re.compile(f"check,check,{best},check$"))
    expect(tab.locator("report-view:visible .legend")).to_contain_text("in position to act")
    tab.goto(f"{served}#/run/{key}")
    expect(tab.locator("runout-report:visible p")).to_contain_text("No card has been dealt yet")

    tab.click("app-shell nav a[data-page=reports]")
    expect(tab.locator("page-reports pre")).to_contain_text("zerosum report spot:flop --flops 25")
    with urllib.request.urlopen(f"{served}api/state") as answer:
        folder = Path(json.load(answer)["folder"]) / "rivers"
    folder.mkdir()
    report = zerosum.report(zerosum.solve(spot_from_dict(spot), iterations=50), line="check check")
    (folder / "report.json").write_text(json.dumps(report.content()))
    tab.goto(f"{served}#/reports/rivers")
    expect(bars).to_have_count(48)
    tab.click("report-view:visible [data-key=equity_ip]")
    largest = np.nanmax(report.rows.equity_ip)
    expect(rows.first).to_contain_text(f"{100 * largest:.1f}%")
    tab.goto(f"{served}#/reports/nothing")
    expect(tab.locator("page-reports > .message")).to_contain_text("no report called 'nothing'")
