"""The page in a browser: build a spot, solve it, walk through it."""

from __future__ import annotations

import itertools
import json
import re
import urllib.request
from typing import Any

import pytest
from explorer_page import SPOT, solved

from zerosum.holdem.cards.cards import parse_board
from zerosum.holdem.spots.files import parse_spot_text, spot_from_dict

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="the page is driven by playwright: it is not here"
).expect


def test_build_solve_and_walk(tab: Any, served: str) -> None:
    tab.goto(served)
    board, solve = tab.locator("[name=board]"), tab.locator("button.primary")
    expect(board).to_have_value("Ks 7h 2d 9c 4s")
    board.fill("Ks 7h 2d 9c 4x")
    expect(tab.locator("spot-cost .message")).to_contain_text("'4x'")
    expect(solve).to_be_disabled()
    board.fill("Ks 7h 2d 9c 4s")
    expect(solve).to_be_enabled()
    solve.click()
    expect(tab.locator("range-grid .cell.in-range").first).to_be_visible()
    expect(tab).to_have_url(re.compile(r"#/run/[0-9a-f]{8}$"))
    expect(tab.locator("run-header .state")).to_have_text("solved")
    expect(tab.locator("run-header .big")).to_contain_text("of the pot")
    steps = tab.locator("line-bar .step")
    expect(steps).to_have_count(1)
    expect(tab.locator("line-bar .start")).to_have_text("River" + "K♠7♥2♦9♣4♠")
    tab.keyboard.press("1")
    expect(steps).to_have_count(2)
    tab.click("line-bar .step.current [data-action='bet 50']")
    expect(steps).to_have_count(3)
    expect(tab).to_have_url(re.compile(r"check,bet%2050$"))
    expect(tab.locator("hand-table tbody td").last).to_contain_text(re.compile(r"\d"))
    tab.keyboard.press("Backspace")
    expect(steps).to_have_count(2)
    tab.reload()
    expect(steps).to_have_count(2)
    tab.click("app-shell nav a[data-page=home]")
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
    other.locator("input[aria-label='best hands, in percent']").fill("5")
    expect(other.locator("textarea")).to_have_value("77+,AJs+")
    other.locator("textarea").fill("AA,99,nonsense")
    expect(other.locator(".bad")).to_contain_text("nonsense")
    expect(solve).to_be_disabled()
    other.locator("textarea").fill("AA,99")
    expect(solve).to_be_enabled()
    expect(tab).to_have_url(re.compile(r"#/build/[\w-]+$"))
    before = tab.url
    tab.locator("[data-street=river][data-player=ip][data-kind=bets]").fill("75%")
    expect(tab).not_to_have_url(before)
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
    other.locator("saved-ranges select").select_option("+")
    other.locator("textarea").fill("22+")
    other.locator("saved-ranges select").select_option("=tight")
    expect(other.locator("textarea")).to_have_value("AA,99")
    tab.locator("spot-menu select").select_option("bundled flop")
    expect(board).to_have_value("Jd 7d 3s")
    tab.locator("spot-menu select").select_option("saved my spot")
    expect(board).to_have_value("Ks 7h 2d 9c Ah")
    with tab.expect_download() as download:
        tab.click("spot-menu button >> nth=2")
    assert spot_from_dict(parse_spot_text(download.value.path().read_text())).board == parse_board("Ks 7h 2d 9c Ah")
    tab.locator("[name=rake]").fill("5%")
    tab.locator("[name=tree]").select_option("simple")
    expect(tab.locator("[data-street=river][data-player=oop][data-kind=raises]")).to_have_value("60%")
    expect(tab.locator("bet-size-editor [name=cap]")).to_have_value("2")
    expect(tab.locator("[name=rake]")).to_have_value("0.05")
    tab.click("card-picker [data-random='3']")
    expect(tab.locator("card-picker .deck [aria-pressed=true]")).to_have_count(3)


HOLD = """(part) => {
  const fetchNow = window.fetch;
  const released = new Promise((done) => (window.release = done));
  window.fetch = async (path, options) => {
    const answer = await fetchNow(path, options);
    if (!`${path} ${options.body}`.includes(part)) return answer;
    document.body.dataset.arrived = "yes";
    await released;
    return answer;
  };
}"""
"""Answers to requests with a part such as `evs=1` arrive, and wait inside the page until they are released."""


def test_a_range_is_painted_only_after_its_text_was_parsed(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/home")
    expect(tab.locator("page-home")).to_be_visible()
    tab.evaluate(HOLD, '{"text":"KK')
    tab.evaluate("() => (location.hash = '#/build')")
    expect(tab.locator("body[data-arrived]")).to_have_count(1)
    painter = tab.locator("range-painter[data-player=oop]")
    box = painter.locator(".cell[data-cell='0']").bounding_box()
    tab.mouse.click(box["x"] + 5, box["y"] + 5)
    tab.evaluate("() => window.release()")
    expect(painter.locator("textarea")).to_have_value("KK+,A7s,QJs")


def test_a_walk_with_keys_cards_tables_and_ranges(tab: Any, served: str) -> None:
    key = solved(served, {**SPOT, "board": "Ks 7h 2d 9c", "name": "small turn"})
    urls: list[str] = []
    tab.on("request", lambda request: urls.append(request.url))
    with tab.expect_response(re.compile(r"walk\?line=allin&evs=0")):  # where actions lead is asked for ahead
        tab.goto(f"{served}#/run/{key}")
    tab.keyboard.press("1")
    expect(tab).to_have_url(re.compile("/check$"))
    expect(tab.locator("line-bar .step")).to_have_count(2)
    assert sum("walk?line=check&evs=0" in url for url in urls) == 1
    tab.keyboard.press("Backspace")
    steps, grid = tab.locator("line-bar .step"), tab.locator("range-grid .cell.in-range")
    expect(steps).to_have_count(1)
    tab.keyboard.press("ArrowRight")
    expect(steps).to_have_count(2)
    tab.keyboard.press("ArrowLeft")
    expect(steps).to_have_count(1)
    for line in ("", "check"):  # what was shown is remembered
        assert sum(f"walk?line={line}&evs=0" in url for url in urls) == 1
    tab.keyboard.press("1")
    tab.keyboard.press("1")
    expect(tab.locator("next-card-picker button:enabled .mix:visible")).to_have_count(48)
    tab.click("next-card-picker [data-mode=equity]")
    expect(tab.locator("next-card-picker [data-card='Ah'] span")).to_have_text(re.compile(r"^\d+\.\d%$"))
    expect(tab.locator("range-comparison:visible .ranges path.line")).to_have_count(2)
    tab.click("next-card-picker [data-card='4s']")
    expect(tab).to_have_url(re.compile("check,check,4s$"))
    expect(grid.first).to_be_visible()
    tab.keyboard.press("ArrowLeft")
    expect(tab.locator("next-card-picker")).to_be_visible()
    tab.keyboard.press("ArrowRight")
    expect(tab).to_have_url(re.compile("check,check,4s$"))
    rows = tab.locator("hand-table tbody tr")
    expect(rows).to_have_count(10)
    tab.click("hand-table [data-key=ev]")
    expect(tab.locator("hand-table th[aria-sort=descending]")).to_have_text("EV ▾")
    expect(rows.first).to_have_attribute("data-hand", re.compile("^K.K.$"))
    tab.click("hand-table [data-key=ev]")
    expect(rows.last).to_have_attribute("data-hand", re.compile("^K.K.$"))
    tab.fill("hand-table input", "sets")
    expect(rows).to_have_count(3)
    tab.fill("hand-table input", "seds")
    expect(tab.locator("hand-table .bad")).to_contain_text("seds")
    tab.fill("hand-table input", "")
    expect(rows).to_have_count(10)
    tab.locator("range-grid .cell", has_text="QJs").click()
    expect(rows).to_have_count(4)
    tab.hover("range-grid .cell[data-cell='14']")
    expect(tab.locator("combo-popup .combo")).to_have_count(3)
    tab.keyboard.press("1")
    tab.keyboard.press("2")
    expect(tab.locator("combo-popup .legend")).to_contain_text("Fold")
    tab.keyboard.press("Backspace")
    tab.keyboard.press("Backspace")
    expect(tab.locator("combo-popup .legend")).not_to_contain_text("Fold")
    tab.keyboard.press("Escape")
    expect(rows).to_have_count(10)
    tab.click("action-bar [data-mode=ev]")
    expect(tab.locator("range-grid .cell[data-cell='14'] span")).to_have_text(re.compile(r"\d"))
    tab.click("action-bar [data-mode=equity]")
    expect(tab.locator("range-grid .cell[data-cell='14'] span")).to_have_text(re.compile(r"^\d+$"))
    tab.click("[data-tab=groups]")
    expect(tab.locator("hand-group-table tbody")).to_have_count(2)
    tab.click("[data-tab=ranges]")
    expect(tab.locator("tab-panel range-comparison .bar")).to_have_count(20)
    for kind in ("svg", "png"):
        with tab.expect_download() as download:
            tab.locator("copy-menu select").select_option(kind)
        assert download.value.path().stat().st_size > 2000
    tab.goto(f"{served}#/run/{key}/bet 50,fold")
    expect(steps.last).to_contain_text("OOP wins the pot")
    tab.goto(f"{served}#/run/{key}/bet 51")
    expect(tab.locator("page-run > .message")).to_contain_text("there is no 'bet 51' here")
    tab.goto(f"{served}#/run/9999")
    expect(tab.locator("page-run > .message")).to_contain_text("Run 9999 does not exist")


def test_a_long_table_is_drawn_where_it_is_seen_and_copied_whole(tab: Any, served: str) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    key = solved(served, {**SPOT, "oop": "22+,A2s+,K2s+,Q2s+", "name": "many hands"})
    tab.goto(f"{served}#/run/{key}")
    table, rows = tab.locator("hand-table table"), tab.locator("hand-table tbody tr[data-hand]")
    expect(rows.first).to_be_visible()
    whole = int(table.get_attribute("aria-rowcount"))
    assert rows.count() < 60 < whole
    tab.click("hand-table [data-key=ev]")
    expect(tab.locator("hand-table td.strong").first).to_contain_text(re.compile(r"\d"))
    best = rows.first.get_attribute("data-hand")
    tab.evaluate("document.querySelector('hand-table .scroll').scrollTop = 1e6")
    expect(rows.last).to_have_attribute("aria-rowindex", str(whole))
    worst = rows.last.get_attribute("data-hand")
    assert rows.count() < 60
    tab.focus("hand-table .scroll")
    tab.keyboard.press("Control+c")
    expect(tab.locator("hand-table .tools button")).to_have_text("copied")
    lines = [line.split("\t") for line in tab.evaluate("navigator.clipboard.readText()").split("\n")]
    assert len(lines) == whole
    assert len({len(line) for line in lines}) == 1
    assert [lines[1][0], lines[-1][0]] == [best, worst]
    column = lines[0].index("EV")
    earned = [float(line[column]) for line in lines[1:]]
    assert earned == sorted(earned, reverse=True)


def test_truncated_links_and_deleted_runs_are_reported(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/run/%E0%A4%A")
    expect(tab.locator("page-run > .message")).to_contain_text("Run %E0%A4%A does not exist")
    tab.goto(f"{served}#/build/cut")
    expect(tab.locator("spot-cost .message")).to_contain_text("the link is damaged")
    expect(tab.locator("[name=board]")).to_have_value("Ks 7h 2d 9c 4s")
    key = solved(served, SPOT)
    tab.goto(f"{served}#/run/{key}")
    expect(tab.locator("range-grid .cell.in-range").first).to_be_visible()
    tab.evaluate("(key) => fetch(`api/runs/${key}`, { method: 'DELETE' })", key)
    expect(tab.locator("page-run > .message")).to_contain_text(f"Run {key} does not exist any more")
    expect(tab.locator("range-grid")).to_be_hidden()
    expect(tab.locator("run-header")).to_be_hidden()


STILL = """async () => {
  window.release();
  const { walk } = await import(`${location.pathname}static/js/walk/walk_state.js`);
  await new Promise((done) => setTimeout(done));
  await new Promise((done) => setTimeout(done));
  return walk.get("view");
}"""


def test_an_answer_that_comes_after_its_run_was_deleted_brings_nothing_back(tab: Any, served: str) -> None:
    key = solved(served, SPOT)
    tab.goto(f"{served}#/home")
    expect(tab.locator("run-card").first).to_be_visible()
    tab.evaluate(HOLD, "evs=1")
    tab.evaluate("(key) => (location.hash = `#/run/${key}`)", key)
    expect(tab.locator("range-grid .cell.in-range").first).to_be_visible()
    expect(tab.locator("body[data-arrived]")).to_have_count(1)
    tab.evaluate("(key) => fetch(`api/runs/${key}`, { method: 'DELETE' })", key)
    expect(tab.locator("page-run > .message")).to_contain_text(f"Run {key} does not exist any more")
    assert tab.evaluate(STILL) is None
    expect(tab.locator("range-grid")).to_be_hidden()


def test_a_phone_shows_all_of_it_and_no_page_is_wider(tab: Any, served: str) -> None:
    key = solved(served, {**SPOT, "board": "Ks 7h 2d 9c", "name": "small turn"})
    there = {
        "home": "run-card",
        "build": "[name=board]",
        f"run/{key}/check": "hand-table input",
        f"run/{key}/check,check": "next-card-picker [data-card='Ah']",
        "games/kuhn": "game-form button.primary",
        "figures/dcfr-5": "figure-panel",
        f"train/{key}": "page-train button.primary",
        "reports": "page-reports pre",
    }
    for (address, element), width in itertools.product(there.items(), (390, 360)):
        tab.set_viewport_size({"width": width, "height": 844})
        tab.goto(f"{served}#/{address}")
        expect(tab.locator(element).first).to_be_visible()
        assert tab.evaluate("document.documentElement.scrollWidth") == width, address
        if address.startswith("run/"):
            expect(tab.locator("line-bar .step").first).to_be_visible()


def test_every_panel_shows_the_same_equity_of_a_class(tab: Any, served: str) -> None:
    key = solved(served, SPOT)
    with urllib.request.urlopen(f"{served}api/runs/{key}/walk?line=check,bet50&evs=1") as answer:
        classes = json.load(answer)["decision"]["groups"]["class"]
    with urllib.request.urlopen(f"{served}api/runs/{key}/ranges?line=check,bet50") as answer:
        ranges = json.load(answer)["sides"][0]["groups"]["class"]
    assert classes["name"] == ranges["name"]
    assert classes["equity"] == pytest.approx(ranges["equity"], abs=1e-4)
    tab.goto(f"{served}#/run/{key}/check,bet50")
    tab.click("action-bar [data-mode=equity]")
    for place, equity in zip(classes["group"], classes["equity"], strict=True):
        expect(tab.locator(f"range-grid .cell[data-cell='{place}'] span")).to_have_text(f"{100 * equity:.0f}")


def test_a_run_that_halts_is_polled_again(tab: Any, served: str) -> None:
    body = json.dumps({"spot": {**SPOT, "name": "halted"}, "until": 0, "iterations": 10**9, "seconds": 100}).encode()
    with urllib.request.urlopen(f"{served}api/runs", body) as answer:
        key = json.load(answer)["id"]
    tab.route("**/walk?*evs=1*", lambda route: route.fulfill(status=400, json={"error": "later"}))
    tab.goto(f"{served}#/run/{key}")
    expect(tab.locator("page-run > .message")).to_have_text("later")
    earned = tab.locator("action-bar tbody tr td:nth-child(5)").first
    expect(earned).to_have_text("")
    tab.unroute_all()
    tab.click("run-header button:has-text('Stop')")
    expect(tab.locator("run-header .state")).to_have_text("stopped")
    expect(earned).to_have_text(re.compile(r"\d"))
    expect(tab.locator("page-run > .message")).to_have_text("")


def test_cards_that_are_typed_as_players_do_stay_when_one_is_clicked(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/build")
    board = tab.locator("[name=board]")
    expect(board).to_have_value("Ks 7h 2d 9c 4s")
    board.fill("10♥9♣ 2D")
    tab.click("card-picker [data-card=As]")
    expect(board).to_have_value("Th 9c 2d As")


def test_the_whole_head_of_a_column_sorts(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/run/{solved(served, {**SPOT, 'name': 'sorted'})}")
    head = tab.locator("hand-table th:has([data-key=ev])")
    head.click(position={"x": 2, "y": 8})
    expect(head).to_have_attribute("aria-sort", "descending")


FRAMES = """async () => {
  for (let k = 0; k < 3; k++) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""


def test_a_head_that_is_pressed_while_evs_arrive_sorts(tab: Any, served: str) -> None:
    key = solved(served, {**SPOT, "name": "sorted late"})
    tab.goto(f"{served}#/home")
    expect(tab.locator("run-card").first).to_be_visible()
    tab.evaluate(HOLD, "evs=1")
    tab.evaluate("(key) => (location.hash = `#/run/${key}`)", key)
    expect(tab.locator("hand-table tbody tr[data-hand]").first).to_be_visible()
    expect(tab.locator("body[data-arrived]")).to_have_count(1)
    head = tab.locator("hand-table th:has([data-key=ev])")
    box = head.bounding_box()
    tab.mouse.move(box["x"] + 2, box["y"] + 8)
    tab.mouse.down()
    tab.evaluate("() => window.release()")
    expect(tab.locator("action-bar")).to_contain_text("equity")
    tab.evaluate(FRAMES)
    tab.mouse.up()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(tab.locator("hand-table td.strong").first).to_contain_text(re.compile(r"\d"))


def test_the_times_below_a_curve_differ(tab: Any, served: str) -> None:
    key = solved(served, SPOT)
    tab.goto(f"{served}#/run/{key}")
    tab.get_by_role("button", name="show or hide the curve").click()
    times = tab.locator("run-header run-curve text[text-anchor=middle]")
    expect(times.first).to_be_visible()
    labels = times.all_text_contents()
    assert len(set(labels)) == len(labels)
    assert "0 s" not in labels
    assert "0.0 s" not in labels


def test_a_spot_that_is_forgotten_stays_away(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/build")
    tab.once("dialog", lambda dialog: dialog.accept("unwanted"))
    tab.click("spot-menu button >> nth=0")
    loaded = tab.locator("spot-menu option[value='saved unwanted']")
    expect(loaded).to_have_count(1)
    tab.once("dialog", lambda dialog: dialog.accept())
    tab.locator("spot-menu select").select_option("delete unwanted")
    expect(loaded).to_have_count(0)
    tab.click("app-shell nav a[data-page=home]")
    expect(tab.locator("spot-menu")).to_have_count(0)
    tab.click("app-shell nav a[data-page=build]")
    expect(tab.locator("spot-menu option[value='bundled flop']")).to_have_count(1)
    expect(loaded).to_have_count(0)


def test_a_tab_of_a_server_that_has_ended_says_which_address_to_open(tab: Any, served: str) -> None:
    key = solved(served, SPOT)
    tab.goto(f"{served}#/run/{key}")
    expect(tab.locator("range-grid .cell.in-range").first).to_be_visible()
    tab.route("**/walk?*", lambda route: route.fulfill(status=403, content_type="text/html", body="no token"))
    tab.keyboard.press("1")
    expect(tab.locator("page-run .message").filter(has_text="the server was restarted")).to_be_visible()
