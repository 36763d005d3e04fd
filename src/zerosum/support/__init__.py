"""Errors, files, locks, processes and text: nothing here knows about games.

errors           the error that users see, and helpers for error messages
text             numbers, durations, shares and names as text
validation       checks of arguments and of data from files
options          declare an option once: type, bounds, default, help
call_syntax      names with parameters, such as dcfr(1.5, 0, 2)
files            files that are written completely or not at all, locks to write them, and bounded reads
array_file       a file of arrays with checksums and a JSON header
user_modules     loading a user's Python file
source_hash      hashes of the package's source code
system           free memory, cores, the name of the processor, and signals such as Ctrl-C
thread_safety    a cached property that is computed once, and a lock that serves threads in order
splitmix         the SplitMix64 random generator
"""
