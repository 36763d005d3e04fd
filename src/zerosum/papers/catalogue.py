"""Every figure by its key."""

from __future__ import annotations

from zerosum.papers.definitions import dcfr, ecfr, icfr, spcfr, trm
from zerosum.papers.figure import Figure
from zerosum.support.errors import ZerosumError, suggest_names

FIGURES: dict[str, Figure] = {
    figure.key: figure for paper in (dcfr, spcfr, ecfr, icfr, trm) for figure in paper.FIGURES
}
"""In the order of the papers."""
LEFT_OUT = {"trm-1": "a diagram of the proof that has no numbers"}
"""Figures of the papers that are not reproduced, and why."""
ALL = "all"


def find_figures(keys: list[str]) -> list[Figure]:
    """Return the figures with some keys; the key of a paper stands for all of its figures, `all` for all there are.

    >>> [figure.key for figure in find_figures(["icfr"])]
    ['icfr-1', 'icfr-2', 'icfr-table1', 'icfr-choices', 'icfr-space']
    """
    chosen: dict[str, Figure] = {}
    for key in keys:
        name = key.strip().lower()
        matches = [figure for figure in FIGURES.values() if name in (ALL, figure.key, figure.paper)]
        if not matches:
            papers = dict.fromkeys(figure.paper for figure in FIGURES.values())
            raise ZerosumError(f"there is no figure {key!r}; {suggest_names(name, [*FIGURES, *papers, ALL])}")
        chosen |= {figure.key: figure for figure in matches}
    return list(chosen.values())
