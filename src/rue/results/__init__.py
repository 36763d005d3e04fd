"""What runs leave: points of curves, strategies, results of games and of hold'em spots."""
