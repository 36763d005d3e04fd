"""One module per command.

solve      one game, one algorithm
resume     continue a saved run
compare    several algorithms on one game
sweep      an algorithm over a grid of its parameters
show       the strategy of a saved result
exploit    the value of a strategy against best responses or another strategy
diff       where two strategies differ most
export     the strategy of a saved run for other programs
convert    a game as a Gambit file
catalogue  `zerosum algorithms` and `zerosum games`
figure     `zerosum papers` and `zerosum figure`
explore    the local web page
"""
