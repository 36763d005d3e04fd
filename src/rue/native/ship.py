"""Object code to come with the package, so that who installs it need not compile: what the cache has, for others.

    python tests/warm_up.py && python -m rue.native.ship && pip wheel --no-deps .

Makes each kernel in the cache again for the levels of x86-64, into the folder `objects` beside this file.
"""

from __future__ import annotations

import os
import subprocess
import sys

from rue.native.objects import LEVELS, SHIPPED, folder, read


def main() -> None:
    """Make them, level by level."""
    made = [found for path in sorted(folder().glob("*.o")) if (found := read(path)) is not None]
    for level in LEVELS:
        told = {
            "RUE_CACHE_DIR": str(SHIPPED),
            "RUE_PROCESSOR": level,
            "NUMBA_CPU_NAME": level,
            "NUMBA_CPU_FEATURES": "",
        }
        orders = (word for each in made for word in (each.kernel, each.kinds))
        subprocess.run([sys.executable, "-m", "rue.native.make", *orders], env={**os.environ, **told}, check=True)
        print(f"{len(made)} kernels for {level}")


if __name__ == "__main__":
    main()
