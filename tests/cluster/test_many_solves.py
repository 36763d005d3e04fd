"""Many solves on the machines of a Ray cluster: reports, sweeps, seeds, figures; and failures there."""

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

import zerosum
from zerosum.cluster.connection import connect
from zerosum.cluster.executor import RayExecutor
from zerosum.jobs.job import JobContext, StopFlag
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.workers import Workers
from zerosum.papers.catalogue import FIGURES
from zerosum.papers.curve_job import CurveJob, CurveSpec, open_curve_store
from zerosum.papers.figure import FigureLimits
from zerosum.papers.problems import ProblemCache
from zerosum.papers.reproduction import reproduce
from zerosum.runs.progress import TaskProgress
from zerosum.support.errors import ZerosumError
from zerosum.support.source_hash import PACKAGE

KUHN = zerosum.problem("kuhn")


@pytest.fixture(scope="module")
def machines(cluster: Any) -> RayExecutor:
    from ray import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # machines have no tests
    return RayExecutor(cluster.address)


def test_pieces_of_work(machines: RayExecutor) -> None:
    assert [machines.submit(pow, 2, k).result() for k in range(4)] == [1, 2, 4, 8]
    with pytest.raises(ZerosumError, match=rf"there is no game .*\(on {platform.node()}\)"):
        machines.submit(zerosum.game, "leduk").result()
    assert (machines.cores, machines.most_threads) == (3, 1)


@dataclass(frozen=True)
class Resources:
    """A job that returns the memory and the threads that it got."""

    bytes: int
    label: str = ""
    problem = KUHN

    def run(self, context: JobContext) -> Any:
        import ray

        return ray.get_runtime_context().get_assigned_resources()["memory"], context.threads


def test_ray_reserves_the_memory_of_a_job(machines: RayExecutor) -> None:
    """One that fits no machine is refused; the last one may not have more threads than a machine."""
    jobs: Any = [Resources(1 << 20), Resources(1 << 60)]
    results: Any = dict(JobRunner(Workers(machines)).run(jobs))
    assert isinstance(results[Resources(1 << 60)], ZerosumError)
    assert "no machine of the cluster has more than" in str(results[Resources(1 << 60)])
    resources = results[Resources(1 << 20)]
    assert isinstance(resources, tuple)
    assert resources[0] >= 1 << 20
    assert resources[1] == 1


def test_a_machine_with_more_cores_and_less_memory(cluster: Any, machines: RayExecutor) -> None:
    """A job gets no more threads than the machines with enough memory for it have."""
    node = cluster.add_node(num_cpus=2, memory=300 << 20, object_store_memory=80 << 20)
    try:
        wide = RayExecutor(cluster.address)
        assert (wide.cores, wide.most_threads) == (5, 2)
        stop = StopFlag()
        late = threading.Timer(60, stop.set)
        late.start()
        jobs: Any = [Resources(200 << 20)]
        [(_, resources)] = JobRunner(Workers(wide, stop=stop)).run(jobs)
        late.cancel()
    finally:
        cluster.remove_node(node)
    assert isinstance(resources, tuple)
    assert resources[1] == 1


@dataclass(frozen=True)
class Endless:
    """A job that does not end."""

    label: str
    bytes: int = 0
    problem = KUHN

    def run(self, context: JobContext) -> None:
        while self.label:
            time.sleep(0.1)


def test_machines_are_reported_and_ctrl_c_ends_jobs(machines: RayExecutor) -> None:
    seen: list[TaskProgress] = []
    begun = threading.Event()

    def watch(at: TaskProgress) -> None:
        seen.append(at)
        if at.running:
            begun.set()
            runner.stop()

    runner = JobRunner(Workers(machines, progress=watch))
    jobs: Any = [Endless("first"), Endless("second")]
    assert list(runner.run(jobs)) == []
    assert begun.is_set()
    assert runner.interrupted
    assert seen[-1].total == 2
    assert any(" on " in name for at in seen for name in at.running)


def test_a_sweep_resumes_elsewhere(cluster: Any, tmp_path: Path) -> None:
    """Many solves on the machines equal those of this one; stored results are not solved again."""
    sweep: Any = (["kuhn"], "dcfr({alpha}, 0, 2)", {"alpha": [1, 2]})
    local = zerosum.sweep(*sweep, iterations=50)
    there = zerosum.sweep(*sweep, iterations=50, out=tmp_path / "sweep", on=cluster.address)
    numbers = [[(row.parameters, row.exploitability) for row in result.rows] for result in (local, there)]
    assert numbers[0] == numbers[1]
    again = zerosum.sweep(*sweep, iterations=50, out=tmp_path / "sweep")
    assert [row.seconds for row in again.rows] == [row.seconds for row in there.rows]


def test_seeds_resume_elsewhere(cluster: Any, tmp_path: Path) -> None:
    how: Any = {"iterations": 50, "out": tmp_path / "seeds"}
    there = zerosum.repeat("kuhn", "mccfr", seeds=2, on=cluster.address, **how)
    more = zerosum.repeat("kuhn", "mccfr", seeds=3, **how)
    alone = zerosum.repeat("kuhn", "mccfr", seeds=3, iterations=50)
    assert more.reached == alone.reached
    assert more.reached[:2] == there.reached
    assert len(list((tmp_path / "seeds" / "jobs").iterdir())) == 3


def test_a_report(cluster: Any, tmp_path: Path) -> None:
    sizes: Any = {"bets": "100%,allin", "raises": "allin"}
    spot = zerosum.holdem.spot("Ks 7h 2d 9c", 100, 200, "AA,KK,QJs", "QQ,JJ,T9s", **sizes)
    how: Any = {"vary": {"stack": ["100", "150"]}, "iterations": 5}
    there = zerosum.report(spot, on=cluster.address, out=tmp_path / "report", **how)
    local = zerosum.report(spot, executor=Workers(count=1), **how)
    numbers = [
        [(row["name"], row["ev_oop"], row["frequencies"]) for row in result.rows.to_rows()] for result in (there, local)
    ]
    assert numbers[0] == numbers[1]
    again = zerosum.report(spot, out=tmp_path / "report", **how)
    assert again.rows.seconds.tolist() == there.rows.seconds.tolist()


def test_a_figure(machines: RayExecutor, tmp_path: Path) -> None:
    """The machines compute the curves of this one, which are stored here; one-street games can be sent, too."""
    tiny, figure = FigureLimits(iterations=20, nodes=2000, repeats=2), [FIGURES["ecfr-4"]]
    seen: list[TaskProgress] = []

    def run(runner: JobRunner) -> str:
        return next(reproduce(figure, "quick", runner, ProblemCache(), tiny)).to_csv()

    runner = JobRunner(Workers(machines, progress=seen.append), open_curve_store(tmp_path / "there"))
    there = run(runner)
    assert there == run(JobRunner(store=open_curve_store(tmp_path / "here")))
    assert seen[-1].done == seen[-1].total == runner.computed
    again = JobRunner(store=open_curve_store(tmp_path / "there"))
    assert run(again) == there
    assert again.computed == 0
    street = ProblemCache().build_job(CurveSpec("deepstack:flop-5k:0", "cfr+", 2))
    assert machines.submit(get_label, street).result() == "cfr+ on deepstack:flop-5k:0"


def get_label(job: CurveJob) -> str:
    return job.label


FOREIGN = {
    "has no zerosum": """raise ModuleNotFoundError("No module named 'zerosum'", name="zerosum")""",
    "runs zerosum 0.0.1 .* and the caller zerosum": f"""
__path__, __file__ = [{str(PACKAGE)!r}], {str(PACKAGE / "__init__.py")!r}
exec(open(__file__).read())
__version__ = "0.0.1"
""",
}


@pytest.mark.parametrize("sentence", FOREIGN)
def test_machines_that_are_not_like_this_one(sentence: str, cluster: Any, tmp_path: Path) -> None:
    """Machines without the package, or with another version of it, are reported by many solves and by a shared one."""
    (tmp_path / "zerosum").mkdir()
    (tmp_path / "zerosum" / "__init__.py").write_text(FOREIGN[sentence])
    node = cluster.add_node(num_cpus=2, env_vars={"PYTHONPATH": str(tmp_path)})
    try:
        machines = RayExecutor(cluster.address)
        futures = [machines.submit(time.sleep, 1) for _ in range(8)]
        wait(futures)
        errors = [str(future.exception()) for future in futures if future.exception() is not None]
        assert errors
        with pytest.raises(ZerosumError, match=sentence):
            raise ZerosumError(errors[0])
        turn = zerosum.holdem.spot("Ks 7h 2d 9c", 100, 200, "AA", "QQ", bets="allin")
        with pytest.raises(ZerosumError, match=sentence):
            zerosum.solve(turn, iterations=1, on=cluster.address, machines=4)
    finally:
        cluster.remove_node(node)


def test_addresses_and_options_that_mean_nothing(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("hello", "http://x", "", "host:port", "a b:1"):
        with pytest.raises(ZerosumError, match="is not the address of a Ray cluster"):
            connect(address)
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999", "nowhere.invalid:6379"):
        with pytest.raises(ZerosumError, match="there is no Ray cluster at"):
            connect(address)
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text("127.0.0.1:1")
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(ZerosumError, match="there is no Ray cluster at 127.0.0.1:1"):
        connect("auto")
    grid: Any = ("kuhn", "dcfr({alpha})", {"alpha": [1]})
    with pytest.raises(ZerosumError, match="drop it"):
        zerosum.sweep(*grid, on=cluster.address, machines=2)
    with pytest.raises(ZerosumError, match="not both"):
        zerosum.sweep(*grid, on=cluster.address, executor=Workers())
    with pytest.raises(ZerosumError, match="one after the other"):
        zerosum.compare("kuhn", ["cfr"], on=cluster.address)


@pytest.mark.parametrize("kind", ["", "ray://"])
def test_another_version_of_ray(kind: str, cluster: Any) -> None:
    """The head reports its version; the server of Ray's client does so when it did not understand another one."""
    address = f"ray://{cluster.client}" if kind else cluster.address
    code = (
        "import ray; known, ray.__version__ = ray.__version__, '9.9.9'\n"
        "from zerosum.cluster.connection import connect\n"
        "from zerosum.support.errors import ZerosumError\n"
        "def init(*_, **__): raise ConnectionAbortedError(\"'JobConfig' object has no attribute\")\n"
        f"if {kind!r}: ray.init = init\n"
        f"try: connect({address!r})\n"
        "except ZerosumError as error: print(error, known)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ}, check=True
    )
    message, local = process.stdout.strip().rsplit(" ", 1)
    assert message == (
        f"the cluster at {address} runs another version of Ray or Python than this machine: Ray {local} there, "
        "9.9.9 here: install the same version"
    )
