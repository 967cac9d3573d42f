"""On a Dask cluster the same comes out as on one machine, also when a worker dies on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from grader.cohort import cluster, pool
from grader.cohort.cluster import Cluster, NoCluster, OtherVersion
from grader.cohort.grade import Submission
from grader.cohort.pool import TooOpen
from grader.cohort.run import Outcome, grade_folder
from grader.model import Isolation
from tests.conftest import ROOT
from tests.test_journal import LABS, SOLUTION, WRONG, bytes_of, grade, hand_in_all, kept

pytest.importorskip("distributed")


@dataclass(frozen=True)
class Machines:
    """A scheduler and its workers on this machine, as processes of their own."""

    address: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    """As an institute would start them, but for the loopback address and the number of threads."""
    with ExitStack() as running:
        scheduler = _started(running, tmp_path, "scheduler", "--port", "0", "--scheduler-file", "cluster.json")
        file = tmp_path / "cluster.json"
        _wait(lambda: file.is_file() and file.stat().st_size > 0, scheduler)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        options = (address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--memory-limit", "0")
        yield Machines(address, [_started(running, tmp_path, "worker", *options) for _ in range(2)])


def _started(running: ExitStack, home: Path, kind: str, *options: str) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *options]
    host = ("--host", "127.0.0.1") if kind == "scheduler" else ()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (home / f"{kind}.log").open("ab") as log:
        process = subprocess.Popen([*line, *host], cwd=home, env=environment, stdout=log, stderr=log)
    running.callback(process.wait)
    running.callback(process.kill)
    return process


def _wait(so: object, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while not so():  # type: ignore[operator]
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)


def test_a_worker_is_killed_on_the_way_and_the_reports_are_the_local_ones(machines: Machines, tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, WRONG, "syntax error(", SOLUTION] * 6)
    (handed / "empty").mkdir()
    told: list[str] = []
    killed: list[int] = []

    def progressed(done: int, total: int) -> None:
        if done >= 4 and not killed:
            killed.append(done)
            machines.workers[0].send_signal(signal.SIGKILL)

    def with_both() -> Cluster:
        made = Cluster(machines.address)
        made._client.wait_for_workers(2, timeout=60)
        made.jobs = 4
        return made

    outcome = grade_folder(handed, tmp_path / "out", LABS, "s", with_both, told.append, progressed, lowest=0)
    assert killed and killed[0] < 25
    assert machines.workers[0].wait(10) == -signal.SIGKILL
    assert (outcome, [line for line in told if "grader itself" in line]) == (Outcome(25, 12, 0), [])
    grade(handed, tmp_path / "local")
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "local")
    # What the cluster graded, this machine keeps; and no player stays in a worker that nobody asks any more.
    assert kept(grade(handed, tmp_path / "out")[1]) == 25
    assert psutil.Process(machines.workers[1].pid).children(recursive=True) == []


def test_an_address_without_a_scheduler_ends_with_2_and_a_sentence(tmp_path: Path) -> None:
    hand_in_all(tmp_path / "in", [SOLUTION])
    asked = ["grader", "grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--dask", "tcp://127.0.0.1:9"]
    code = f"import sys; from grader.cohort import cluster; cluster.CONNECT_SECONDS = 1; sys.argv = {asked!r}; "
    code += "from grader.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 2, done.stderr
    assert "There is no Dask scheduler with workers at 'tcp://127.0.0.1:9'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_worker_with_another_grader_is_refused_before_and_during_the_run(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "grader_version", lambda: "of tomorrow")
    with pytest.raises(OtherVersion):
        monkeypatch.setattr("distributed.get_worker", lambda: machines)
        cluster.grade_here("run", "of today", 0, Submission("learner-01"), ["agstart"], "s")
    with pytest.raises(NoCluster, match="has another version of the grader"):
        Cluster(machines.address)


def test_a_worker_whose_walls_are_too_low_grades_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.referee.players.Players.isolation", Isolation(1, "No walls."))
    submission = Submission("learner-01", missing={"agstart": "There is no file."})
    with pytest.raises(TooOpen, match="No walls"):
        cluster.grade_here("open", cluster.grader_version(), 2, submission, ["agstart"], "s")
    assert cluster.grade_here("open", cluster.grader_version(), 1, submission, ["agstart"], "s")
    cluster.leave_here("open")


def test_what_travels_needs_no_file_and_what_returns_is_json() -> None:
    submission = Submission("learner-01", missing={"agstart": "There is no file."})
    try:
        answer = cluster.grade_here("a run", cluster.grader_version(), 0, submission, ["agstart"], "s")
        assert json.loads(answer)["line"]["learner"] == "learner-01"
    finally:
        cluster.leave_here("a run")
    assert "a run" not in cluster._crews


def test_the_workers_of_this_machine_and_a_cluster_are_asked_the_same_way() -> None:
    names = {name for name in vars(pool.Workers) if not name.startswith("_")} | set(pool.Workers.__annotations__)
    assert {name for name in names if name != "jobs" and not hasattr(Cluster, name)} == set()
