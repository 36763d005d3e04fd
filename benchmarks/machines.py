"""Run the examples of docs/cluster.md on machines with separate addresses, all of them simulated on this one.

    python benchmarks/machines.py
    python benchmarks/machines.py --spot spot:flop --iterations 20

Three machines of a cluster and a laptop beside it solve a spot in every way that `--on` has; then one of them is
lost in the middle of a solve. The saved numbers must be those of one machine.

Each machine is a process with a private network, host name, process table, /tmp/ray and /dev/shm; a bridge joins them,
and nothing leaves it. It takes Linux with `ip`, `unshare` and `nsenter`, and root or the right to make user namespaces.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent
INSIDE = "ZEROSUM_MACHINES"
"""Set where the bridge is: in namespaces that end with this program."""
PRIVATE = ("/tmp/ray", "/dev/shm")
"""Folders that each machine has for itself; all others are seen by all, as on a cluster with NFS."""

QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL}


class Machine:
    """A machine: a process that holds namespaces, in which commands are run."""

    def __init__(self, number: int) -> None:
        self.name, self.address = f"machine{number}", f"10.0.0.{number}"
        held = ["--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
        waits = f"hostname {self.name} && echo && exec sleep infinity"
        self._unshare = subprocess.Popen(["unshare", *held, "sh", "-c", waits], stdout=subprocess.PIPE)
        assert self._unshare.stdout is not None
        self._unshare.stdout.readline()
        children = Path(f"/proc/{self._unshare.pid}/task/{self._unshare.pid}/children")
        self._holder = int(children.read_text())
        _ip(f"link add port{number} type veth peer name eth0 netns {self._holder}")
        _ip(f"link set port{number} master switch up")
        for line in ("link set lo up", f"addr add {self.address}/24 dev eth0", "link set eth0 up"):
            self.call("ip", *line.split())
        for folder in PRIVATE:
            self.call("mount", "-t", "tmpfs", "tmpfs", folder)

    def start(self, *command: str, **how: Any) -> subprocess.Popen[str]:
        """Begin a command on it."""
        entered = ["nsenter", "-t", str(self._holder), "--net", "--mount", "--uts", "--pid", "--wd=."]
        return subprocess.Popen([*entered, *command], text=True, **how)

    def call(self, *command: str, **how: Any) -> None:
        """A command that must not fail."""
        if self.start(*command, **how).wait():
            raise SystemExit(f"{self.name}: {' '.join(command)} failed")

    def pull_the_plug(self) -> None:
        """End its processes and its network, so that its address no longer answers."""
        os.kill(self._holder, signal.SIGKILL)
        self._unshare.wait()


def _ip(line: str) -> None:
    subprocess.run(["ip", *line.split()], check=True)


def enter() -> None:
    """Restart this program in separate namespaces, where a bridge does no harm."""
    if INSIDE in os.environ:
        return
    os.environ[INSIDE] = "1"
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    namespaces = ["unshare", *user, "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    try:
        subprocess.run([*namespaces, "ip", "link"], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        why = str(getattr(error, "stderr", None) or error).strip()
        raise SystemExit(f"machines with separate addresses cannot be simulated here: {why}") from None
    os.execvp("unshare", [*namespaces, sys.executable, *sys.argv])


@contextmanager
def network(count: int) -> Iterator[list[Machine]]:
    """Some machines, joined by a bridge."""
    for folder in PRIVATE:
        Path(folder).mkdir(exist_ok=True)
    _ip("link add switch type bridge")
    _ip("link set switch up")
    yield [Machine(number) for number in range(1, count + 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spot", default="spot:turn")
    parser.add_argument("--iterations", type=int, default=100)
    options = parser.parse_args()
    enter()
    with network(4) as (first, second, third, laptop), tempfile.TemporaryDirectory() as shared:
        start(first, second, third)
        solve = [str(BIN / "zerosum"), "solve", options.spot, "--iterations", str(options.iterations)]
        alone = Path(shared, "alone")
        first.call(*solve, "--out", str(alone), **QUIET)
        for machine, on in (
            (first, "auto"), (second, "auto"), (second, f"{first.address}:6379"), (laptop, f"ray://{first.address}:10001"),
        ):  # fmt: skip
            out, began = Path(tempfile.mkdtemp(dir=shared)), time.perf_counter()
            machine.call(*solve, "--on", on, "--machines", "3", "--out", str(out), **QUIET)
            print(f"{machine.name}, --on {on}: {compared(out, alone)}, {time.perf_counter() - began:.0f} s", flush=True)
        lost(first, third, solve, alone, Path(shared, "lost"))


def start(first: Machine, *others: Machine) -> None:
    """As docs/cluster.md has it, with a token."""
    os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
    ray = [str(BIN / "ray"), "start"]
    first.call(*ray, "--head", "--port", "6379", "--node-ip-address", first.address, **QUIET)
    for machine in others:
        machine.call(*ray, "--address", f"{first.address}:6379", **QUIET)


def lost(first: Machine, other: Machine, solve: list[str], alone: Path, out: Path) -> None:
    """Lose a machine when the progress line first reports iterations of a solve."""
    began = time.perf_counter()
    command = (*solve, "--on", "auto", "--machines", "3", "--out", str(out))
    with first.start(*command, stderr=subprocess.PIPE, **QUIET) as process:
        assert process.stderr is not None
        progress = next(line.strip() for line in process.stderr if " iterations " in line)
        other.pull_the_plug()
        rest = process.stderr.read()
    outcome = compared(out, alone) if process.returncode == 0 else f"FAILED: {rest}"
    print(f"{other.name} was lost ({progress}): {outcome}, {time.perf_counter() - began:.0f} s")


def compared(out: Path, alone: Path) -> str:
    """Whether two runs saved the same numbers."""
    from zerosum.support.array_file import ArrayFile

    expected, actual = (ArrayFile(folder / "run.zs").read_arrays() for folder in (alone, out))
    same = expected.keys() == actual.keys() and all((expected[name] == actual[name]).all() for name in expected)
    return (
        f"all {sum(array.size for array in expected.values()):,} saved numbers are {'equal' if same else 'NOT EQUAL'}"
    )


if __name__ == "__main__":
    main()
