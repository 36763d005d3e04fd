"""The four endgames of the Libratus matches: public files of `-round`, `-board`, `-pot` and `-reach`.

The reach holds 2,652 numbers: 1,326 for the player out of position, then 1,326 for the button, in the order
of `zerosum.holdem.cards.cards.HANDS`. Each player has 20,000 chips in all and the big blind is 100. The files are not
part of this package: they are read from a folder, named by an option or by the variable ZEROSUM_LIBRATUS.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from zerosum.holdem.cards.cards import HAND_COUNT, parse_board
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError
from zerosum.support.files import read_text_file
from zerosum.support.options import option_name
from zerosum.support.user_modules import expand_home

FOLDER_VARIABLE = "ZEROSUM_LIBRATUS"
"""The environment variable that names the folder of the files."""
SOURCE_URLS = ("https://github.com/CMU-EM/LibratusEndgames", "https://github.com/Sandholm-Lab/LibratusEndgames")
"""Where the files are published: the address in the papers, and another one of the same repository."""
STARTING_STACK = 20_000
"""The chips of each player, the share of the pot included."""
FIELDS = ("-round", "-board", "-pot", "-reach")


def load_endgame(number: int | str, folder: str | Path | None = None) -> Spot:
    """Load endgame 1, 2, 3 or 4 from `subgame1.txt` to `subgame4.txt` in a folder, with the bets of the literature."""
    where = folder or os.environ.get(FOLDER_VARIABLE)
    if not where:
        raise ZerosumError(
            f"the Libratus files subgame1.txt to subgame4.txt are missing: name their folder ({option_name('folder')}) "
            f"or set {FOLDER_VARIABLE} to it; "
            f"they are at {' and at '.join(SOURCE_URLS)}"
        )
    if str(number).strip() not in ("1", "2", "3", "4"):
        raise ZerosumError(f"there is no Libratus endgame {number}; there are 1, 2, 3 and 4")
    return read_endgame(expand_home(where) / f"subgame{str(number).strip()}.txt")


def read_endgame(path: Path) -> Spot:
    """Read a spot from a file in the format of the Libratus endgames."""
    text = read_text_file(path, "the Libratus file")
    try:
        return _parse_endgame(text, f"libratus:{path.stem.removeprefix('subgame')}")
    except ZerosumError as error:
        raise ZerosumError(f"{path}: {error}") from None


def _parse_endgame(text: str, name: str) -> Spot:
    start, *parts = re.split(rf"(?:^|\s)({'|'.join(FIELDS)})(?=\s|$)", text)
    if start.strip():
        raise ZerosumError(f"it starts with {start.split()[0][:20]!r} instead of one of {', '.join(FIELDS)}")
    fields = dict(zip(parts[::2], map(str.split, parts[1::2]), strict=True))
    for field in FIELDS:
        if parts[::2].count(field) > 1:
            raise ZerosumError(f"{field} appears twice")
        if field not in fields:
            raise ZerosumError(f"it has no {field}")
        if field != "-reach" and len(fields[field]) != 1:
            raise ZerosumError(f"{field} needs one value, not {len(fields[field])}")
    (street,), (cards,), (chips,), reach = (fields[field] for field in FIELDS)
    board = parse_board(cards)
    if street != str(len(board) - 1):
        raise ZerosumError(f"-round is {street} but the board has {len(board)} cards")
    try:
        pot = float(chips)
    except ValueError:
        raise ZerosumError(f"-pot is {chips!r} instead of a number") from None
    if not 0 < pot < 2 * STARTING_STACK:
        raise ZerosumError(f"-pot is {pot:g}; it must lie between 0 and {2 * STARTING_STACK:,}")
    if len(reach) != 2 * HAND_COUNT:
        raise ZerosumError(f"-reach has {len(reach):,} numbers instead of {2 * HAND_COUNT:,}")
    oop, ip = Range.from_numbers(reach[:HAND_COUNT]), Range.from_numbers(reach[HAND_COUNT:])
    return Spot(board, pot, STARTING_STACK - pot / 2, oop, ip, name=name)
