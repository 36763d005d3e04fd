"""The betting tree: published sizes, the rules of betting at every node, and chips that add up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.engine.forms.public.rounds import ALLIN, DEAL, FOLD, SHOWDOWN
from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.betting.tree import Leaf, Street, build_betting_tree, count_tree, walk_streets

PAPER = BettingAbstraction.parse("50%,100%,allin", "100%,allin")
FLOP_BOARDS = (1, 36, 23 * 35 + 13 * 48)
"""Boards from Td9d6h when spades and clubs are interchangeable until one of them comes."""


@pytest.mark.parametrize(("pot", "nodes", "leaves"), [(500, 16, 61), (3750, 10, 37)], ids=["subgame 3", "subgame 4"])
def test_published_sizes_of_rivers(pot: float, nodes: int, leaves: int) -> None:
    counts = count_tree(build_betting_tree(PAPER, 2, pot, 20_000 - pot / 2))
    assert counts.nodes == ((0, 0), (0, 0), (nodes, nodes))
    assert sum(counts.leaves[2].values()) == leaves


@pytest.mark.parametrize(
    ("street", "pot", "stack", "hands", "boards", "stored", "exact"),
    [
        pytest.param(2, 500, 19750, (1033, 1059), (1,), 96_232, 96_232, id="subgame 3"),
        pytest.param(2, 3750, 18125, (705, 982), (1,), 47_236, 47_236, id="subgame 4"),
        pytest.param(1, 4780, 17610, (855, 405), (1, 48), 4_987_080, 4_780_440, id="subgame 2"),
        pytest.param(1, 500, 19750, (828, 965), (1, 48), 30_549_134, 29_279_690, id="subgame 1"),
        pytest.param(1, 200, 900, (167, 250), (1, 48), 2_173_404, 2_083_332, id="Td9d6hQc"),
        pytest.param(0, 200, 900, (180, 265), FLOP_BOARDS, 177_252_400, 267_808_120, id="Td9d6h"),
        pytest.param(2, 200, 900, (1081, 1081), (1,), 60_536, 60_536, id="river, all hands"),
    ],
)
def test_infoset_actions(
    street: int,
    pot: float,
    stack: float,
    hands: tuple[int, int],
    boards: tuple[int, ...],
    stored: int,
    exact: int,
) -> None:
    """Stores of other solvers keep every hand on every board; exact counts leave out hands a card removes."""
    counts = count_tree(build_betting_tree(PAPER, street, pot, stack))
    assert counts.stored_actions(hands, boards) == stored
    assert counts.infoset_actions(hands) == exact


def test_one_line_of_play() -> None:
    turn = build_betting_tree(PAPER, 1, 500, 9750)
    assert list(turn.choices[0].actions) == ["check", "bet 250", "bet 500", "allin"]
    node = turn.nodes_by_line["check", "bet 250", "raise 1250"]
    assert (node.player, node.paid) == (1, (1250, 250))
    assert list(node.actions) == ["fold", "call", "raise 4250", "allin"]
    called = turn.ends[~node.children[1]]
    assert (called.kind, called.amount, called.paid) == (DEAL, 1500, (1250, 1250))
    assert called.next_round is not None
    assert (called.next_round.pot, called.next_round.stack, called.next_round.street) == (3000, 8500, 2)
    folded = turn.ends[~node.children[0]]
    assert (folded.kind, folded.folder, folded.amount) == (FOLD, 1, 500)
    allin = turn.nodes_by_line["allin",]
    assert list(allin.actions) == ["fold", "call"]
    assert turn.ends[~allin.children[1]].kind == ALLIN


def test_equal_pots_share_their_street() -> None:
    turn = build_betting_tree(PAPER, 1, 500, 9750)
    following = [leaf.next_round for leaf in turn.ends if leaf.kind == DEAL]
    assert len(set(following)) < len(following)
    assert len({(street.pot, street.stack) for street in following if street}) == len(set(following))


def test_no_bets_at_all() -> None:
    counts = count_tree(build_betting_tree(BettingAbstraction.parse("none", "none"), 0, 100, 1000))
    assert counts.nodes == ((1, 1), (1, 1), (1, 1))
    assert counts.leaves == ({"deal": 1}, {"deal": 1}, {"showdown": 1})


def check(street: Street, betting: BettingAbstraction) -> None:
    """The rules of no-limit betting hold at every node, whatever the sizes."""
    ends = 0
    for node in street.choices:
        paid, top = node.paid[node.player], node.paid[1 - node.player]
        names = [action.split()[0] for action in node.actions]
        assert names[:2] == ["fold", "call"] if top > paid else names[0] == "check"
        assert len(set(node.actions)) == len(node.actions) == len(node.to) == len(node.children)
        targets = [to for name, to in zip(names, node.to, strict=True) if name in ("bet", "raise", "allin")]
        assert targets == sorted(targets)
        for to in targets:
            assert top < to <= street.stack
            assert to >= top + betting.rules.minimum - 1e-6 or to == street.stack
        for index, child in enumerate(node.children):
            after = street.choices[child] if child >= 0 else street.ends[~child]
            if isinstance(after, Leaf):
                assert after.rows[node.player] == node.first + index
            assert after.line == (*node.line, node.actions[index])
            assert after.paid[node.player] == node.to[index]
            assert after.paid[1 - node.player] == top
            ends += child < 0
    assert ends == len(street.ends)
    for leaf in street.ends:
        assert leaf.amount == street.pot / 2 + min(leaf.paid)
        assert (leaf.kind == FOLD) == (leaf.folder >= 0)
        assert (leaf.kind == DEAL) == (leaf.next_round is not None)
        if leaf.kind != FOLD:
            assert leaf.paid[0] == leaf.paid[1]
            assert leaf.kind == SHOWDOWN if street.street == 2 else True
        if leaf.next_round is not None:
            assert leaf.next_round.pot == pytest.approx(2 * leaf.amount)
            assert leaf.next_round.stack == pytest.approx(street.stack - leaf.paid[0])
            assert leaf.next_round.street == street.street + 1


sizes = st.lists(
    st.sampled_from(["25%", "33%", "50%", "75%", "100%", "150%", "2.5x", "3x", "300c", "2e", "e", "min", "allin"]),
    max_size=2,
)


@given(
    st.integers(0, 2),
    st.integers(1, 4000),
    st.integers(1, 4000),
    sizes,
    sizes,
    st.fixed_dictionaries(
        {
            "cap": st.sampled_from([None, 1, 2, 3, "2; river: 1"]),
            "allin_threshold": st.sampled_from([0, 0.2]),
            "add_allin": st.sampled_from([0, 1.5]),
            "force_allin": st.sampled_from([1, 0.6]),
            "merge": st.sampled_from([0, 0.1, 0.5]),
            "donks": st.sampled_from([None, "33%; river: none"]),
            "aggressor": st.sampled_from([None, "oop", "ip"]),
        }
    ),
)
@settings(max_examples=80, deadline=None)
def test_every_tree_keeps_the_rules(
    street: int, pot: int, stack: int, bets: list[str], raises: list[str], rules: Any
) -> None:
    texts = [",".join(part) or "none" for part in (bets, raises)]
    betting = BettingAbstraction.parse(*texts, **rules)
    assert BettingAbstraction.parse(**betting.to_options()) == betting
    tree = build_betting_tree(betting, street, pot, stack)
    for below in walk_streets(tree):
        check(below, betting)
    counts = count_tree(tree)
    assert counts.nodes[street] > (0, 0)
