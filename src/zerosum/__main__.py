"""`python -m zerosum` is the command `zerosum`."""

from zerosum.cli.entry_point import main

if __name__ == "__main__":  # worker processes load this module too
    main()
