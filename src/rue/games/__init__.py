"""The rules of the games, one file each, and nothing else."""
