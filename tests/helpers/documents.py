"""What documents show: their blocks, and outputs as they are compared."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def blocks(text: str, language: str) -> list[str]:
    """The blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def plain(text: str) -> list[str]:
    """The lines of an output without a chart, times and the width of columns; numbers to four places."""
    lines = [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if not re.search("[│┤└]", line)]
    lines = [re.sub(r"\d[\d,]*(?:\.\d+)?(?:e-\d+)?( s\b|/s\b)?", _short, line) for line in lines]
    return [line for line in lines if set(line) - set(" ─")]


def _short(number: re.Match[str]) -> str:
    return "TIME" if number[1] else f"{float(number[0].replace(',', '')):.4f}"
