"""The figures of each paper: panels, lines, lengths and claims.

dcfr    Solving Imperfect-Information Games via Discounted Regret Minimization
spcfr   Stable-Predictive Optimistic Counterfactual Regret Minimization
ecfr    Solving Imperfect-Information Games via Exponential Counterfactual Regret Minimization
icfr    Efficient CFR with Instant Updates
trm     Temperature Regret Matching
"""
