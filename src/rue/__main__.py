"""`python -m rue` is the command `rue`."""

from rue.cli.start import main

if __name__ == "__main__":  # worker processes load this module too
    main()
