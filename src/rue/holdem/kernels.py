"""Kernels of cards: how strong hands are, and how they compare."""

from __future__ import annotations

from rue.native.compiled import compiled


@compiled
def count_bits(ranks):
    """How many ranks a set holds."""
    pairs = ranks - ((ranks >> 1) & 0x1555)
    fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333)
    eights = (fours + (fours >> 4)) & 0x0F0F
    return (eights + (eights >> 8)) & 0x1F


@compiled
def highest(ranks, count):
    """The highest `count` ranks of a set."""
    for _ in range(count_bits(ranks) - count):
        ranks &= ranks - 1
    return ranks


@compiled
def straight(ranks):
    """The highest straight in a set of ranks as the bit of its lowest card, bit 0 for the low ace; or 0."""
    line = (ranks << 1) | ((ranks >> 12) & 1)
    return highest(line & (line >> 1) & (line >> 2) & (line >> 3) & (line >> 4), 1)


@compiled
def ranks_strength(one, two, three, four):
    """The strength without flushes, from the sets of ranks held at least once, twice, three, four times."""
    if four:
        return (7 << 26) | (four << 13) | highest(one ^ four, 1)
    if three:
        best = highest(three, 1)
        if two != best:
            return (6 << 26) | (best << 13) | highest(two ^ best, 1)
    run = straight(one)
    if run:
        return (4 << 26) | run
    if three:
        return (3 << 26) | (three << 13) | highest(one ^ three, 2)
    if two & (two - 1):
        best = highest(two, 2)
        return (2 << 26) | (best << 13) | highest(one ^ best, 1)
    if two:
        return (1 << 26) | (two << 13) | highest(one ^ two, 3)
    return highest(one, 5)


@compiled
def flush_strength(suited):
    """The strength of five or more ranks of one suit."""
    run = straight(suited)
    return (8 << 26) | run if run else (5 << 26) | highest(suited, 5)


@compiled
def fill_strengths(board, table, out):
    """Write the strengths of the 1,326 hands on a board of five cards; -1 where the hand is blocked.

    `table` has room for what two ranks make, 13 times 13 numbers.
    """
    one = two = three = four = 0
    suits = blocked = 0  # thirteen bits a suit, a bit a card
    for card in board:
        bit = 1 << (card >> 2)
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
        suits |= bit << (13 * (card & 3))
        blocked |= 1 << card
    for low in range(13):
        bit = 1 << low
        four1 = four | (three & bit)
        three1 = three | (two & bit)
        two1 = two | (one & bit)
        one1 = one | bit
        for high in range(low, 13):
            bit = 1 << high
            table[13 * low + high] = ranks_strength(
                one1 | bit, two1 | (one1 & bit), three1 | (two1 & bit), four1 | (three1 & bit)
            )
    flush, suited = -1, 0
    for suit in range(4):
        held = (suits >> (13 * suit)) & 0x1FFF
        if count_bits(held) >= 3:
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
                    if count_bits(suited | first_bit | second_bit) >= 5:
                        out[hand] = flush_strength(suited | first_bit | second_bit)
            hand += 1


@compiled
def fill_boards(boards, table, out):
    """Write the strengths of the 1,326 hands on each of several boards of five cards."""
    for index in range(boards.shape[0]):
        fill_strengths(boards[index], table, out[index])


@compiled
def add_comparison(matrix, strength_one, strength_two, cards_one, cards_two):
    """Add 1 where the first hand wins and -1 where it loses, for each pair of hands that share no card."""
    for i in range(len(strength_one)):
        a, b = cards_one[i, 0], cards_one[i, 1]
        for j in range(len(strength_two)):
            c, d = cards_two[j, 0], cards_two[j, 1]
            if a != c and a != d and b != c and b != d:
                if strength_one[i] > strength_two[j]:
                    matrix[i, j] += 1
                elif strength_one[i] < strength_two[j]:
                    matrix[i, j] -= 1


@compiled
def add_runouts(strengths, hands, own, other, won, mass):
    """Add to each hand what it wins from the other range on each board, and what it plays against."""
    for index in range(len(strengths)):
        strength = strengths[index]
        for one in range(len(hands)):
            if own[one] > 0 and strength[one] >= 0:
                a, b = hands[one, 0], hands[one, 1]
                gain = met = 0.0
                for two in range(len(hands)):
                    c, d = hands[two, 0], hands[two, 1]
                    if other[two] > 0 and strength[two] >= 0 and a != c and a != d and b != c and b != d:
                        met += other[two]
                        if strength[one] > strength[two]:
                            gain += other[two]
                        elif strength[one] == strength[two]:
                            gain += 0.5 * other[two]
                won[one] += gain
                mass[one] += met
