"""What may be bet, and the betting tree that follows from it.

sizes         bet sizes as people write them: 50%, 2.5x, 300, 2e, min, allin
rake          the size of the rake: a share of the pot, with a cap (taken at the ends of `tree`)
action_names  how actions are labelled, and which action a typed name means
abstraction   sizes by street and player, caps and all-in rules, changes after single lines
presets       betting abstractions by name: simple, standard, rich
tree          the public betting tree, street by street, with the payoff and the rake of each end
tree_text     a betting tree as text, one line per path; read back an edited one
"""
