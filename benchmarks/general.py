"""Regenerate the figures of the general form: against LiteEFG and OpenSpiel, compiling, growth, custom rules.

python benchmarks/general.py [--quick] [--json FILE] [--games NAME ...] [--seconds-per-contestant S]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import custom_rule
import growth
import peers
from machine import describe_machine

QUICK_SECONDS = 1.0
SECONDS = 4.5


def main() -> None:
    """Measure, print, and write JSON if asked."""
    options = _options()
    seconds = options.seconds_per_contestant or (QUICK_SECONDS if options.quick else SECONDS)
    report: dict[str, Any] = {"machine": describe_machine()}
    _print_machine(report["machine"])
    _compare(report, options, seconds)
    _compile(report, options)
    _grow(report, options, seconds)
    report["custom_rule"] = custom_rule.race(seconds)
    print("\n## A custom rule\n\n" + custom_rule.show(report["custom_rule"]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter runs, without the two largest games")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to a file")
    parser.add_argument("--games", nargs="+", metavar="NAME", help="games whose name contains one of these")
    parser.add_argument("--seconds-per-contestant", type=float, metavar="S", help=f"default {SECONDS:g}")
    return parser.parse_args()


def _wanted(options: argparse.Namespace, name: str) -> bool:
    if options.games:
        return any(part.lower() in name.lower() for part in options.games)
    return not (options.quick and ("6" in name or "big" in name))


def _print_machine(machine: dict[str, Any]) -> None:
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    print(
        f"{machine['date']}, commit {machine['commit']}\n"
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB, "
        f"load {machine['load_at_start']} at the start\n"
        f"{machine['system']}, Python {machine['python']}, {versions}",
        flush=True,
    )


def _compare(report: dict[str, Any], options: argparse.Namespace, seconds: float) -> None:
    report["peers"] = []
    warm_up = 1.0 if options.quick else peers.WARM_UP
    for match in peers.MATCHES:
        if _wanted(options, f"{match.title} {match.zerosum}"):
            print(f"... {match.title}", flush=True)
            report["peers"] += peers.race(match, seconds, warm_up)
    print("\n## An iteration, both players updated, one thread\n\n" + peers.show(report["peers"]))
    for match in peers.MATCHES:
        rows = [row for row in report["peers"] if row["game"] == match.title]
        if rows:
            builds = ", ".join(row["liteefg_build"] for row in rows)
            checked = peers.show_check(rows[0]["check"])
            print(f"\n{match.title}: LiteEFG built it in {builds}; {checked}", flush=True)


def _compile(report: dict[str, Any], options: argparse.Namespace) -> None:
    names = [name for name in growth.GAMES if _wanted(options, name)]
    report["compile"] = [growth.compile_apart(name, 1 if options.quick else 3) for name in names]
    print("\n## From rules to arrays\n\n" + growth.show_compile(report["compile"]), flush=True)


def _grow(report: dict[str, Any], options: argparse.Namespace, seconds: float) -> None:
    names = [name for name in growth.GAMES if _wanted(options, name)]
    report["growth"] = growth.grow(names, seconds, options.quick)
    print("\n## Growth (cfr+)\n\n" + growth.show(report["growth"]))
    print(
        f"\none thread over {report['growth']['bandwidth_footprint'] / 1e9:.1f} GB: "
        f"{report['growth']['bandwidth_main_memory'] / 1e9:.1f} GB/s; "
        f"largest cache {report['growth']['last_level_cache'] / 1e6:.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    main()
