"""The four endgames of the Libratus matches: public files of `-round`, `-board`, `-pot` and `-reach`.

The reach holds 2,652 numbers: 1,326 for the player out of position, then 1,326 for the button, in the order
of `zerosum.holdem.cards.cards.HANDS`. Each player has 20,000 chips in all and the big blind is 100. The files are not
part of this package: they are read from a folder, named by an option or by the variable ZEROSUM_LIBRATUS.
"""

from __future__ import annotations

import os
from pathlib import Path

from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.cards.cards import HAND_COUNT, parse_board
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError
from zerosum.support.files import read_text_file
from zerosum.support.user_modules import expand_home

FOLDER_VARIABLE = "ZEROSUM_LIBRATUS"
"""The environment variable that names the folder of the files."""
SOURCE_URLS = ("https://github.com/CMU-EM/LibratusEndgames", "https://github.com/Sandholm-Lab/LibratusEndgames")
"""Where the files are published: where the papers say, and where the repository is also found."""
STARTING_STACK = 20_000
"""What each player has in all, the share of the pot included."""
FIELDS = ("-round", "-board", "-pot", "-reach")


def load_endgame(
    number: int | str, folder: str | Path | None = None, betting: BettingAbstraction | None = None
) -> Spot:
    """Load endgame 1, 2, 3 or 4 from `subgame1.txt` to `subgame4.txt` in a folder."""
    where = folder or os.environ.get(FOLDER_VARIABLE)
    if not where:
        raise ZerosumError(
            f"say which folder holds the Libratus files subgame1.txt to subgame4.txt, or set {FOLDER_VARIABLE} to it; "
            f"they are at {' and at '.join(SOURCE_URLS)}"
        )
    if str(number).strip() not in ("1", "2", "3", "4"):
        raise ZerosumError(f"there is no Libratus endgame {number}; there are 1, 2, 3 and 4")
    return read_endgame(expand_home(where) / f"subgame{str(number).strip()}.txt", betting)


def read_endgame(path: Path, betting: BettingAbstraction | None = None) -> Spot:
    """Read a spot from a file in the format of the Libratus endgames; by default with the bets of the literature."""
    words = read_text_file(path, "the Libratus file").split()
    try:
        return _spot(words, f"libratus:{path.stem.removeprefix('subgame')}", betting or BettingAbstraction.parse())
    except ZerosumError as error:
        raise ZerosumError(f"{path}: {error}") from None


def _spot(words: list[str], name: str, betting: BettingAbstraction) -> Spot:
    fields = _fields(words)
    board = parse_board(_single_value(fields, "-board"))
    if _single_value(fields, "-round") != str(len(board) - 1):
        raise ZerosumError(f"-round is {fields['-round'][0]} but the board has {len(board)} cards")
    pot = _chips(_single_value(fields, "-pot"))
    if not 0 < pot < 2 * STARTING_STACK:
        raise ZerosumError(f"-pot is {pot:g}; it must lie between 0 and {2 * STARTING_STACK:,}")
    reach = fields["-reach"]
    if len(reach) != 2 * HAND_COUNT:
        raise ZerosumError(f"-reach has {len(reach):,} numbers instead of {2 * HAND_COUNT:,}")
    oop, ip = (Range.from_numbers(part) for part in (reach[:HAND_COUNT], reach[HAND_COUNT:]))
    return Spot(board, pot, STARTING_STACK - pot / 2, oop, ip, betting, name=name)


def _fields(words: list[str]) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for word in words:
        if word in FIELDS:
            if word in fields:
                raise ZerosumError(f"{word} appears twice")
            fields[word] = []
        elif not fields:
            raise ZerosumError(f"it starts with {word[:20]!r} instead of one of {', '.join(FIELDS)}")
        else:
            fields[next(reversed(fields))].append(word)
    missing = [field for field in FIELDS if field not in fields]
    if missing:
        raise ZerosumError(f"it has no {missing[0]}")
    return fields


def _single_value(fields: dict[str, list[str]], field: str) -> str:
    if len(fields[field]) != 1:
        raise ZerosumError(f"{field} needs one value, not {len(fields[field])}")
    return fields[field][0]


def _chips(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ZerosumError(f"-pot is {text!r} instead of a number") from None
