"""How fast lab 1 is checked, side by side with other ways of doing the same, in one run, as ratios.

    python benchmarks/lab1.py [--quick]

Nothing is written but to the screen. Every way asks the same trials of the same steps and judges them the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from grader import catalog  # noqa: E402
from grader.cohort.pool import default_jobs  # noqa: E402
from grader.cohort.run import grade_folder  # noqa: E402
from grader.draw import trials_of  # noqa: E402
from grader.grading import check  # noqa: E402
from grader.model import Saw  # noqa: E402
from grader.referee.players import Players  # noqa: E402
from grader.referee.source import read_folder  # noqa: E402
from grader.render.html import report_html  # noqa: E402
from grader.render.text import report_text  # noqa: E402

LAB = catalog.lab_of("agstate")

PYTEST_FILE = """
import sys
from pathlib import Path
import pytest
from grader import catalog
from grader.draw import trials_of
from grader.labs.agstate import acts
from grader.model import Call, Saw
from grader.player.learner import Learner
from grader.player.wire import plain

LAB = catalog.lab_of("agstate")
sys.path.insert(0, str(Path(__file__).parent))

class Held:
    def __init__(self, tools):
        self.tools, self.calls = tools, []
    def __getattr__(self, name):
        def call(*args):
            self.calls.append(Call(name, plain(list(args)), self.tools[name](*args)))
            return self.calls[-1].receipt
        return call

@pytest.fixture(scope="session")
def learner():
    return Learner("agstate.state")

@pytest.mark.parametrize("step", LAB.steps, ids=lambda step: step.id)
def test_step(step, learner):
    for probe, trial in trials_of(step, "SEED"):
        held = Held(probe.tools(trial.inputs) if probe.tools else {})
        facts = plain(getattr(acts, probe.act)(learner, trial.inputs, held))
        assert probe.judge(trial.inputs, Saw(facts, held.calls)) is None
"""


def seconds(work: Callable[[], object], times: int) -> list[float]:
    """How long each of `times` runs took."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return taken


@contextmanager
def submissions(count: int) -> Iterator[Path]:
    """So many learners, each with the solution."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            shutil.copytree(ROOT / "solutions" / "agstate", Path(folder, f"learner {number:03}", "agstate"))
        yield Path(folder)


def isolation(times: int) -> None:
    """DESIGN section 8, row 1: a submission in a player against the same acts in one hot process."""
    source = read_folder(ROOT / "solutions", LAB.file)
    hot = _hot_process()
    with Players() as players:
        work = lambda: check(LAB, LAB.steps, source, "7", players)  # noqa: E731
        work()
        hot()
        pairs = [(seconds(work, 1)[0], seconds(hot, 1)[0]) for _ in range(times)]
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    told("lab 1, one submission, in a player", ours)
    told("the same acts and judges in one hot process", bare)
    print(f"  ratio {statistics.median(one / other for one, other in pairs):.2f} (median of {times} pairs)\n")


def _hot_process() -> Callable[[], None]:
    """The same trials without processes: the learner's module is imported once into this one."""
    from grader.labs.agstate import acts
    from grader.player import kit
    from grader.player.learner import Learner
    from grader.player.wire import plain

    sys.path[:0] = [str(ROOT / "solutions")]
    kit.warm_up()
    learner = Learner("agstate.state")

    def run() -> None:
        for step in LAB.steps:
            for probe, trial in trials_of(step, "7"):
                held = _Held(probe.tools(trial.inputs) if probe.tools else {})
                facts = plain(getattr(acts, probe.act)(learner, trial.inputs, held))
                assert probe.judge(trial.inputs, Saw(facts, held.calls)) is None

    return run


class _Held:
    """Tools without a wire."""

    def __init__(self, tools: object) -> None:
        self._tools, self.calls = tools, []

    def __getattr__(self, name: str) -> Callable[..., object]:
        from grader.model import Call
        from grader.player.wire import plain

        def call(*args: object) -> object:
            self.calls.append(Call(name, plain(list(args)), self._tools[name](*args)))
            return self.calls[-1].receipt

        return call


def notebook(times: int) -> None:
    """DESIGN section 8, row 3: `check` of one step until its report is there, warm; and the first one of a kernel."""
    source = read_folder(ROOT / "solutions", LAB.file)

    def report(players: Players, step: str) -> None:
        made = check(LAB, [LAB.step(step)], source, "7", players)
        report_html(made), report_text(made)

    with Players() as players:
        report(players, "agstate.overwrite")
        every = [taken for step in LAB.steps for taken in seconds(lambda name=step.id: report(players, name), times)]
    first = _first_checks(max(2, times // 5))
    told("`check` of one step until the report is there, warm (median over the ten steps)", statistics.median(every))
    told("the slowest of them", max(every))
    told("the first `check` of a fresh kernel, its start included (median)", statistics.median(first))
    print()


def _first_checks(times: int) -> list[float]:
    """In a copy of `labs`, since a check takes a note of the learner's progress."""
    code = "from grader import check; repr(check('agstart.hello'))"
    with tempfile.TemporaryDirectory() as course:
        labs = shutil.copytree(ROOT / "labs", Path(course, "labs"))
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return seconds(
            lambda: subprocess.run([sys.executable, "-c", code], cwd=labs, env=environment, check=True), times
        )


def cohort(count: int, sample: int) -> None:
    """Lab 1 for many submissions against one fresh pytest process for each, as many at a time as there are cores.

    The pytest processes keep bytecode, as on a plain machine: without it pytest rewrites the asserts of every plugin's
    packages each time, which more than doubles its time, and the ratio with it.
    """
    jobs = default_jobs()
    with submissions(count) as folder, tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as cache:
        environment = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": cache}
        handed = sorted(folder.iterdir())
        began = time.perf_counter()
        outcome = grade_folder(folder, Path(out), [LAB], "7", jobs, print, lambda done, total: None, lowest=0)
        ours = time.perf_counter() - began
        assert outcome.passed == count
        theirs, bare = (
            _pytest_for_all(handed[:sample], jobs, {**environment, **more}) / sample * count
            for more in ({}, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
        )
    told(f"lab 1 for {count} submissions, {jobs} workers, reports written", ours)
    told(f"a fresh pytest process for each, {jobs} at a time (measured on {sample}, scaled)", theirs)
    told("the same without the plugins that langgraph's packages bring to pytest", bare)
    print(f"  ratios {theirs / ours:.1f} and {bare / ours:.1f}\n")


def _pytest_for_all(handed: Sequence[Path], jobs: int, environment: Mapping[str, str]) -> float:
    """Seconds for all of them, `jobs` at a time; one run before the clock starts leaves its bytecode."""
    _pytest(handed[0], environment)
    began = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda submission: _pytest(submission, environment), handed))
    return time.perf_counter() - began


def _pytest(submission: Path, environment: Mapping[str, str]) -> None:
    file = submission / "test_lab1.py"
    file.write_text(PYTEST_FILE.replace("SEED", "7"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={submission}", str(file)]
    subprocess.run(command, cwd=submission, env=environment, check=True, stdout=subprocess.DEVNULL)


def imports() -> None:
    """What each import costs in a fresh interpreter, against an interpreter that imports nothing."""
    bare = statistics.median(seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 5))
    told("a fresh interpreter", bare)
    for name in (
        "langgraph.graph",
        "langchain_core.messages",
        "pytest",
        "typer",
        "rich.progress",
        "jinja2",
        "grader.grading",
    ):
        taken = seconds(lambda code=f"import {name}": subprocess.run([sys.executable, "-c", code], check=True), 5)
        told(f"  importing {name} adds", statistics.median(taken) - bare)


def told(what: str, taken: float) -> None:
    print(f"{taken * 1000:10,.0f} ms  {what}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer repeats and learners")
    quick = parser.parse_args().quick
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores\n")
    isolation(3 if quick else 15)
    notebook(2 if quick else 10)
    cohort(10 if quick else 100, 4 if quick else 20)
    imports()


if __name__ == "__main__":
    main()
