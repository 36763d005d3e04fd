"""Heads-up no-limit hold'em from a flop, turn or river on: cards, ranges, bets, the betting tree, spots."""
