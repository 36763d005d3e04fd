"""Games in a browser: several algorithms side by side, the tree, the figures of the papers."""

from __future__ import annotations

import re
from typing import Any

import pytest

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="the page is driven by playwright: it is not here"
).expect


def test_choose_a_game_compare_algorithms_and_continue(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/games")
    expect(tab).to_have_url(re.compile("#/games/leduc$"))
    run, rows, lines = tab.locator("game-form .primary"), tab.locator("run-table tbody tr"), "path[data-line]"
    expect(tab.locator("game-form .facts")).to_contain_text("936")
    tab.fill("[name=game]", "liars-dice(dice=2)")
    expect(tab.locator("game-form .message")).to_contain_text("2.1 TB")
    expect(run).to_be_disabled()
    tab.locator("game-form select").select_option("kuhn")
    expect(tab.locator("game-form .facts")).to_contain_text("12")
    tab.fill("[name='parameter ranks']", "4")
    expect(tab.locator("[name=game]")).to_have_value("kuhn(ranks=4)")
    tab.fill("[name=algorithm]", "mccfr(")
    tab.click("game-form >> text=Add")
    expect(tab.locator("game-form .chip.invalid")).to_have_count(1)
    expect(run).to_be_disabled()
    tab.locator(".chip.invalid button").click()
    tab.fill("[name=algorithm]", "mccfr")
    tab.keyboard.press("Enter")
    tab.fill("[name=iterations]", "200")
    expect(tab.locator("game-form .chip")).to_have_count(4)
    expect(run).to_be_enabled()
    run.click()
    expect(rows).to_have_count(4)
    expect(tab.locator("run-table .state[data-state=done]")).to_have_count(4)
    expect(tab.locator(lines)).to_have_count(4)
    tab.click("[data-axis=seconds]")
    expect(tab.locator("line-chart text", has_text="time (s)")).to_have_count(1)
    tab.locator("run-table .line").first.click()
    expect(tab.locator(lines)).to_have_count(3)
    rows.nth(1).locator("text=More").click()
    expect(rows.nth(1).locator(".number").first).to_have_text("2,000")
    with tab.expect_download() as download:
        tab.click("text=Save CSV")
    assert download.value.path().read_text().startswith("game,algorithm,iteration")
    with tab.expect_download() as download:
        tab.click("text=Save SVG")
    assert download.value.path().read_text().startswith("<svg")
    tab.locator("run-table [title^=Delete]").first.click()
    expect(rows).to_have_count(3)
    tab.fill("[name=iterations]", "1000000000")
    expect(run).to_be_enabled()
    run.click()
    expect(tab.locator("run-table .state[data-state=running]").first).to_be_visible()
    tab.click("text=Stop all")
    expect(tab.locator("run-table .state[data-state=stopped]").first).to_be_visible()
    expect(tab.locator("run-table .state[data-state=running]")).to_have_count(0)


def test_runs_that_are_still_being_created_are_stopped_too(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/games/kuhn(ranks=5)")
    tab.fill("[name=iterations]", "1000000000")
    run = tab.locator("game-form .primary")
    expect(run).to_be_enabled()
    states, rows = tab.locator("run-table .state[data-state=stopped]"), tab.locator("run-table tbody tr")
    run.click()
    expect(rows).to_have_count(3)
    requests: list[Any] = []
    tab.route("**/games/runs", lambda request: requests.append(request))
    with tab.expect_request("**/games/runs"):
        run.click()
    tab.click("text=Stop all")
    requests[0].continue_()
    tab.unroute("**/games/runs")
    expect(states).to_have_count(6)


def test_the_tree_is_drawn_whole_or_opened_and_filtered(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/games/kuhn(ranks=3)")
    tab.fill("[name=iterations]", "100")
    expect(tab.locator("game-form .primary")).to_be_enabled()
    tab.click("game-form .primary")
    expect(tab.locator("run-table .state[data-state=done]")).to_have_count(3)
    tab.locator("run-table >> text=Tree").first.click()
    expect(tab).to_have_url(re.compile(r"/tree/[0-9a-f]{8}$"))
    marks = tab.locator("game-tree-diagram .mark")
    expect(marks).to_have_count(58)
    expect(tab.locator("game-tree-diagram [data-joint]")).to_have_count(12)
    tab.locator("game-tree-diagram .mark[data-infoset='K|bet']").first.hover()
    expect(tab.locator("game-tree-diagram .details")).to_contain_text("player 2: K|bet")
    expect(tab.locator("game-tree-diagram .mark.same")).to_have_count(2)
    rows = tab.locator("infoset-table tbody tr")
    expect(rows).to_have_count(12)
    tab.fill("[name=filter]", "K bet")
    expect(rows).to_have_count(2)
    expect(tab.locator("game-tree-diagram .mark[data-infoset='J|']").first).to_have_attribute("opacity", "0.14")
    tab.goto(f"{served}#/games/leduc(suits=1, ranks=4)/tree")
    nodes = tab.locator("game-tree-list .node")
    expect(nodes).to_have_count(5)
    tab.locator("game-tree-list .toggle").nth(1).click()
    expect(nodes).to_have_count(8)
    tab.locator("game-tree-list .toggle").nth(2).click()
    expect(nodes).to_have_count(10)
    expect(tab.locator("game-tree-list .infoset").first).to_be_visible()
    tab.locator("game-tree-list .toggle").nth(2).click()
    expect(tab.locator("game-tree-list .node:visible")).to_have_count(8)


def test_a_figure_is_shown_run_and_stopped(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/figures")
    expect(tab).to_have_url(re.compile("#/figures/dcfr-5$"))
    lines = tab.locator("figure-view path[data-line]")
    expect(lines).to_have_count(7)
    expect(tab.locator(".verdicts [data-word=holds]").first).to_be_visible()
    tab.click("[data-key=ecfr-1]")
    expect(tab.locator("figure-view img")).to_be_visible()
    tab.click("[data-key=ecfr-4]")
    expect(lines).to_have_count(4)
    tab.fill("figure-view [name=iterations]", "200")
    tab.click("figure-view .primary")
    expect(tab.locator("figure-view [role=status]", has_text="4 of 4 runs · done")).to_be_visible()
    expect(lines).to_have_count(4)
    expect(tab.locator("figure-view")).to_contain_text("up to 200 iterations")
    with tab.expect_download() as download:
        tab.click("text=Save CSV")
    assert download.value.path().read_text().startswith("figure,panel,line")
    tab.click("[data-source=gallery]")
    expect(tab.locator("figure-view")).to_contain_text("Computed for the documentation")
    tab.click("[data-key=trm-3]")
    tab.fill("figure-view [name=iterations]", "10000")
    tab.click("figure-view .primary")
    tab.click("figure-view >> text=Stop")
    expect(tab.locator("figure-view [role=status]", has_text="press Run to resume")).to_be_visible()
    tab.click("[data-key=dcfr-1]")
    expect(tab.locator("figure-view .primary")).to_be_disabled()


def test_a_late_answer_about_a_figure_does_not_replace_the_one_that_was_opened_since(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/figures/ecfr-4")
    expect(tab.locator("figure-view path[data-line]")).to_have_count(4)
    tab.evaluate(
        """() => {
            const { fetch } = window;
            window.fetch = async (...request) => {
                const answer = await fetch(...request);
                if (String(request[0]).endsWith("/run")) await new Promise((resolve) => (window.release = resolve));
                return answer;
            };
        }"""
    )
    tab.fill("figure-view [name=iterations]", "200")
    tab.click("figure-view .primary")
    tab.wait_for_function("() => Boolean(window.release)")
    tab.click("[data-key=dcfr-5]")
    reference, lines = tab.locator("figure-view h1 + .muted"), tab.locator("figure-view path[data-line]")
    expect(lines).to_have_count(7)
    tab.evaluate("window.release()")
    tab.wait_for_timeout(300)
    expect(reference).to_contain_text("dcfr-5")
    expect(lines).to_have_count(7)


def test_a_run_that_cannot_be_read_is_not_among_those_of_a_game(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/games/kuhn")
    expect(tab.locator("game-form .facts")).to_contain_text("12")
    broken = "{ id: '99', name: 'broken', state: 'failed', error: 'it is no run', stage: null, remaining: null }"
    store = "import(new URL('static/js/base/store.js', location.href))"
    tab.evaluate(f"{store}.then(({{ app }}) => app.set({{ runs: [{broken}] }}))")
    tab.fill("[name=game]", "nonsense")
    expect(tab.locator("game-form .message")).to_contain_text("there is no game")
    expect(tab.locator("run-table tbody tr")).to_have_count(0)


def test_messages_about_another_game_disappear(tab: Any, served: str) -> None:
    tab.goto(f"{served}#/games/kuhn")
    run = tab.locator("game-form .primary")
    expect(run).to_be_enabled()
    tab.route("**/api/game", lambda route: None)
    tab.fill("[name=game]", "leduc")
    expect(run).to_be_disabled()
    expect(tab.locator("game-form .facts")).to_have_class(re.compile("stale"))
    expect(tab.locator("game-form")).to_contain_text("Checking the game")
    tab.unroute_all(behavior="ignoreErrors")
