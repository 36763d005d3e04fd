"""A strategy as a text that other programs write."""

from __future__ import annotations

import csv
import io

from zerosum.results.game_result import GameResult


def as_csv(
    result: GameResult, columns: tuple[str, ...] = ("player", "infoset", "reach", "action", "probability")
) -> str:
    """Its rows with some of their columns."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(result.rows())
    return text.getvalue()
