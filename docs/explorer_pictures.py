"""The pictures of docs/explorer.md, taken of the running page in Chromium.

python docs/explorer_pictures.py             # solves spot:turn to 0.3% of the pot first, some seconds
python docs/explorer_pictures.py FOLDER      # every screen, wide, dark and narrow, to look at
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

import rue
from rue.holdem.files import from_mapping, load_spot, to_mapping

IMAGES = Path(__file__).parent / "images"
CHROMIUM = "/usr/bin/chromium"
KEPT = (
    *("build", "walk", "cards-dark", "walk-narrow", "lock", "compare", "games", "train", "tree", "runouts", "report"),
    "figures",
)
"""What the document shows."""
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def ask(address: str, path: str, data: Any = None) -> Any:
    """A request to the server."""
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(f"{address}api/{path}", body) as answer:
        return json.load(answer)


def solved(address: str, path: str, data: Any) -> str:
    """The key of a run that is done."""
    key = str(ask(address, path, data)["id"])
    while (run := ask(address, f"runs/{key}"))["state"] != "done":
        assert run["state"] != "failed", run["error"]
        time.sleep(0.5)
    return key


def take(page: Page, name: str) -> None:
    """Save what is seen."""
    if len(sys.argv) > 1 or name in KEPT:
        page.wait_for_timeout(1500)
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
        page.screenshot(path=folder / f"explorer-{name}.png")


LOCK = {"line": "check", "edits": [{"hands": "", "mix": {"check": 1}}, {"hands": "sets", "mix": {"bet 450": 1}}]}
"""What is locked for the pictures."""


def locking(page: Page, address: str, key: str, locked: str, ending: str) -> None:
    """A decision that is edited, and before and after."""
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
    take(page, f"lock{ending}")
    page.keyboard.press("Escape")
    page.goto(f"{address}#/run/{locked}/check")
    page.click("[data-tab=compare]")
    page.wait_for_selector("run-compare .small-cells")
    take(page, f"compare{ending}")
    page.click("[data-tab=hands]")


def train(address: str, key: str) -> None:
    """Play some hands by the first and the second action in turn, up to an answer."""
    told = ask(address, f"runs/{key}/training", {"seat": "both", "seed": 5})
    for number in range(41):
        while told["hand"]["over"]:
            told = ask(address, f"runs/{key}/training/deal", {})
        asked = {"line": ",".join(told["hand"]["line"]), "action": told["hand"]["actions"][number % 2]}
        told = ask(address, f"runs/{key}/training/answer", asked)


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


def reporting(page: Page, address: str, key: str, ending: str) -> None:
    """A decision on every river, and a report over flops."""
    page.goto(f"{address}#/run/{key}/check,check,4s")
    page.click("[data-tab=runouts]")
    page.wait_for_selector("tab-panel run-outs .bar")
    take(page, f"runouts{ending}")
    page.click("[data-tab=hands]")
    page.goto(f"{address}#/reports/flops")
    page.wait_for_selector("report-view .bar")
    page.click("report-view [data-key=ev_ip]")
    take(page, f"report{ending}")


def training(page: Page, address: str, key: str, ending: str) -> None:
    """A hand that is played, with its score."""
    page.goto(f"{address}#/train/{key}")
    page.wait_for_selector("train-score path.line")
    following = page.locator("train-hand [data-do=next]")
    if following.is_visible():
        following.click()
    page.locator("train-hand .answers button").first.click()
    page.wait_for_selector("train-hand .graded h2")
    take(page, f"train{ending}")


def pictures(page: Page, address: str, keys: tuple[str, str], ending: str) -> None:
    """Every screen once."""
    key, locked = keys
    page.goto(f"{address}#/build")
    page.wait_for_selector("spot-facts dd")
    take(page, f"build{ending}")
    page.goto(f"{address}#/run/{key}/check")
    page.wait_for_selector("hand-table tbody tr")
    if not ending.endswith("narrow"):
        page.hover("range-grid .cell[data-cell='28']")
    take(page, f"walk{ending}")
    page.mouse.move(0, 0)
    page.click("[data-tab=ranges]")
    page.wait_for_selector("tab-panel range-versus .bar")
    take(page, f"ranges{ending}")
    page.click("[data-tab=hands]")
    page.goto(f"{address}#/run/{key}/check,check")
    page.wait_for_selector("deck-picker .mix i")
    take(page, f"cards{ending}")
    locking(page, address, key, locked, ending)
    reporting(page, address, key, ending)
    training(page, address, key, ending)
    gaming(page, address, ending)


def gaming(page: Page, address: str, ending: str) -> None:
    """Algorithms side by side."""
    page.goto(f"{address}#/games/leduc")
    page.wait_for_selector("curve-table tbody tr:nth-child(5)")
    if not ending.endswith("narrow"):
        page.mouse.move(900, 300)
    take(page, f"games{ending}")
    page.goto(f"{address}#/games/kuhn/tree")
    page.locator("game-tree g.mark rect").first.hover()
    take(page, f"tree{ending}")
    page.goto(f"{address}#/games/leduc/tree")
    for place in (1, 2, 3):
        page.locator("tree-rows .knob").nth(place).click()
        page.wait_for_timeout(500)
    take(page, f"rows{ending}")
    page.goto(f"{address}#/figures/{'ecfr-choices' if ending else 'ecfr-3'}")
    page.click("figure-shown .primary")
    page.locator("figure-shown path[data-line]").nth(11).wait_for()
    take(page, f"figures{ending}")
    page.goto(f"{address}#/figures/dcfr-5")
    page.wait_for_selector("figure-shown path[data-line]")
    take(page, f"figure{ending}")


def main() -> None:
    """Serve, solve, take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rue", "explore", "spot:turn", "--folder", folder, "--no-open", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://\S+", process.stdout.readline())
                assert found is not None
                address = found[0]
                key = solved(address, "runs", {"spot": to_mapping(load_spot("turn")), "until": "0.3%"})
                locked = solved(address, f"runs/{key}/lock", {"locks": [LOCK], "until": "0.3%"})
                algorithms = ["cfr", "cfr+", "dcfr", "pcfr+", "mccfr"]
                ask(address, "games/runs", {"game": "leduc", "algorithms": algorithms, "iterations": 3000})
                ask(address, "games/runs", {"game": "kuhn", "algorithms": ["dcfr"]})
                while any(run["state"] != "done" for run in ask(address, "runs")):
                    time.sleep(0.5)
                train(address, key)
                rue.report(from_mapping(FLOP), flops="25", line="check", iterations=25, out=Path(folder) / "flops")
                with sync_playwright() as started:
                    browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                    for ending, size, scheme in (
                        ("", WIDE, "light"),
                        ("-dark", WIDE, "dark"),
                        ("-narrow", NARROW, "light"),
                    ):
                        context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
                        pictures(context.new_page(), address, (key, locked), ending)
                        context.close()
                    browser.close()
            finally:
                process.terminate()


if __name__ == "__main__":
    main()
