"""Solve two-player zero-sum imperfect-information games by minimising regret."""
