"""What people look at, as data and as pictures: decisions, strategies, curves."""
