"""What the papers say about their figures, as claims that the numbers decide.

claim         a claim about the curves of a figure, and the verdict on it
comparisons   claims about two curves, or about one against others
shapes        claims about the course of one curve
"""
