"""How the command ends: signals, closed pipes, full disks and memory, each with its exit code and no traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from zerosum.cli.exit_codes import report_error

START = [sys.executable, "-c", "from zerosum.cli.entry_point import main; main()"]


def ended(command: list[str], **more: object) -> tuple[int, str]:
    done = subprocess.run(
        command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, check=False, timeout=300, **more
    )  # type: ignore[call-overload]
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", [["games"], ["solve", "--help"], ["algorithms", "--json"]])
def test_nobody_reads_the_output(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        assert ended([*START, *words], stdout=closed) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["games"], ["algorithms", "--json"]])
def test_the_output_cannot_be_written(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        code, stderr = ended([*START, *words], stdout=full)
    assert (code, stderr) == (1, "zerosum: the system refused to read or write: No space left on device\n")


def test_closed_streams() -> None:
    command = [*START, "solve", "leduk"]
    closing = 'exec "$0" "$@" >&- 2>&-'
    assert ended(["sh", "-c", closing, *START, "games"])[0] == 0
    assert ended(["sh", "-c", closing, *command])[0] == 2


AT_IMPORT = """
import os, signal, sys

class Trap:
    def find_spec(self, name, path=None, target=None):
        if name == "zerosum.cli.main":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Trap())
from zerosum.cli.entry_point import main
main()
"""


def test_ctrl_c_while_the_command_is_loaded() -> None:
    assert ended([sys.executable, "-c", AT_IMPORT, "games"], stdout=subprocess.DEVNULL) == (-signal.SIGINT, "")


AT_WORK = """
import os, signal, sys
import zerosum.cli.main

def work(*arguments, **more):
    os.kill(os.getpid(), getattr(signal, sys.argv.pop()))

zerosum.cli.main.run = lambda words: zerosum.cli.main.report_error(caught())

def caught():
    try:
        work()
        while True:
            pass
    except KeyboardInterrupt as error:
        return error

zerosum.cli.main.main()
"""


@pytest.mark.parametrize(
    ("sent", "ignored", "code", "stderr"),
    [
        ("SIGINT", False, 130, "zerosum: interrupted\n"),
        ("SIGTERM", False, 143, "zerosum: terminated\n"),
        ("SIGTERM", True, 143, "zerosum: terminated\n"),
        ("SIGHUP", False, 129, "zerosum: terminated: the terminal is gone\n"),
    ],
)
def test_signals(sent: str, ignored: bool, code: int, stderr: str) -> None:
    """SIGTERM also ends a command for which Ctrl-C is ignored, as in the background of a script."""

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)

    assert ended([sys.executable, "-c", AT_WORK, sent], preexec_fn=prepare) == (code, stderr)


def test_ctrl_c_while_a_class_is_being_created(capsys: pytest.CaptureFixture[str]) -> None:
    """Before 3.12 Python turns it into a RuntimeError, which is not a bug of zerosum."""

    class Field:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    try:
        type("Decisions", (), {"index": Field()})
    except (KeyboardInterrupt, RuntimeError) as error:
        assert report_error(error) == 130
    assert capsys.readouterr().err == "zerosum: interrupted\n"


MEMORY = """
import resource, sys
import zerosum.public
from zerosum.cli.main import run

run(["solve", "kuhn", "--iterations", "2", "--json"])
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (48 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
sys.exit(run(["solve", "goofspiel(6)", "--iterations", "2"]))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not report the size of a process")
def test_memory_is_full() -> None:
    code, stderr = ended([sys.executable, "-c", MEMORY], stdout=subprocess.DEVNULL)
    assert code == 2
    assert re.search(r"zerosum: goofspiel\(6\) .* needs .* MB .* free[;:] choose smaller parameters.*\n$", stderr)
    assert "Traceback" not in stderr


def test_a_bug_is_a_sentence_or_a_traceback() -> None:
    broken = (
        "import sys, zerosum.cli.main as m, zerosum.cli.commands.catalogue as c; "
        "c.new_table = None; sys.exit(m.run(sys.argv[1:]))"
    )
    code, stderr = ended([sys.executable, "-c", broken, "games"], stdout=subprocess.DEVNULL)
    assert (code, stderr.count("\n")) == (1, 1)
    assert stderr.startswith(
        "zerosum: zerosum hit a bug: TypeError: 'NoneType' object is not callable; run again with --debug"
    )
    code, stderr = ended([sys.executable, "-c", broken, "games", "--debug"], stdout=subprocess.DEVNULL)
    assert code == 1
    assert "Traceback" in stderr
