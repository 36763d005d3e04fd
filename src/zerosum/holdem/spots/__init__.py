"""A spot: board, pot, stacks, ranges and betting.

options    the options of a spot, declared once
spot       the spot itself, and `spot()`, which builds one from texts
files      spots as TOML or JSON, the bundled spots, and spots by name
line       follow a line such as "check bet50 call 4d" through a spot
libratus   the four endgames of the Libratus match, read from their published files
deepstack  random spots and one-street games as DeepStack generates them
"""
