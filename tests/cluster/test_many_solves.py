"""Many solves on the machines of a Ray cluster: reports, sweeps, seeds, figures; and what can go wrong there."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
import time
from concurrent.futures import wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rue
from rue.cluster.connect import connect
from rue.cluster.executor import RayExecutor
from rue.errors import RueError
from rue.papers.catalogue import FIGURES
from rue.papers.figure import Most
from rue.papers.jobs import Job as Run
from rue.papers.kept import CurveStore
from rue.papers.make import make, table
from rue.papers.work import Piece, Work
from rue.runs.many import Going, Many, Standing, Stop, Workers
from rue.sources import PACKAGE


@pytest.fixture(scope="module")
def machines(cluster: Any) -> RayExecutor:
    from ray import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # machines have no tests
    return RayExecutor(cluster.address)


def test_pieces_of_work(machines: RayExecutor) -> None:
    assert [machines.submit(pow, 2, k).result() for k in range(4)] == [1, 2, 4, 8]
    with pytest.raises(RueError, match=rf"there is no game .*\(on {platform.node()}\)"):
        machines.submit(rue.game, "leduk").result()
    assert (machines.cores, machines.widest) == (3, 1)


@dataclass(frozen=True)
class Sized:
    """A piece that says what it takes."""

    bytes: int


def room_on_ray(piece: Sized, going: Going) -> tuple[float, int]:
    import ray

    return ray.get_runtime_context().get_assigned_resources()["memory"], going.threads


def test_ray_is_told_the_memory_of_a_piece(machines: RayExecutor) -> None:
    """One that fits no machine is refused; the last one may not have more threads than a machine."""
    many = Many(room_on_ray, Workers(machines))
    found = dict(many.run([Sized(1 << 20), Sized(1 << 60)]))
    assert isinstance(found[Sized(1 << 60)], RueError)
    assert "no machine of the cluster has more than" in str(found[Sized(1 << 60)])
    told = found[Sized(1 << 20)]
    assert isinstance(told, tuple)
    assert told[0] >= 1 << 20
    assert told[1] == 1


def test_a_machine_with_more_cores_and_less_memory(cluster: Any, machines: RayExecutor) -> None:
    """A piece has no more threads than the machines have that it fits on."""
    node = cluster.add_node(num_cpus=2, memory=300 << 20, object_store_memory=80 << 20)
    try:
        wide = RayExecutor(cluster.address)
        assert (wide.cores, wide.widest) == (5, 2)
        stop = Stop()
        late = threading.Timer(60, stop.set)
        late.start()
        [(_, told)] = Many(room_on_ray, Workers(wide, stop=stop)).run([Sized(200 << 20)])
        late.cancel()
    finally:
        cluster.remove_node(node)
    assert isinstance(told, tuple)
    assert told[1] == 1


def for_ever(piece: int, going: Going) -> None:
    while piece:
        time.sleep(0.1)


def test_where_they_run_is_told_and_ctrl_c_ends_them(machines: RayExecutor) -> None:
    seen: list[Standing] = []
    begun = threading.Event()

    def told(at: Standing) -> None:
        seen.append(at)
        if at.running:
            begun.set()
            many.stop()

    many = Many(for_ever, Workers(machines, progress=told))
    assert list(many.run([1, 2])) == []
    assert begun.is_set()
    assert many.interrupted
    assert seen[-1].count == 2
    assert any(" on " in name for at in seen for name in at.running)


def test_a_sweep_goes_on_elsewhere(cluster: Any, tmp_path: Path) -> None:
    """Many solves on the machines are those of this one; what is kept is not solved again."""
    asked: Any = (["kuhn"], "dcfr({alpha}, 0, 2)", {"alpha": [1, 2]})
    here = rue.sweep(*asked, iterations=50)
    there = rue.sweep(*asked, iterations=50, out=tmp_path / "sweep", on=cluster.address)
    numbers = [[(row.parameters, row.exploitability) for row in found.rows] for found in (here, there)]
    assert numbers[0] == numbers[1]
    again = rue.sweep(*asked, iterations=50, out=tmp_path / "sweep")
    assert [row.seconds for row in again.rows] == [row.seconds for row in there.rows]


def test_seeds_go_on_elsewhere(cluster: Any, tmp_path: Path) -> None:
    how: Any = {"iterations": 50, "out": tmp_path / "seeds"}
    there = rue.repeat("kuhn", "mccfr", seeds=2, on=cluster.address, **how)
    more = rue.repeat("kuhn", "mccfr", seeds=3, **how)
    alone = rue.repeat("kuhn", "mccfr", seeds=3, iterations=50)
    assert more.reached == alone.reached
    assert more.reached[:2] == there.reached
    assert len(list((tmp_path / "seeds" / "solved").iterdir())) == 3


def test_a_report(cluster: Any, tmp_path: Path) -> None:
    sizes: Any = {"bets": "100%,allin", "raises": "allin"}
    spot = rue.holdem.spot("Ks 7h 2d 9c", 100, 200, "AA,KK,QJs", "QQ,JJ,T9s", **sizes)
    how: Any = {"vary": {"stack": ["100", "150"]}, "iterations": 5}
    there = rue.report(spot, on=cluster.address, out=tmp_path / "report", **how)
    here = rue.report(spot, executor=Workers(count=1), **how)
    numbers = [[(row.name, row.ev_oop, row.frequencies) for row in found.rows] for found in (there, here)]
    assert numbers[0] == numbers[1]
    assert [row.seconds for row in rue.report(spot, out=tmp_path / "report", **how).rows] == [
        row.seconds for row in there.rows
    ]


def test_a_figure(machines: RayExecutor, tmp_path: Path) -> None:
    """The curves of the machines are those of this one, kept here; games of one street can be sent, too."""
    tiny, figure = Most(iterations=20, nodes=2000, repeats=2), [FIGURES["ecfr-4"]]
    seen: list[Standing] = []

    class Watching:
        def started(self, job: Run) -> None: ...

        def going(self, job: Run, share: float, height: float) -> None: ...

        def done(self, job: Run, left: int) -> None: ...

        def standing(self, at: Standing) -> None:
            seen.append(at)

    work = Work(store=CurveStore(tmp_path / "there"), executor=machines)
    there = next(make(figure, "quick", work, tiny, Watching()))
    here = next(make(figure, "quick", Work(store=CurveStore(tmp_path / "here")), tiny))
    assert table(there) == table(here)
    assert seen[-1].done == seen[-1].count == work.computed
    again = Work(store=CurveStore(tmp_path / "there"))
    assert table(next(make(figure, "quick", again, tiny))) == table(there)
    assert again.computed == 0
    street = Piece(Run("deepstack:flop-5k:0", "cfr+", 2), work.problem("deepstack:flop-5k:0"), None)
    assert machines.submit(str, street).result() == "cfr+ on deepstack:flop-5k:0"


FOREIGN = {
    "lacks rue": """raise ModuleNotFoundError("No module named 'rue'", name="rue")""",
    "has rue 0.0.1 .* and the one that asks rue": f"""
__path__, __file__ = [{str(PACKAGE)!r}], {str(PACKAGE / "__init__.py")!r}
exec(open(__file__).read())
__version__ = "0.0.1"
""",
}


@pytest.mark.parametrize("sentence", FOREIGN)
def test_machines_that_are_not_like_this_one(sentence: str, cluster: Any, tmp_path: Path) -> None:
    """Without the package, or with another version of it: many solves and a shared one are told so."""
    (tmp_path / "rue").mkdir()
    (tmp_path / "rue" / "__init__.py").write_text(FOREIGN[sentence])
    node = cluster.add_node(num_cpus=2, env_vars={"PYTHONPATH": str(tmp_path)})
    try:
        machines = RayExecutor(cluster.address)
        asked = [machines.submit(time.sleep, 1) for _ in range(8)]
        wait(asked)
        told = [str(future.exception()) for future in asked if future.exception() is not None]
        assert told
        with pytest.raises(RueError, match=sentence):
            raise RueError(told[0])
        turn = rue.holdem.spot("Ks 7h 2d 9c", 100, 200, "AA", "QQ", bets="allin")
        with pytest.raises(RueError, match=sentence):
            rue.solve(turn, iterations=1, on=cluster.address, machines=4)
    finally:
        cluster.remove_node(node)


def test_addresses_and_options_that_mean_nothing(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("hello", "http://x", "", "host:port", "a b:1"):
        with pytest.raises(RueError, match="is no address of a Ray cluster"):
            connect(address)
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999", "nowhere.invalid:6379"):
        with pytest.raises(RueError, match="there is no Ray cluster at"):
            connect(address)
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text("127.0.0.1:1")
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(RueError, match="there is no Ray cluster at 127.0.0.1:1"):
        connect("auto")
    grid: Any = ("kuhn", "dcfr({alpha})", {"alpha": [1]})
    with pytest.raises(RueError, match="leave it out"):
        rue.sweep(*grid, on=cluster.address, machines=2)
    with pytest.raises(RueError, match="not both"):
        rue.sweep(*grid, on=cluster.address, executor=Workers())
    with pytest.raises(RueError, match="one after the other"):
        rue.compare("kuhn", ["cfr"], on=cluster.address)


@pytest.mark.parametrize("kind", ["", "ray://"])
def test_another_version_of_ray(kind: str, cluster: Any) -> None:
    """The head tells its version; the server of Ray's client does when it did not understand another one."""
    address = f"ray://{cluster.client}" if kind else cluster.address
    code = (
        "import ray; known, ray.__version__ = ray.__version__, '9.9.9'\n"
        "from rue.cluster.connect import connect\n"
        "from rue.errors import RueError\n"
        "def init(*_, **__): raise ConnectionAbortedError(\"'JobConfig' object has no attribute\")\n"
        f"if {kind!r}: ray.init = init\n"
        f"try: connect({address!r})\n"
        "except RueError as error: print(error, known)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ}, check=True)
    told, known = said.stdout.strip().rsplit(" ", 1)
    assert told == (
        f"the cluster at {address} runs another version of Ray or Python than this machine: Ray {known}, "
        "and here it is 9.9.9: install the same"
    )
