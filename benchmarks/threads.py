"""How far an iteration could be shared: the longest chain of work with 2 to 64 threads, counted, not timed.

    python benchmarks/threads.py --data FOLDER      # the folder with subgame1.txt .. subgame4.txt

The threads share the deals of the first place: whoever is free takes the next one, and what comes before and after the
deals is done by one of them. Work is counted in numbers: the rows of both players at a place times their hands. So the
table says what the division into jobs allows, before memory, the meetings of the threads and the ends are paid for.
"""

from __future__ import annotations

import argparse
import heapq

import numpy as np

import rue
from holdem import spots
from machine import table
from rue.forms.public_form import BOARD, BUNDLE, CHILDREN, FIRST_PLACE, GROUPS
from rue.forms.public_tree import PublicTree

THREADS = (2, 4, 8, 16, 32, 64)


def work(tree: PublicTree) -> tuple[float, list[float]]:
    """The work at the first place, and that of each deal with all that follows it."""
    form = tree.form
    below = (tree.row_counts * tree.widths).sum(axis=1).astype(np.float64)
    own = float(below[0])
    followers = form.boards[form.places[:, BOARD], CHILDREN] * form.bundles[form.places[:, BUNDLE], GROUPS]
    for place in range(len(form.places) - 1, -1, -1):
        first = form.places[place, FIRST_PLACE]
        below[place] += below[first : first + followers[place]].sum()
    first = form.places[0, FIRST_PLACE]
    return own, below[first : first + followers[0]].tolist()


def longest(own: float, jobs: list[float], threads: int) -> float:
    """The work of the thread that is done last, if each takes the next job as soon as it is free."""
    free = [0.0] * threads
    for job in jobs:
        heapq.heapreplace(free, free[0] + job)
    return own + max(free)


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $RUE_LIBRATUS)")
    parser.add_argument("--spots", default="", help="only spots whose name contains this")
    options = parser.parse_args()
    rows = []
    for name, spot in spots(options.data):
        if options.spots in name:
            own, jobs = work(rue.problem(spot).build())
            whole = own + sum(jobs)
            times = [f"{whole / longest(own, jobs, threads):.1f}" for threads in THREADS]
            largest = max(jobs, default=0.0) / whole
            rows.append([name, str(len(jobs)), f"{own / whole:.2%}", f"{largest:.2%}", *times])
    head = ["spot", "jobs", "alone", "largest job", *(f"{threads} threads" for threads in THREADS)]
    print(table(head, rows))


if __name__ == "__main__":
    main()
