"""The command `zerosum`: parse options, call the API, print results.

entry_point     start of the process: --version without loading anything, Ctrl-C, garbage collection
main            the commands by name, loaded on demand, and how one is run
option_parser   build the click command of a function from declared options, and read what was typed
common_options  options that several commands share, and what they do with them
help_page       pages of help: usage, description, options in panels, examples
console         tables and JSON on standard output, messages on standard error
progress        progress on standard error: a bar in a terminal, a line every ten seconds elsewhere
exit_codes      exit codes, signals, and errors as one sentence
commands        one module per command
holdem          the commands that only hold'em has
output          what commands print
"""
