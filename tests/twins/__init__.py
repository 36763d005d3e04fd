"""Plain twins of the compiled kernels: the same results, by recursion over dictionaries and small arrays.

Read a twin first to learn what a kernel computes; the kernel only adds stacks, blocks, tiles and threads. In reading
order:

    ../reference      every algorithm on the histories of a game (imports nothing from the package)
    evaluation        the value of two strategies and their best responses, on the histories of a game
    payoff_matrix     a sparse matrix times a plan
    public_walk       every algorithm on a card game in public form, and the evaluation of two strategies
    deal_walk         sampled walks with dealt hands
    hand_strength     the best five of seven cards
    equity            hands and ranges compared card by card

The sampled walk over histories has its twin in the package: `zerosum.engine.sampling.rules_walk` samples games that are
too large to enumerate, and with the same seed makes the same draws.
"""

TWINS = {
    "zerosum.engine.sequence.walk:run_sequence_iterations": "reference:run",
    "zerosum.engine.updates.rare_rules:apply_formula": "reference:Decision",
    "zerosum.engine.sequence.walk:evaluate_averages": "twins.evaluation:best_response_value",
    "zerosum.engine.forms.sequence.payoff_matrix:multiply": "twins.payoff_matrix:apply_matrix",
    "zerosum.engine.public.walk:run_public_iterations": "twins.public_walk:PublicWalk",
    "zerosum.engine.public.walk:evaluate_public": "twins.public_walk:PublicEvaluation",
    "zerosum.engine.sampling.history_walk:run_walks": "zerosum.engine.sampling.rules_walk:RulesWalk",
    "zerosum.engine.sampling.deal_walk:run_deal_walks": "twins.deal_walk:DealWalk.walk",
    "zerosum.holdem.cards.kernels:fill_strengths": "twins.hand_strength:strength",
    "zerosum.holdem.cards.kernels:add_comparison": "twins.equity:comparison",
    "zerosum.holdem.cards.kernels:add_equities": "twins.equity:equity",
}
"""The twin of each kernel that Python calls; `tests/conventions/test_twins.py` checks that none is missing."""
