"""How far an iteration could be shared: the longest chain of work with 2 to 64 threads, counted, not timed.

    python benchmarks/threads.py --data FOLDER      # the folder with subgame1.txt .. subgame4.txt

The threads share the deals of the first place: a free thread takes the next one. Of the last deals (two for each
thread) the deals that follow are shared too, a piece each. The work before and after deals is done by one thread.
Work is counted in numbers: the rows of both players at a place times their hands. So the table says what the division
into jobs allows, before memory, the meetings of the threads and the ends are paid for.
"""

from __future__ import annotations

import argparse
import heapq
from typing import NamedTuple

import numpy as np

import zerosum
from holdem import spots
from machine import table
from zerosum.engine.forms.public.columns import FIRST_PLACE
from zerosum.engine.forms.public.tree import PublicTree

THREADS = (2, 4, 8, 16, 32, 64)


class Deal(NamedTuple):
    """The work at the place after a deal, and that of each deal after it with all that follows."""

    at_place: float
    pieces: list[float]


def work(tree: PublicTree) -> tuple[float, list[Deal]]:
    """The work at the first place, and that of each deal."""
    work_at = (tree.row_counts * tree.widths).sum(axis=1).astype(np.float64)
    below, first = work_at.copy(), tree.tables.places[:, FIRST_PLACE]
    for place in range(len(work_at) - 1, -1, -1):
        below[place] += below[first[place] : first[place] + tree.follower_counts[place]].sum()
    after = range(*tree.deal_places.indices(len(work_at)))
    deals = [Deal(work_at[k], below[first[k] : first[k] + tree.follower_counts[k]].tolist()) for k in after]
    return float(work_at[0]), deals


def longest(root_work: float, deals: list[Deal], threads: int) -> float:
    """Return the time at which the last thread is done, if each works as `zerosum.engine.public.walk` prescribes.

    Half of a place's own work is done before what follows it, half after.
    """
    events = [(0.0, thread) for thread in range(threads)]
    offers: dict[int, list[float]] = {}
    returned: dict[int, float] = {}
    closing: dict[int, float] = {}
    idle: list[int] = []
    waiting, last = list(deals), 0.0
    while events:
        now, thread = heapq.heappop(events)
        last = max(last, now)
        owner = thread if thread in offers else next((other for other in offers if offers[other]), None)
        if thread in offers and not offers[thread]:
            del offers[thread]
            heapq.heappush(events, (max(now, returned[thread]) + closing[thread], thread))
        elif thread not in offers and waiting:
            deal = waiting.pop(0)
            if deal.pieces and len(waiting) < 2 * threads:
                offers[thread], returned[thread], closing[thread] = list(deal.pieces), now, deal.at_place / 2
                now += deal.at_place / 2
                events += [(now, other) for other in idle]
                heapq.heapify(events)
                idle.clear()
                heapq.heappush(events, (now, thread))
            else:
                heapq.heappush(events, (now + deal.at_place + sum(deal.pieces), thread))
        elif owner is None:
            idle.append(thread)
        else:
            done = now + offers[owner].pop()
            returned[owner] = max(returned[owner], done)
            heapq.heappush(events, (done, thread))
    return root_work + last


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $ZEROSUM_LIBRATUS)")
    parser.add_argument("--spots", default="", help="only spots whose name contains this")
    options = parser.parse_args()
    rows = []
    for name, spot in spots(options.data):
        if options.spots in name:
            root_work, deals = work(zerosum.problem(spot).build_form())
            jobs = [job for deal in deals for job in deal.pieces or [deal.at_place]]
            whole = root_work + sum(deal.at_place + sum(deal.pieces) for deal in deals)
            times = [f"{whole / longest(root_work, deals, threads):.1f}" for threads in THREADS]
            largest = max(jobs, default=0.0) / whole
            rows.append([name, str(len(jobs)), f"{root_work / whole:.2%}", f"{largest:.2%}", *times])
    head = ["spot", "jobs", "alone", "largest job", *(f"{threads} threads" for threads in THREADS)]
    print(table(head, rows))


if __name__ == "__main__":
    main()
