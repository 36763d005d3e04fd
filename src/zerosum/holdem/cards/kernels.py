"""Kernels of cards: how strong hands are, and how they compare.

A set of ranks is an integer with a bit for each rank, bit 0 for the two.
"""

from __future__ import annotations

from zerosum.engine.updates.blocks import Block, Integers, Row
from zerosum.native.decorators import kernel


@kernel
def count_ranks(ranks: int) -> int:
    """Return the number of ranks in a set."""
    pairs = ranks - ((ranks >> 1) & 0x1555)
    fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333)
    eights = (fours + (fours >> 4)) & 0x0F0F
    return (eights + (eights >> 8)) & 0x1F


@kernel
def keep_highest_ranks(ranks: int, count: int) -> int:
    """Return the `count` highest ranks of a set of ranks, as a set."""
    for _ in range(count_ranks(ranks) - count):
        ranks &= ranks - 1
    return ranks


@kernel
def find_straight(ranks: int) -> int:
    """Return the highest straight in a set of ranks as the bit of its lowest card, bit 0 for the low ace; or 0."""
    line = (ranks << 1) | ((ranks >> 12) & 1)
    return keep_highest_ranks(line & (line >> 1) & (line >> 2) & (line >> 3) & (line >> 4), 1)


@kernel
def compute_strength_without_flush(once: int, twice: int, thrice: int, four_times: int) -> int:
    """Return the strength without flushes, from the sets of ranks held at least once, twice, thrice, four times."""
    if four_times:
        return (7 << 26) | (four_times << 13) | keep_highest_ranks(once ^ four_times, 1)
    if thrice:
        best = keep_highest_ranks(thrice, 1)
        if twice != best:
            return (6 << 26) | (best << 13) | keep_highest_ranks(twice ^ best, 1)
    run = find_straight(once)
    if run:
        return (4 << 26) | run
    if thrice:
        return (3 << 26) | (thrice << 13) | keep_highest_ranks(once ^ thrice, 2)
    if twice & (twice - 1):
        best = keep_highest_ranks(twice, 2)
        return (2 << 26) | (best << 13) | keep_highest_ranks(once ^ best, 1)
    if twice:
        return (1 << 26) | (twice << 13) | keep_highest_ranks(once ^ twice, 3)
    return keep_highest_ranks(once, 5)


@kernel
def compute_flush_strength(suited: int) -> int:
    """Return the strength of five or more ranks of one suit."""
    run = find_straight(suited)
    return (8 << 26) | run if run else (5 << 26) | keep_highest_ranks(suited, 5)


@kernel
def fill_board_strengths(board: Integers, table: Row, out: Row) -> None:
    """Write the strengths of the 1,326 hands on one board; the arguments are rows of those of `fill_strengths`."""
    once = twice = thrice = four_times = 0
    suits = blocked = 0  # thirteen bits a suit, a bit a card
    for card in board:
        bit = 1 << (card >> 2)
        four_times |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
        suits |= bit << (13 * (card & 3))
        blocked |= 1 << card
    for low in range(13):
        bit = 1 << low
        four_times_low = four_times | (thrice & bit)
        thrice_low = thrice | (twice & bit)
        twice_low = twice | (once & bit)
        once_low = once | bit
        for high in range(low, 13):
            bit = 1 << high
            table[13 * low + high] = compute_strength_without_flush(
                once_low | bit,
                twice_low | (once_low & bit),
                thrice_low | (twice_low & bit),
                four_times_low | (thrice_low & bit),
            )
    flush, suited = -1, 0
    for suit in range(4):
        held = (suits >> (13 * suit)) & 0x1FFF
        if count_ranks(held) >= 3:
            flush, suited = suit, held
    hand = 0
    for first in range(52):
        first_bit = 1 << (first >> 2) if first & 3 == flush else 0
        for second in range(first + 1, 52):
            if (blocked >> first) & 1 or (blocked >> second) & 1:
                out[hand] = -1
            else:
                out[hand] = table[13 * (first >> 2) + (second >> 2)]
                if flush >= 0:
                    second_bit = 1 << (second >> 2) if second & 3 == flush else 0
                    if count_ranks(suited | first_bit | second_bit) >= 5:
                        out[hand] = compute_flush_strength(suited | first_bit | second_bit)
            hand += 1


@kernel
def fill_strengths(boards: Integers, table: Row, out: Row) -> None:
    """Write the strengths of the 1,326 hands on each of several boards.

    - `boards`: (boards, 5) int64, the cards of each board.
    - `table`: (169,) int32, scratch for the strengths by the two ranks of a hand.
    - `out`: (boards, 1326) int32, the strengths; -1 where the board blocks the hand.

    The plain twin is `strength` in `tests/twins/hand_strength.py`.
    """
    for index in range(boards.shape[0]):
        fill_board_strengths(boards[index], table, out[index])


@kernel
def add_comparison(matrix: Block, strength_one: Row, strength_two: Row, cards_one: Block, cards_two: Block) -> None:
    """Add 1 where the first hand wins and -1 where it loses, for each pair of hands that share no card.

    - `matrix`: (hands of the first player, hands of the second) float32, increased in place.
    - `strength_one`, `strength_two`: a strength for each hand of the player.
    - `cards_one`, `cards_two`: (hands, 2) the cards of each hand.

    The plain twin is `comparison` in `tests/twins/equity.py`.
    """
    for i in range(len(strength_one)):
        a, b = cards_one[i, 0], cards_one[i, 1]
        for j in range(len(strength_two)):
            c, d = cards_two[j, 0], cards_two[j, 1]
            if a != c and a != d and b != c and b != d:
                if strength_one[i] > strength_two[j]:
                    matrix[i, j] += 1
                elif strength_one[i] < strength_two[j]:
                    matrix[i, j] -= 1


@kernel
def add_equities(strengths: Block, hands: Block, weights: Row, opposing: Row, won: Row, mass: Row) -> None:
    """Add to each hand the opponent's weight that it beats on each board, and the opponent's weight that it meets.

    - `strengths`: (boards, 1326) int32, as `fill_strengths` writes them.
    - `hands`: (1326, 2) int64, the cards of each hand.
    - `weights`, `opposing`: (1326,) float64, the ranges of the player and of the opponent.
    - `won`, `mass`: (1326,) float64, increased in place; a tie wins half of the weight.

    The plain twin is `equity` in `tests/twins/equity.py`.
    """
    for index in range(len(strengths)):
        strength = strengths[index]
        for hand in range(len(hands)):
            if weights[hand] > 0 and strength[hand] >= 0:
                a, b = hands[hand, 0], hands[hand, 1]
                gain = against = 0.0
                for opponent in range(len(hands)):
                    c, d = hands[opponent, 0], hands[opponent, 1]
                    if opposing[opponent] > 0 and strength[opponent] >= 0 and a != c and a != d and b != c and b != d:
                        against += opposing[opponent]
                        if strength[hand] > strength[opponent]:
                            gain += opposing[opponent]
                        elif strength[hand] == strength[opponent]:
                            gain += 0.5 * opposing[opponent]
                won[hand] += gain
                mass[hand] += against
