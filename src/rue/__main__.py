"""`python -m rue` is the command `rue`."""

from rue.cli.start import main

main()
