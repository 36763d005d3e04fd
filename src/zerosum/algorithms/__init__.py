"""The algorithms: choices at six points of one loop, and a catalogue of named combinations.

schedules             the base class of every choice, and parameters that may depend on the iteration
averages              weights of the iterations in the average strategy
choices               how regret is accumulated and matched, and step sizes
sampling              what a sampled walk leaves to chance, and when it discounts
kernel_rule           numeric codes and coefficient columns shared with the kernels
algorithm             an algorithm: a validated combination of choices
named_algorithms      the named algorithms, as their papers define them
prefixes              prefixes that change one choice of a named algorithm, such as nh- or linear-
catalogue             the algorithm that a name or a file stands for
custom_algorithms     user-defined rules (compiled by `engine.updates.custom_rule`), and algorithms from a user's file
serialization         algorithms to and from JSON
function_fingerprint  a hash of what a user's function does
"""

DEFAULT_FOR_GAMES = "dcfr"
"""The default on games, with the parameters of the paper."""
DEFAULT_FOR_HOLDEM = "dcfr(1.25, 0.5, 4)"
"""The default on hold'em spots: first or nearly first everywhere in the table of `benchmarks/README.md`."""
