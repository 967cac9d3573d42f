"""Run one hostile submission through the grader itself, and say which of its refusals were broken.

An attack is one file under `corpus`: its docstring says what it attempts, and constants say what is expected of the
grader. `REFUSED` names the witnesses that must stay silent, `NEEDS` is the lowest level that promises so.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import signal
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import catalog
from grader.grading import check
from grader.model import Isolation, Lab, Report, Step, StepResult, Verdict
from grader.referee.players import Players
from grader.referee.source import Source
from tests.attacks import witnesses
from tests.attacks.stage import Stage, staged
from tests.attacks.witnesses import Before, Peaks
from tests.conftest import ROOT

CORPUS = Path(__file__).parent / "corpus"
SECONDS = 40
"""A check of an attack that takes longer than this hangs."""
WITNESSES = (
    "secret_read",
    "wrote_outside",
    "network_reached",
    "alive_after",
    "verdict_changed",
    "others_changed",
    "referee_hurt",
    "killed",
    "handled",
    "exhausted",
    "admitted",
)

ALWAYS = frozenset(WITNESSES) - {"verdict_changed", "admitted", "exhausted"}
"""Witnesses that must stay silent whatever an attack was meant for. The others count only where an attack names them."""


# ---------------------------------------------------------------- the grader's levels: all that is to be adapted


def players_at(level: int | None) -> Players:
    """Players behind the walls of `level`; None is the highest that this machine has."""
    return Players() if level is None else Players(level)


def level_of(players: Players) -> int:
    """The level that was observed of these players."""
    return players.isolation.level


def zygote_of(players: Players) -> int:
    """The process number of the players' zygote, which is started if there is none."""
    players.warm()
    assert players._zygote is not None
    return players._zygote._process.pid


# ---------------------------------------------------------------- the corpus


@dataclass(frozen=True)
class Attack:
    """One file of the corpus. `alone`: it is sent as it is; else it stands behind the solution, whose names it has."""

    name: str
    kind: str
    text: str
    refused: Sequence[str]
    needs: int = 1
    lab: str = "agstate"
    steps: Sequence[str] = ()
    may_pass: Sequence[str] = ()
    alone: bool = False

    @property
    def of_lab(self) -> Lab:
        return catalog.lab_of(self.lab)

    @property
    def asked(self) -> list[Step]:
        """The steps that are checked: the named ones, or the first."""
        lab = self.of_lab
        if "all" in self.steps:
            return list(lab.steps)
        return [lab.step(name) for name in self.steps] or [lab.steps[0]]


def corpus() -> list[Attack]:
    return [_read(file) for file in sorted(CORPUS.glob("*/*.py"))]


def _read(file: Path) -> Attack:
    text = file.read_text(encoding="utf-8")
    known = {each.name.upper(): each.name for each in dataclasses.fields(Attack)}
    said: dict[str, Any] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name) and target.id in known:
            said[known[target.id]] = ast.literal_eval(node.value)
    unknown = set(said["refused"]) - set(WITNESSES)
    assert not unknown, f"{file.name} names witnesses that do not exist: {unknown}"
    return Attack(file.stem, file.parent.name, text, **said)


def _source(attack: Attack, told: dict[str, Any]) -> Source:
    assert "\nTOLD = {}\n" in attack.text, f"{attack.name} has no line TOLD = {{}}"
    text = attack.text.replace("\nTOLD = {}\n", f"\nTOLD = {told!r}\n", 1)
    main = attack.of_lab.file
    return Source(main, {main: (("" if attack.alone else _solution(attack.of_lab)) + text).encode()}, attack.name)


def _solution(lab: Lab) -> str:
    return (ROOT / "solutions" / lab.file).read_text(encoding="utf-8") + "\n\n"


# ---------------------------------------------------------------- one attack


@dataclass(frozen=True)
class Outcome:
    """What came of an attack: each broken witness with what it saw, and the report."""

    broken: dict[str, list[str]]
    report: Report | None


def run(attack: Attack, players: Players, folder: Path) -> Outcome:
    """Check the attack's submission on a stage of its own, then somebody else's, and gather every witness."""
    zygote = zygote_of(players)
    players.new(attack.lab).end()  # The zygote is warm, and what it costs is not the attack's.
    with staged(folder, zygote) as stage:
        before = Before.of(stage)
        peaks = Peaks(stage, lambda: zygote, before)
        report: Report | None = None
        failed: list[str] = []
        try:
            with _at_most(SECONDS), peaks.watch() if "exhausted" in attack.refused else contextlib.nullcontext():
                report = check(attack.of_lab, attack.asked, _source(attack, stage.told), "1", players, own=False)
        except _Hung:
            failed = [f"it hung for {SECONDS} seconds in {_innermost()}"]
            players.close()
        except Exception:  # noqa: BLE001 - whatever an attacker makes the referee raise is what is looked for
            failed = [traceback.format_exc(limit=-3)]
        try:
            broken = _broken(attack, stage, before, peaks, report, players, zygote)
        finally:
            witnesses.bury(stage, before, zygote)
        broken["referee_hurt"] = failed + broken["referee_hurt"]
        return Outcome({name: told for name, told in broken.items() if told}, report)


def _broken(
    attack: Attack, stage: Stage, before: Before, peaks: Peaks, report: Report | None, players: Players, zygote: int
) -> dict[str, list[str]]:
    nobody = Report("", "", "", "", Isolation(), None, ())  # type: ignore[arg-type]
    report = report or nobody
    alive = witnesses.outliving(stage, before, zygote)
    stage.listen()
    now = zygote_of(players)
    broken = {
        "alive_after": alive,
        "network_reached": [f"{name}: {heard[:80]!r}" for name, heard in stage.heard.items()],
        "wrote_outside": witnesses.written(stage, before),
        "secret_read": witnesses.shown(stage, report),
        "killed": witnesses.killed(stage, zygote, now),
        "handled": witnesses.handled(before),
        "exhausted": peaks.exhausted,
        "referee_hurt": witnesses.hurt(before, report),
        "verdict_changed": [
            result.step for result in report.results if result.earned and result.step not in attack.may_pass
        ],
        "admitted": [witnesses.ADMITS] if witnesses.ADMITS in repr(report) else [],
    }
    witnesses.bury(stage, before, zygote)
    broken["others_changed"] = _next_one(attack, players)
    return broken


def _next_one(attack: Attack, players: Players) -> list[str]:
    """The right submission passes after the attack, and the empty one does not."""
    lab = attack.of_lab
    starter = (ROOT / "grader" / "labs" / lab.slug / "starter" / Path(lab.file).name).read_text(encoding="utf-8")
    found = []
    try:
        with _at_most(SECONDS):
            if not all(result.earned for result in _checked(attack, _solution(lab), players)):
                found.append("the right one does not pass")
            if any(result.earned for result in _checked(attack, starter, players)):
                found.append("the empty one passes")
    except _Hung:
        found.append("the next one hangs")
    return found


def _checked(attack: Attack, text: str, players: Players) -> Sequence[StepResult]:
    lab = attack.of_lab
    source = Source(lab.file, {lab.file: text.encode()}, "next")
    return check(lab, attack.asked, source, "2", players, own=False).results


def said(outcome: Outcome) -> str:
    """Verdicts and reasons in short, for a failing test."""
    results = outcome.report.results if outcome.report else ()
    return "; ".join(f"{each.step}: {each.verdict} {each.reason[:200]}" for each in results)


def faults(outcome: Outcome) -> str:
    """The tracebacks of the grader's own faults."""
    results = outcome.report.results if outcome.report else ()
    return "\n".join(each.printed for each in results if each.verdict is Verdict.GRADER_FAULT)


class _Hung(BaseException):
    """The referee did not come back in time. No Exception, so that nobody takes it for one of his own."""


_where: list[str] = []


def _innermost() -> str:
    return _where[-1] if _where else "?"


@contextlib.contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raise `_Hung` where the main thread is, also in the middle of a system call, after `seconds`."""

    def ring(number: int, frame: Any) -> None:
        _where.append("".join(traceback.format_stack(frame, 3)))
        raise _Hung

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
