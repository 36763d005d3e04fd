"""Values that are computed once, even if several threads ask at the same time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import zerosum
from zerosum.engine.forms.sequence.history_tree import DATA, PLAYER
from zerosum.games.game import CHANCE
from zerosum.support.thread_safety import cached_property


class Slow:
    def __init__(self) -> None:
        self.times = 0

    @cached_property
    def value(self) -> object:
        self.times += 1
        time.sleep(0.05)
        return object()


def test_threads_that_ask_at_once_get_the_same_value() -> None:
    slow = Slow()
    with ThreadPoolExecutor(4) as threads:
        assert len({id(value) for value in threads.map(lambda _: slow.value, range(4))}) == 1
    assert slow.times == 1
    assert isinstance(Slow.value, cached_property)


def test_the_histories_of_a_game_are_numbered_once() -> None:
    """The slots of the second player are counted on where they stand: twice would lead kernels out of their arrays."""
    for _ in range(20):
        form = zerosum.compile_game(zerosum.game("kuhn"))
        with ThreadPoolExecutor(4) as threads:
            trees = list(threads.map(lambda _, form=form: form.history_tree, range(4)))
        assert all(tree is trees[0] for tree in trees)
        decisions = trees[0].nodes[trees[0].nodes[:, PLAYER] < CHANCE]
        assert decisions[:, DATA].max() < form.sequences
