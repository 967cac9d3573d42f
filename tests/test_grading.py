"""Verdicts that do not come from a lab's own probes: blocked, grader fault, asked alone, and who stands behind whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from grader import catalog
from grader.diagnose import explain
from grader.draw import trials_of
from grader.grading import check
from grader.model import Diagnosis, Evidence, Finding, Lab, Probe, Saw, Step, Trial, Verdict
from grader.referee.players import Players
from grader.referee.source import Source
from grader.render.rows import rows_of

SAYS = b"def build():\n    from langgraph.graph import StateGraph\n    return StateGraph(dict)\n"


def lab_of(*steps: Step) -> Lab:
    return Lab("agstart", "a made lab", 99, "agstart.hello", steps)


def step_of(name: str, judge: Callable[..., Any], *needs: str, diagnoses: tuple[Diagnosis, ...] = ()) -> Step:
    real = catalog.lab_of("agstart").steps[0].probes[0]
    probe = Probe("run", real.act, lambda luck: [{"start": luck.words(2)}], judge, lambda inputs: "a run")
    return Step(f"agstart.{name}", name, ("build",), (probe,), diagnoses, ("", "", "", ""), "seen", needs)


def right(inputs: Any, seen: Saw) -> Finding | None:
    return None


def wrong(inputs: Any, seen: Saw) -> Finding | None:
    return Finding("somewhere", 1, 2)


def faulty(inputs: Any, seen: Saw) -> Finding | None:
    raise LookupError("the judge is ill")


def hello() -> Source:
    from tests.conftest import ROOT

    return Source("agstart/hello.py", {"agstart/hello.py": (ROOT / "labs/agstart/hello.py").read_bytes()}, "hello.py")


def verdicts(lab: Lab, asked: list[Step], players: Players) -> dict[str, Verdict]:
    report = check(lab, asked, hello(), "1", players)
    return {result.step.partition(".")[2]: result.verdict for result in report.results}


def test_a_step_whose_need_did_not_pass_is_blocked_and_says_which(players: Players) -> None:
    lab = lab_of(step_of("first", wrong), step_of("second", right, "agstart.first"))
    report = check(lab, list(lab.steps), hello(), "1", players)
    assert [result.verdict for result in report.results] == [Verdict.NEEDS_WORK, Verdict.BLOCKED]
    assert "agstart.first" in report.results[1].reason and 'check("agstart.first")' in report.results[1].next
    assert report.results[1].earned == 0


def test_a_need_is_checked_though_only_the_step_behind_it_was_asked_for(players: Players) -> None:
    lab = lab_of(step_of("first", right), step_of("second", right, "agstart.first"))
    assert verdicts(lab, [lab.steps[1]], players) == {"second": Verdict.PASSED}
    broken = lab_of(step_of("first", wrong), step_of("second", right, "agstart.first"))
    assert verdicts(broken, [broken.steps[1]], players) == {"second": Verdict.BLOCKED}


def test_a_judge_that_raises_is_a_grader_fault_and_the_next_step_goes_on(players: Players) -> None:
    lab = lab_of(step_of("first", faulty), step_of("second", right))
    report = check(lab, list(lab.steps), hello(), "1", players)
    assert [result.verdict for result in report.results] == [Verdict.GRADER_FAULT, Verdict.PASSED]
    assert "does not count against you" in report.results[0].reason
    assert "the judge is ill" in report.results[0].printed


def test_a_step_that_fails_only_after_others_is_asked_again_alone(players: Players) -> None:
    asked: list[int] = []

    def wrong_at_first(inputs: Any, seen: Saw) -> Finding | None:
        asked.append(1)
        return Finding("somewhere", 1, 2) if len(asked) == 1 else None

    assert verdicts(lab_of(step_of("only", wrong_at_first)), [step_of("only", wrong_at_first)], players) == {
        "only": Verdict.PASSED
    }
    assert len(asked) == 2


def test_the_trials_of_a_step_do_not_depend_on_what_else_is_checked() -> None:
    lab = catalog.lab_of("agstate")
    alone = [trial for _, trial in trials_of(lab.step("agstate.window"), "77")]
    after = [[trial for _, trial in trials_of(step, "77")] for step in lab.steps][4]
    assert alone == after


def test_the_special_belief_is_named_before_the_general_one_and_a_contradicted_one_not_at_all() -> None:
    piece = [Evidence(Trial("run", {"n": n}, ""), Saw({"got": n}), Finding("x", 0, n)) for n in (1, 2)]
    always = Diagnosis("GENERAL", "", "", "", lambda evidence: True)
    once = Diagnosis("SPECIAL", "", "", "", lambda evidence: True if evidence.trial.inputs["n"] == 1 else None)
    against = Diagnosis("AGAINST", "", "", "", lambda evidence: evidence.trial.inputs["n"] == 2)
    assert explain(piece, [against, once, always]) == once
    assert explain(piece, [replace(always, fits=lambda evidence: None)]) is None


def test_a_pass_is_told_in_a_few_lines_and_a_failure_in_a_dozen(players: Players) -> None:
    for judge, most in ((right, 2), (wrong, 12)):
        lab = lab_of(step_of("only", judge))
        report = check(lab, list(lab.steps), hello(), "1", players)
        assert len(rows_of(report, report.results[0])) <= most


COUNTS_ON_DISK = b"""
import os, sys
from pathlib import Path
from labgraph import hello

def build():
    note = Path("runs.txt")
    note.write_text((note.read_text() if note.is_file() else "") + "x")
    linked = Path("link").is_symlink()
    if not linked:
        os.symlink("/etc/hostname", "link")
    return hello(len(note.read_text()), linked)
"""
GRAPH = b"""
from operator import add
from typing import Annotated, TypedDict
from langgraph.graph import START, StateGraph

class Said(TypedDict, total=False):
    said: Annotated[list, add]

def hello(runs, linked):
    graph = StateGraph(Said)
    graph.add_node("tell", lambda state: {"said": [runs, linked]})
    graph.add_edge(START, "tell")
    return graph.compile()
"""


def test_what_a_killed_player_left_on_disk_is_found_by_the_next_and_links_are_not_carried(players: Players) -> None:
    seen: list[Saw] = []

    def remember(inputs: Any, observation: Saw) -> Finding | None:
        seen.append(observation)
        return None

    step = step_of("crash", remember)
    step = replace(step, probes=(replace(step.probes[0], then="run_hello"),))
    files = {"agstart/hello.py": COUNTS_ON_DISK, "agstart/labgraph.py": GRAPH}
    report = check(lab_of(step), [step], Source("agstart/hello.py", files, "hello.py"), "1", players)
    assert [result.verdict for result in report.results] == [Verdict.PASSED]
    before, after = seen[0].facts["before"]["said"][-1], seen[0].facts["after"]["said"][-1]
    assert (before[-2:], after[-2:]) == ([1, False], [2, False])
    assert seen[0].facts["calls"] == 0
