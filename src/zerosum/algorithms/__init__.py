"""The algorithms: choices at six points of one loop, and a catalogue of named combinations.

choice                The base class of every part of an algorithm
schedules             Parameters that may depend on the iteration
averages              Weights of the iterations in the average strategy
choices               How regret is accumulated and matched, and step sizes
sampling              What a sampled walk leaves to chance, and when it discounts
kernel_rule           Numeric codes and coefficient columns shared with the kernels
algorithm             An algorithm: a validated combination of choices
base_algorithms       The named algorithms, as their papers define them
sampled_algorithms    The named algorithms that sample
prefixes              Prefixes that change one choice of a named algorithm, such as nh- or linear-
catalogue             The catalogue of names, and the algorithm that a name or a file stands for
custom_rule           User-defined update rules
algorithm_file        Algorithms from a user's Python file
serialization         Algorithms to and from JSON
function_fingerprint  A hash of what a user's function does
"""

GENERAL = "dcfr"
"""On games: the parameters of the paper."""
HOLDEM = "dcfr(1.25, 0.5, 4)"
"""On hold'em spots: the first or nearly the first everywhere in the table of `benchmarks/README.md`."""
