"""Runs that last: saved while they go on, taken up again, looked at and exported.

container    the file: a header and raw arrays, each with a checksum
place        where a run lies: a folder or a file, and who else writes there
keeper       when a run is saved on the way, and what
recipe       algorithms, games and spots as data, and back
opened       a saved run, read
resume       a saved run that goes on
cut          a hold'em run without its later streets, which are solved again when asked for
export       the strategy for other programs
"""
