"""Poker that people ask for and that is not solved, or has another name here: an explanation for each."""

from __future__ import annotations

import re

HEADS_UP = (
    "two-player no-limit hold'em is solved from a flop, turn or river on, as in zerosum solve spot:flop, or "
    "zerosum solve holdem with --board, --pot and --stack (zerosum.holdem.spot)"
)
ALL_IN = "before the flop, all-in or fold is solved: zerosum solve 'pushfold(stack=10)'"

_PLAYERS = re.compile(r"(?:[3-9]|10)[-_ ]?(?:max|way|handed|players?)|multi-?way|multi-?player|full-?ring|ring")
_KINDS = (
    (re.compile(r"pre-?flop.*"), f"hold'em with bets before the flop is not solved; {ALL_IN}; {HEADS_UP}"),
    (re.compile(r"(?:plo|nlo|omaha).*"), f"Omaha is not solved, as hands here have two cards; {HEADS_UP}"),
    (_PLAYERS, f"more than two players are not solved; {HEADS_UP}"),
    (re.compile(r"(?:icm|mtt|sng|tournaments?)"), f"payouts of tournaments are not known here, chips are; {HEADS_UP}"),
    (
        re.compile(r"short-?deck|6\+.*|(?:limit|fixed-limit|fl)-?(?:holdem|hold'em|he)|hulhe|flhe|stud.*|razz|badugi|draw.*"),
        f"no other poker than that of the list of games (zerosum games) is solved; {HEADS_UP}",
    ),
    (
        re.compile(r"poker|hold'em|nl-?he?|nl-?hold'?em|(?:no-limit-|texas-|texas_|hu-?|heads-?up-)+(?:hold'?em|nl)?|texas|hu-?nl.*"),
        f"hold'em is called holdem here: {HEADS_UP}",
    ),
)  # fmt: skip


def explain_other_poker(name: str) -> str | None:
    """Return a hint for poker under another name, or of a kind that is not solved.

    >>> explain_other_poker("leduk")
    >>> explain_other_poker("plo")
    "Omaha is not solved, as hands here have two cards; two-player no-limit hold'em is solved from a flop, turn or \
river on, as in zerosum solve spot:flop, or zerosum solve holdem with --board, --pot and --stack (zerosum.holdem.spot)"
    """
    plain, _, inside = name.strip().lower().partition("(")
    if plain == "holdem" and inside:
        if re.search(r"players?\s*=\s*(?!\s*2\s*[,)])|" + _PLAYERS.pattern, inside):
            return f"more than two players are not solved; {HEADS_UP}"
        return f"the parts of a hold'em spot are options, or stand in a file, not in brackets: {HEADS_UP}"
    return next((sentence for kind, sentence in _KINDS if kind.fullmatch(plain)), None)
