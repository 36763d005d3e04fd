"""Games from files and from other libraries.

gambit_tokens    Tokens of Gambit files, with the line and column of each for error messages
gambit_tree      Games in Gambit's extensive form (.efg)
gambit_matrix    Games in Gambit's strategic form (.nfg)
openspiel        Games of OpenSpiel
python_file      Games from a user's Python file
"""
