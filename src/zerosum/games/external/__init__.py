"""Games from files and from other libraries.

gambit_tokens    tokens of Gambit files, with the line and column of each for error messages
gambit_tree      games in Gambit's extensive form (.efg)
gambit_matrix    games in Gambit's strategic form (.nfg)
openspiel        games of OpenSpiel
python_file      games from a user's Python file
"""
