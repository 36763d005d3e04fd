"""Every figure by its key."""

from __future__ import annotations

from rue.errors import RueError, nearest
from rue.papers import dcfr, ecfr, icfr, spcfr, trm
from rue.papers.figure import Figure

FIGURES: dict[str, Figure] = {
    figure.key: figure for paper in (dcfr, spcfr, ecfr, icfr, trm) for figure in paper.FIGURES
}
"""In the order of the papers."""
LEFT_OUT = {"trm-1": "a diagram of the proof that has no numbers"}
"""Figures of the papers that are not made."""
ALL = "all"


def figures(keys: list[str]) -> list[Figure]:
    """The figures of some keys; a paper's key stands for all of its figures, `all` for all there are.

    >>> [figure.key for figure in figures(["icfr"])]
    ['icfr-1', 'icfr-2', 'icfr-table1', 'icfr-choices', 'icfr-space']
    """
    chosen: dict[str, Figure] = {}
    for key in keys:
        name = key.strip().lower()
        found = [figure for figure in FIGURES.values() if name in (ALL, figure.key, figure.paper)]
        if not found:
            papers = dict.fromkeys(figure.paper for figure in FIGURES.values())
            raise RueError(f"there is no figure {key!r}; {nearest(name, [*FIGURES, *papers, ALL])}")
        chosen |= {figure.key: figure for figure in found}
    return list(chosen.values())
