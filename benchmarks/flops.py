"""Small lists of flops that stand for all 22,100: chosen by their features, and measured against all 1,755 kinds.

    python benchmarks/flops.py features --into FOLDER    # equities on every flop: ten minutes of a core, once
    python benchmarks/flops.py choose --into FOLDER      # writes src/zerosum/holdem/flop_lists/*.txt
    python benchmarks/flops.py play --into FOLDER        # a small game on every flop: half an hour of a core
    python benchmarks/flops.py measure --into FOLDER     # the table of docs/reports.md

How they are chosen. Every flop has features: its appearance (suits, pairs, each of its three ranks, straights) and
its effect on six pairs of typical ranges (equity, and how much of each range is strong and weak). A list of flops
is scored by two things: how far every flop is from the nearest of the list, and how far the list's weighted mean of
every feature is from that of all flops. The weights start as the share of the flops that are nearest to each and are
then moved, by at most a factor of three, towards the means. The search exchanges flops as long as that helps.

How they are measured. On pairs of ranges that took no part in the choice: the mean equity, and the mean EV and the mean
frequencies of a small game that is solved on every flop.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from flop_game import FlopGame
from machine import table
from zerosum.holdem.cards.cards import HANDS, find_unblocked_hands, format_cards
from zerosum.holdem.cards.flops import FOLDER, Flop, find_canonical_flop, list_canonical_flops, parse_flops
from zerosum.holdem.cards.hand_strength import compute_strengths, list_runouts
from zerosum.holdem.cards.ranges import Range

Floats = NDArray[np.float64]

TRIES = {25: 1500, 50: 40, 100: 8, 200: 0}
"""Exchanges that are tried for each list."""
SIZES = tuple(TRIES)
CHOOSING = {
    "big blind, button raised": (
        "JJ-22:0.75,A2s-AJs,K2s+,Q4s+,J6s+,T6s+,95s+,85s+,74s+,64s+,53s+,43s,A2o-AJo,K8o+,Q9o+,J9o+,T8o+,98o",
        "22+,A2s+,K3s+,Q6s+,J7s+,T7s+,96s+,86s+,75s+,65s,54s,A4o+,K9o+,QTo+,JTo",
    ),
    "big blind, under the gun raised": (
        "JJ-22,A2s-AQs,KTs+,QTs+,J9s+,T8s+,97s+,87s,76s,65s,54s,AJo,AQo,KQo",
        "66+,ATs+,A5s-A4s,KTs+,QTs+,JTs,T9s,98s,AJo+,KQo",
    ),
    "small blind 3-bets the button": (
        "TT+,99:0.5,A2s-A5s,ATs+,KTs+,QTs+,JTs,T9s:0.5,98s:0.5,AQo+,AJo:0.5,KQo:0.5",
        "JJ-55,AQs-ATs,A5s-A4s,KTs+,QTs+,J9s+,T9s,98s,87s,76s,65s,AQo,AJo:0.5,KQo:0.5",
    ),
    "cut-off raised, button 3-bets": (
        "JJ-66,AJs+,KQs,KJs,QJs,JTs,T9s,98s,87s,AQo+",
        "TT+,AQs+,A5s-A3s,KJs+,QJs,JTs,76s,AKo,AQo:0.5",
    ),
    "blind against blind": ("22+,A2s+,K2s+,Q5s+,J6s+,T6s+,96s+,85s+,75s+,64s+,54s,A2o+,K7o+,Q9o+,J9o+,T9o", "80%"),
    "4-bet pot": ("QQ-88,AKs,AQs,AJs,KQs,AKo", "KK+,AKs,A5s-A4s,AKo"),
}
"""Out of position and in position."""
JUDGING = {
    "hijack against cut-off, 3-bet": (
        "QQ-77,AQs-ATs,KQs-KTs,QJs,JTs,T9s,AQo",
        "JJ+,AQs+,A5s-A2s,KQs,QJs,65s,AKo",
    ),
    "big blind, cut-off raised": (
        "TT-22,A2s-ATs,K6s+,Q8s+,J8s+,T7s+,97s+,86s+,75s+,65s,54s,ATo,AJo,KJo+,QJo",
        "22+,A2s+,K7s+,Q9s+,J9s+,T8s+,98s,87s,76s,A9o+,KTo+,QJo",
    ),
    "limped pot": ("random", "22-99,A2s-A9s,K2s+,Q4s+,J6s+,T6s+,95s+,85s+,74s+,64s+,A2o-A9o,K4o+,Q8o+,J8o+,T8o+"),
}
STRONG, WEAK = 0.7, 0.3
STRAIGHTS = [{12, 0, 1, 2, 3}, *({low + step for step in range(5)} for low in range(9))]


@njit(cache=True)
def add_wins(order, strength, hands, other, won, met):
    """Add to each hand its wins against a range on a board: one sweep over the hands, the weakest first.

    `order` has the hands that the board leaves, the weakest first.
    """
    total, below, tied = 0.0, 0.0, 0.0
    by_card, below_card, tied_card = np.zeros(52), np.zeros(52), np.zeros(52)
    for hand in order:
        total += other[hand]
        by_card[hands[hand, 0]] += other[hand]
        by_card[hands[hand, 1]] += other[hand]
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and strength[order[end]] == strength[order[start]]:
            end += 1
        tied, tied_card[:] = 0.0, 0.0
        for hand in order[start:end]:
            tied += other[hand]
            tied_card[hands[hand, 0]] += other[hand]
            tied_card[hands[hand, 1]] += other[hand]
        for hand in order[start:end]:
            a, b = hands[hand, 0], hands[hand, 1]
            met[hand] += total - by_card[a] - by_card[b] + other[hand]
            won[hand] += below - below_card[a] - below_card[b]
            won[hand] += 0.5 * (tied - tied_card[a] - tied_card[b] + other[hand])
        below += tied
        below_card += tied_card
        start = end


def equities(flop: Flop, pairs: list[tuple[Range, Range]], every: int = 1) -> Floats:
    """For each pair of ranges: the deals, the equity of the first, and the strong and weak shares of both.

    `every` takes a part of the runouts only, mixed well: enough for a choice.
    """
    boards = np.random.default_rng(1).permutation(list_runouts(flop))[::every]
    strengths = compute_strengths(boards)
    sides = [(mine.weights, other.weights) for pair in pairs for mine, other in (pair, pair[::-1])]
    won, met = np.zeros((len(sides), len(HANDS))), np.zeros((len(sides), len(HANDS)))
    for strength in strengths:
        order = np.argsort(strength, kind="stable")
        order = order[np.searchsorted(strength[order], 0) :]
        for side, (_, other) in enumerate(sides):
            add_wins(order, strength, HANDS, other, won[side], met[side])
    free = find_unblocked_hands(flop)
    rows = []
    for number in range(len(pairs)):
        figures = []
        for side in (2 * number, 2 * number + 1):
            weight = np.where(free, sides[side][0], 0.0) * met[side]
            share = np.divide(won[side], met[side], out=np.zeros(len(HANDS)), where=met[side] > 0)
            total = weight.sum()
            figures.append(
                (
                    total,
                    share @ weight / total,
                    weight[share >= STRONG].sum() / total,
                    weight[share <= WEAK].sum() / total,
                )
            )
        rows.append([figures[0][0], figures[0][1], *figures[0][2:], *figures[1][2:]])
    return np.array(rows)


def looks(flop: Flop) -> dict[str, float]:
    """What a flop looks like."""
    ranks, suits = [card // 4 for card in flop], [card % 4 for card in flop]
    colours, kinds = len(set(suits)), len(set(ranks))
    height = "high" if ranks[0] >= 11 else "middle" if ranks[0] >= 8 else "low"
    straights = sum(len(set(ranks) & run) == 3 for run in STRAIGHTS)
    near = sum(len(set(ranks) & run) == 2 for run in STRAIGHTS)
    indicators = {f"suits {colours}": 1.0, f"ranks {kinds}": 1.0, f"{height}, suits {colours}": 1.0}
    indicators |= {f"{place} card {rank}": 1.0 for place, rank in zip(("first", "second", "third"), ranks, strict=True)}
    indicators |= {
        f"straights {straights}": 1.0,
        "near straights": near / 3,
        "pair and two suits": float(kinds == colours == 2),
    }
    return indicators


def features(into: Path) -> tuple[list[Flop], Floats, Floats]:
    """Return all distinct flops, their chances and their features: mean 0, deviation 1, equal weight of both groups."""
    kinds, counts = list(list_canonical_flops()), np.array(list(list_canonical_flops().values()))
    chances = counts / counts.sum()
    seen = [looks(flop) for flop in kinds]
    names = sorted({name for entry in seen for name in entry})
    looked = np.array([[entry.get(name, 0.0) for name in names] for entry in seen])
    done = np.load(into / "choosing.npy")[:, :, 1:].reshape(len(kinds), -1)
    groups = []
    for group in (looked, done):
        centred = group - chances @ group
        scaled = centred / np.sqrt(chances @ centred**2)
        groups.append(scaled / np.sqrt(scaled.shape[1]))
    return kinds, chances, np.concatenate(groups, axis=1)


class Choice:
    """A list of flops, its weights and its score."""

    MEANS = 40.0
    """How much the means count beside the distances."""

    def __init__(self, kinds: Any, picked: list[int], chances: Floats, points: Floats, distances: Floats) -> None:
        self.picked = picked
        to = distances[:, picked]
        self.nearest = to.argmin(axis=1)
        self.shares = np.bincount(self.nearest, chances, len(picked)).astype(np.float64)
        self.spread = float(chances @ to[np.arange(len(to)), self.nearest])
        self.weights = balanced(points[picked], self.shares)
        missed = self.weights @ points[picked]
        self.score = self.spread + self.MEANS * float(missed @ missed)


def balanced(points: Floats, shares: Floats) -> Floats:
    """Return weights near the shares with a mean of the points near 0: least squares, within a factor of 3, sum 1."""
    from scipy.optimize import lsq_linear

    held = 0.02 / np.sqrt(shares)
    rows = np.vstack([points.T, np.diag(held), np.full((1, len(shares)), 100.0)])
    goal = np.concatenate([np.zeros(points.shape[1]), held * shares, [100.0]])
    solution = lsq_linear(rows, goal, bounds=(shares / 3, shares * 3 + 1e-12), method="bvls", max_iter=50).x
    return np.asarray(solution / solution.sum())


def choose(size: int, into: Path, tries: int, seed: int = 0) -> tuple[list[Flop], Floats]:
    """Choose `size` flops: spread out first, then exchanged one by one as long as the score falls."""
    kinds, chances, points = features(into)
    squares = (points**2).sum(axis=1)
    distances = np.maximum(squares[:, None] + squares[None, :] - 2 * points @ points.T, 0.0)
    draw = np.random.default_rng(seed)
    picked = [int(draw.choice(len(kinds), p=chances))]
    while len(picked) < size:  # k-means++
        nearest = distances[:, picked].min(axis=1) * chances
        picked.append(int(draw.choice(len(kinds), p=nearest / nearest.sum())))
    for _ in range(30):  # k-medoids
        near = distances[:, picked].argmin(axis=1)
        moved = []
        for cluster in range(size):
            inside = np.flatnonzero(near == cluster)
            cost = chances[inside] @ distances[np.ix_(inside, inside)]
            moved.append(int(inside[cost.argmin()]))
        if moved == picked:
            break
        picked = moved
    best = Choice(kinds, picked, chances, points, distances)
    for _ in range(tries):
        out = int(draw.integers(size))
        inside = np.flatnonzero(best.nearest == out)
        pool = inside if draw.random() < 0.7 and len(inside) > 1 else np.arange(len(kinds))
        new = int(draw.choice(pool))
        if new in best.picked:
            continue
        tried = Choice(kinds, [*best.picked[:out], new, *best.picked[out + 1 :]], chances, points, distances)
        if tried.score < best.score:
            best = tried
    print(f"{size}: spread {best.spread:.3f}, score {best.score:.4f}", flush=True)
    return [kinds[number] for number in best.picked], best.weights


def write(flops: list[Flop], weights: Floats) -> None:
    """A list as the package reads it, the heaviest flop first."""
    order = np.argsort(-weights)
    lines = [f"{format_cards(flops[number])} {weights[number]:.6f}" for number in order]
    head = f"# {len(flops)} flops and how much each counts; written by benchmarks/flops.py, see docs/reports.md"
    (FOLDER / f"{len(flops)}.txt").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")


def on_every_flop(file: Path, work: Callable[[Flop], Any]) -> list[Any]:
    """Return the results on each of the 1,755 flops, stored on the way so that a second call continues."""
    results: list[Any] = json.loads(file.read_text()) if file.exists() else []
    kinds = list(list_canonical_flops())
    for number in range(len(results), len(kinds)):
        results.append(work(kinds[number]))
        if len(results) % 25 == 0 or len(results) == len(kinds):
            file.write_text(json.dumps(results))
            print(f"{file.name}: {len(results)} of {len(kinds)}", flush=True)
    return results


def parsed(pairs: dict[str, tuple[str, str]]) -> list[tuple[Range, Range]]:
    return [(Range.parse(oop), Range.parse(ip)) for oop, ip in pairs.values()]


def play(flop: Flop) -> list[dict[str, float]]:
    """The small game of the first two pairs of ranges, and the equity of the third, on a flop."""
    pairs = parsed(JUDGING)
    games = [FlopGame(flop, *pair).solve() for pair in pairs[:2]]
    deals, equity = equities(flop, pairs[2:])[0, :2]
    return [*games, {"deals": deals, "equity": equity}]


def measure(into: Path) -> None:
    """The error of each list against all flops, and that of as many flops drawn by chance (the root of the mean square
    of 200 draws), in hundredths: of equity, of the pot, of a frequency."""
    played = json.loads((into / "played.json").read_text())
    place = {flop: number for number, flop in enumerate(list_canonical_flops())}
    counts = np.array(list(list_canonical_flops().values()))
    draw = np.random.default_rng(7)
    rows = []
    for size in SIZES:
        flops = parse_flops(str(size))
        numbers = np.array([place[find_canonical_flop(flop)] for flop in flops])
        errors: dict[str, list[float]] = {}
        chance: dict[str, list[float]] = {}
        for pair in range(len(JUDGING)):
            deals = np.array([results[pair]["deals"] for results in played])
            for name in played[0][pair]:
                if name in ("deals", "exploitability"):
                    continue
                values = np.array([results[pair][name] for results in played])
                whole = np.average(values, weights=counts * deals)
                estimate = np.average(values[numbers], weights=np.array(list(flops.values())) * deals[numbers])
                errors.setdefault(name, []).append(100 * (estimate - whole))
                drawn = [draw.choice(len(values), size, p=counts / counts.sum()) for _ in range(200)]
                chance.setdefault(name, []).append(
                    100 * np.sqrt(np.mean([(np.average(values[d], weights=deals[d]) - whole) ** 2 for d in drawn]))
                )
        for name in errors:
            signed = " ".join(f"{error:+.2f}" for error in errors[name])
            rows.append([str(size), name, signed, " ".join(f"{error:.2f}" for error in chance[name])])
    print(table(["flops", "mean of", "error", "by chance"], rows))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("features", "choose", "play", "measure"))
    parser.add_argument("--into", type=Path, required=True)
    options = parser.parse_args()
    options.into.mkdir(exist_ok=True)
    if options.what == "features":
        pairs = parsed(CHOOSING)
        figures = on_every_flop(options.into / "choosing.json", lambda flop: equities(flop, pairs, 3).tolist())
        np.save(options.into / "choosing.npy", np.array(figures))
    elif options.what == "play":
        on_every_flop(options.into / "played.json", play)
    elif options.what == "choose":
        for size in SIZES:
            write(*choose(size, options.into, TRIES[size]))
    else:
        measure(options.into)


if __name__ == "__main__":
    main()
