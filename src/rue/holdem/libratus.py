"""The four endgames of the Libratus matches: public files of `-round`, `-board`, `-pot` and `-reach`.

The reach holds 2,652 numbers: 1,326 for the player out of position, then 1,326 for the button, in the order
of `rue.holdem.cards.HANDS`. Each player has 20,000 chips in all and the big blind is 100. The files are not
part of this package: they are read from a folder, named by an option or by the variable RUE_LIBRATUS.
"""

from __future__ import annotations

import os
from pathlib import Path

from rue.disk import text_of
from rue.errors import RueError
from rue.holdem.betting import Betting
from rue.holdem.cards import HAND_COUNT, parse_board
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot
from rue.python_files import home_path

VARIABLE = "RUE_LIBRATUS"
"""The environment variable that names the folder of the files."""
PLACES = ("https://github.com/CMU-EM/LibratusEndgames", "https://github.com/Sandholm-Lab/LibratusEndgames")
"""Where the files are published: where the papers say, and where the repository is also found."""
CHIPS = 20_000
"""What each player has in all, the share of the pot included."""
FIELDS = ("-round", "-board", "-pot", "-reach")


def load(number: int | str, folder: str | Path | None = None, betting: Betting | None = None) -> Spot:
    """Endgame 1, 2, 3 or 4 from `subgame1.txt` to `subgame4.txt` of a folder."""
    where = folder or os.environ.get(VARIABLE)
    if not where:
        raise RueError(
            f"say which folder holds the Libratus files subgame1.txt to subgame4.txt, or set {VARIABLE} to it; "
            f"they are at {' and at '.join(PLACES)}"
        )
    if str(number).strip() not in ("1", "2", "3", "4"):
        raise RueError(f"there is no Libratus endgame {number}; there are 1, 2, 3 and 4")
    return read(home_path(where) / f"subgame{str(number).strip()}.txt", betting)


def read(path: Path, betting: Betting | None = None) -> Spot:
    """A spot from a file in the format of the Libratus endgames; bets as in the literature unless given."""
    words = text_of(path, "the Libratus file").split()
    try:
        return _spot(words, f"libratus:{path.stem.removeprefix('subgame')}", betting or Betting.parse())
    except RueError as error:
        raise RueError(f"{path}: {error}") from None


def _spot(words: list[str], name: str, betting: Betting) -> Spot:
    fields = _fields(words)
    board = parse_board(_one(fields, "-board"))
    if _one(fields, "-round") != str(len(board) - 1):
        raise RueError(f"-round is {fields['-round'][0]} but the board has {len(board)} cards")
    pot = _chips(_one(fields, "-pot"))
    if not 0 < pot < 2 * CHIPS:
        raise RueError(f"-pot is {pot:g}; it must lie between 0 and {2 * CHIPS:,}")
    reach = fields["-reach"]
    if len(reach) != 2 * HAND_COUNT:
        raise RueError(f"-reach has {len(reach):,} numbers instead of {2 * HAND_COUNT:,}")
    oop, ip = (Range.from_numbers(part) for part in (reach[:HAND_COUNT], reach[HAND_COUNT:]))
    return Spot(board, pot, CHIPS - pot / 2, oop, ip, betting, name=name)


def _fields(words: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        if word in FIELDS:
            if word in found:
                raise RueError(f"{word} appears twice")
            found[word] = []
        elif not found:
            raise RueError(f"it starts with {word[:20]!r} instead of one of {', '.join(FIELDS)}")
        else:
            found[next(reversed(found))].append(word)
    missing = [field for field in FIELDS if field not in found]
    if missing:
        raise RueError(f"it has no {missing[0]}")
    return found


def _one(fields: dict[str, list[str]], field: str) -> str:
    if len(fields[field]) != 1:
        raise RueError(f"{field} needs one value, not {len(fields[field])}")
    return fields[field][0]


def _chips(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RueError(f"-pot is {text!r} instead of a number") from None
