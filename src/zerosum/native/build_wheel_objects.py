"""Object code for wheels, so that nobody who installs one has to compile: the kernels in the cache, for all levels.

    python tests/warm_up.py && python -m zerosum.native.build_wheel_objects && pip wheel --no-deps .

Compiles each kernel that is in the cache again for the levels of x86-64, into the folder `objects` beside this file.
"""

from __future__ import annotations

import os
import subprocess
import sys

from zerosum.native.code_cache import BUNDLED, LEVELS, local_folder, read_object


def main() -> None:
    """Compile the kernels, level by level."""
    objects = [content for path in sorted(local_folder().glob("*.o")) if (content := read_object(path)) is not None]
    for level in LEVELS:
        environment = {
            "ZEROSUM_CACHE_DIR": str(BUNDLED),
            "ZEROSUM_PROCESSOR": level,
            "NUMBA_CPU_NAME": level,
            "NUMBA_CPU_FEATURES": "",
        }
        command = [sys.executable, "-m", "zerosum.native.compiler_process"]
        jobs = [word for content in objects for word in (content.kernel, content.signature)]
        subprocess.run([*command, *jobs], env={**os.environ, **environment}, check=True)
        print(f"{len(objects)} kernels for {level}")


if __name__ == "__main__":
    main()
