"""Take the screenshots of docs/explorer.md in Chromium.

python docs/explorer_pictures.py             # solves spot:turn to 0.3% of the pot first, some seconds
python docs/explorer_pictures.py FOLDER      # every screen, wide, dark and narrow, for review
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

import zerosum
from zerosum.holdem.spots.files import load_spot, spot_from_dict, spot_to_dict

IMAGES = Path(__file__).parent / "images"
CHROMIUM = "/usr/bin/chromium"
DOCUMENTED = (
    *("build", "walk", "cards-dark", "walk-narrow", "lock", "compare", "games", "train", "tree", "runouts", "report"),
    "figures",
)
"""The screenshots that the document shows."""
TIMEOUT = 180_000
"""Milliseconds to wait for a part of the page: a figure or a report may be computed first."""
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def fetch(address: str, path: str, data: Any = None) -> Any:
    """Send a request to the server and return its answer."""
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(f"{address}api/{path}", body) as response:
        return json.load(response)


def solve_run(address: str, path: str, data: Any) -> str:
    """Start a run, wait until it is done and return its key."""
    key = str(fetch(address, path, data)["id"])
    while (run := fetch(address, f"runs/{key}"))["state"] != "done":
        assert run["state"] != "failed", run["error"]
        time.sleep(0.5)
    return key


def save_screenshot(page: Page, name: str) -> None:
    """Save a screenshot."""
    if len(sys.argv) > 1 or name in DOCUMENTED:
        page.wait_for_timeout(1500)
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
        page.screenshot(path=folder / f"explorer-{name}.png")


LOCK = {"line": "check", "edits": [{"hands": "", "mix": {"check": 1}}, {"hands": "sets", "mix": {"bet 450": 1}}]}
"""The lock of the screenshots."""


def show_locks(page: Page, address: str, key: str, locked: str, ending: str) -> None:
    """Take a decision being edited, and the comparison before and after."""
    page.goto(f"{address}#/run/{key}/check")
    page.click("[data-tab=lock]")
    page.wait_for_selector("lock-editor [data-mix=check]")
    page.fill("lock-editor [data-mix=check]", "100")
    page.press("lock-editor [data-mix=check]", "Tab")
    page.click("lock-editor [data-do=set]")
    page.click("range-grid .cell[data-cell='28']")
    page.fill("lock-editor [data-mix='bet 450']", "80")
    page.press("lock-editor [data-mix='bet 450']", "Tab")
    page.click("lock-editor [data-do=set]")
    page.mouse.move(0, 0)
    save_screenshot(page, f"lock{ending}")
    page.keyboard.press("Escape")
    page.goto(f"{address}#/run/{locked}/check")
    page.click("[data-tab=compare]")
    page.wait_for_selector("run-comparison .small-cells")
    page.mouse.move(0, 0)
    save_screenshot(page, f"compare{ending}")
    page.click("[data-tab=hands]")


def play_hands(address: str, key: str) -> None:
    """Play some hands, alternating between the first and the second action."""
    training_state = fetch(address, f"runs/{key}/training", {"seat": "both", "seed": 5})
    for number in range(41):
        while training_state["hand"]["outcome"]:
            training_state = fetch(address, f"runs/{key}/training/deal", {})
        answer = {
            "line": ",".join(training_state["hand"]["line"]),
            "action": training_state["hand"]["actions"][number % 2],
        }
        training_state = fetch(address, f"runs/{key}/training/answer", answer)


FLOP = {
    "board": "Ks 7h 2d",
    "pot": 100,
    "stack": 300,
    "minimum": 1,
    "bets": "50%",
    "raises": "allin",
    "oop": "TT-JJ,AQs,KQs,JTs,T9s",
    "ip": "QQ+,99,AJs+,KJs+,QJs",
    "name": "small ranges",
}


def show_reports(page: Page, address: str, key: str, ending: str) -> None:
    """Take a decision on every river, and a report over flops."""
    page.goto(f"{address}#/run/{key}/check,check,4s")
    page.click("[data-tab=runouts]")
    page.wait_for_selector("tab-panel runout-report .bar")
    page.mouse.move(0, 0)
    save_screenshot(page, f"runouts{ending}")
    page.click("[data-tab=hands]")
    page.goto(f"{address}#/reports/flops")
    page.wait_for_selector("report-view .bar")
    page.click("report-view [data-key=ev_ip]")
    page.mouse.move(0, 0)
    save_screenshot(page, f"report{ending}")


def show_training(page: Page, address: str, key: str, ending: str) -> None:
    """Take a hand being played, with the score."""
    page.goto(f"{address}#/train/{key}")
    page.wait_for_selector("training-score path.line")
    following = page.locator("training-hand [data-do=next]")
    if following.is_visible():
        following.click()
    page.locator("training-hand .answers button").first.click()
    page.wait_for_selector("training-hand .grade h2")
    page.mouse.move(0, 0)
    save_screenshot(page, f"train{ending}")


def take_screens(page: Page, address: str, keys: tuple[str, str], ending: str) -> None:
    """Take every screen once."""
    key, locked = keys
    page.goto(f"{address}#/build")
    page.wait_for_selector("spot-cost dd")
    save_screenshot(page, f"build{ending}")
    page.goto(f"{address}#/run/{key}/check")
    page.wait_for_selector("hand-table tbody tr")
    if not ending.endswith("narrow"):
        page.hover("range-grid .cell[data-cell='28']")
    save_screenshot(page, f"walk{ending}")
    page.mouse.move(0, 0)
    page.click("[data-tab=ranges]")
    page.wait_for_selector("tab-panel range-comparison .bar")
    save_screenshot(page, f"ranges{ending}")
    page.click("[data-tab=hands]")
    page.goto(f"{address}#/run/{key}/check,check")
    page.wait_for_selector("next-card-picker .mix i")
    page.mouse.move(0, 0)
    save_screenshot(page, f"cards{ending}")
    show_locks(page, address, key, locked, ending)
    show_reports(page, address, key, ending)
    show_training(page, address, key, ending)
    show_games(page, address, ending)


def show_games(page: Page, address: str, ending: str) -> None:
    """Take algorithms side by side, game trees and figures."""
    page.goto(f"{address}#/games/leduc")
    page.wait_for_selector("run-table tbody tr:nth-child(5)")
    if not ending.endswith("narrow"):
        page.mouse.move(900, 300)
    save_screenshot(page, f"games{ending}")
    page.goto(f"{address}#/games/kuhn/tree")
    page.locator("game-tree-diagram g.mark rect").first.hover()
    save_screenshot(page, f"tree{ending}")
    page.goto(f"{address}#/games/leduc/tree")
    for place in (1, 2, 3):
        page.locator("game-tree-list .toggle").nth(place).click()
        page.wait_for_timeout(500)
    save_screenshot(page, f"rows{ending}")
    page.goto(f"{address}#/figures/{'ecfr-choices' if ending else 'ecfr-3'}")
    page.click("figure-view .primary")
    page.locator("figure-view path[data-line]").nth(11).wait_for()
    save_screenshot(page, f"figures{ending}")
    page.goto(f"{address}#/figures/dcfr-5")
    page.wait_for_selector("figure-view path[data-line]")
    save_screenshot(page, f"figure{ending}")


def main() -> None:
    """Start the server, solve, take the screenshots."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--folder", folder, "--no-open", "--port", "0"]
        command = [sys.executable, "-m", "zerosum", "explore", "spot:turn", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                match = re.search(r"http://\S+", process.stdout.readline())
                assert match is not None
                address = match[0]
                key = solve_run(address, "runs", {"spot": spot_to_dict(load_spot("turn")), "until": "0.3%"})
                locked = solve_run(address, f"runs/{key}/lock", {"locks": [LOCK], "until": "0.3%"})
                algorithms = ["cfr", "cfr+", "dcfr", "pcfr+", "mccfr"]
                fetch(address, "games/runs", {"game": "leduc", "algorithms": algorithms, "iterations": 3000})
                fetch(address, "games/runs", {"game": "kuhn", "algorithms": ["dcfr"]})
                while any(run["state"] != "done" for run in fetch(address, "runs")):
                    time.sleep(0.5)
                play_hands(address, key)
                flop, out = spot_from_dict(FLOP), Path(folder) / "flops"
                zerosum.report(flop, flops="25", line="check", iterations=25, out=out)
                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                    for ending, size, scheme in (
                        ("", WIDE, "light"),
                        ("-dark", WIDE, "dark"),
                        ("-narrow", NARROW, "light"),
                    ):
                        context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
                        context.set_default_timeout(TIMEOUT)
                        take_screens(context.new_page(), address, (key, locked), ending)
                        context.close()
                    browser.close()
            finally:
                process.terminate()


if __name__ == "__main__":
    main()
