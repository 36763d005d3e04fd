"""Many seeds of a sampled run on a spot: all cores, one seed each, and the mean with its band."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rue.algorithms.algorithm import Algorithm
from rue.forms.public_tree import PublicTree
from rue.holdem.estimate import estimate, supported
from rue.holdem.form import public_tree
from rue.holdem.solve import sampler_of, warm_up
from rue.holdem.spots import Spot
from rue.solvers.iterate import Iterating
from rue.solvers.limits import Limits
from rue.solvers.seeds import Repeated, check_seeds, means, run_seeds


def repeat(
    spot: Spot,
    algorithm: str | Algorithm = "mccfr",
    *,
    seeds: int | Iterable[int] = 10,
    iterations: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    isomorphism: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Repeated:
    """Solve a spot with many seeds of an algorithm that samples; see `rue.repeat`. Numbers are in chips.

    >>> from rue.holdem.files import load_spot
    >>> runs = repeat(load_spot("river"), "mccfr", seeds=4, nodes=10**6)
    >>> len(runs.reached), runs.low < runs.exploitability < runs.high
    (4, True)
    """
    limits = Limits(iterations, None, seconds, threads, nodes)
    chosen = check_seeds(supported(algorithm), limits)
    estimate(spot, chosen, isomorphism=isomorphism, threads=threads).check()
    numbers = range(seeds) if isinstance(seeds, int) else seeds
    return repeat_tree(spot, public_tree(spot, isomorphism), chosen, numbers, limits, progress)


def repeat_tree(
    spot: Spot,
    tree: PublicTree,
    algorithm: Algorithm,
    seeds: Iterable[int],
    limits: Limits,
    progress: Callable[[int, int], None] | None = None,
) -> Repeated:
    """Many seeds on the tree of a spot."""
    numbers = tuple(seeds)
    alone = replace(limits, threads=1)

    def solver_of(seed: int) -> Iterating:
        return sampler_of(tree, algorithm, alone, seed)

    warm_up(algorithm)
    runs = run_seeds(solver_of, numbers, limits, progress)
    return Repeated(
        game=str(spot),
        algorithm=algorithm.name,
        infosets=tree.infosets,
        sequences=tree.sequences,
        **means(runs, numbers),
    )
