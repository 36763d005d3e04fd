"""What commands print.

blocks      print the blocks by which results, estimates and decisions describe themselves
line_chart  a log-log chart of characters
hand_grid   the 13 by 13 grid of hand classes, in colour or with letters
estimate    how many runs there are, their memory and time, as --dry-run prints them
"""
