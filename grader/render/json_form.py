"""A report as JSON and back: the contract of docs/report-schema.md. Nothing that differs from run to run is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from grader import model
from grader.model import Diagnosis, Evidence, Finding, Isolation, Json, Report, SourceNote, StepResult, Trial, Verdict

SCHEMA = 1
"""Raised by one whenever a field changes its meaning or goes away; new fields alone leave it as it is."""


def learner_json(learner: str, reports: Sequence[Report], notes: Sequence[str] = ()) -> dict[str, Json]:
    """All labs of one learner. `steps` holds an object for every step, each with at least `step` and `verdict`."""
    first = reports[0]
    return {
        "schema": SCHEMA,
        "learner": learner,
        "seed": first.seed,
        "isolation": {
            "level": first.isolation.level,
            "sentence": first.isolation.sentence,
            "observed": dict(first.isolation.observed),
            "how": list(first.isolation.how),
        },
        "points": {
            "earned": sum(report.earned for report in reports),
            "possible": sum(report.points for report in reports),
        },
        "labs": [_lab(report) for report in reports],
        "steps": [{"lab": report.lab, **step_json(result)} for report in reports for result in report.results],
        "notes": list(notes),
    }


def _lab(report: Report) -> dict[str, Json]:
    return {
        "lab": report.lab,
        "title": report.title,
        "source": {"file": report.source.file, "digest": report.source.digest, "remarks": list(report.source.remarks)},
        "points": {"earned": report.earned, "possible": report.points},
    }


def step_json(result: StepResult) -> dict[str, Json]:
    told = result.diagnosis
    return {
        "step": result.step,
        "title": result.title,
        "verdict": str(result.verdict),
        "points": {"earned": result.earned, "possible": result.points},
        "seed": result.seed,
        "tries": result.tries,
        "failures": result.failures,
        "reason": result.reason,
        "next": result.next,
        "noticed": result.noticed,
        "diagnosis": told and {"code": told.code, "title": told.title, "because": told.because, "next": told.next},
        "counterexample": result.counterexample and _evidence(result.counterexample),
        "printed": result.printed,
        "remarks": list(result.remarks),
    }


def _evidence(evidence: Evidence) -> dict[str, Json]:
    seen = evidence.observation
    return {
        "probe": evidence.trial.probe,
        "tried": evidence.trial.tried,
        "inputs": dict(evidence.trial.inputs),
        "observation": {"kind": type(seen).__name__.lower(), **_plain(asdict(seen))},
        "finding": asdict(evidence.finding) if evidence.finding else None,
    }


def _plain(content: Mapping[str, Any]) -> dict[str, Json]:
    return {key: list(part) if isinstance(part, tuple) else part for key, part in content.items()}


# ---------------------------------------------------------------- and back

_KINDS = {
    each.__name__.lower(): each
    for each in (model.Saw, model.Raised, model.Missing, model.Unwritten, model.TimedOut, model.Died, model.Tampered)
}


class NoReport(Exception):
    """This is no report that can be read; the text says what is wrong with it."""


def reports_of(told: Json) -> list[Report]:
    """The reports, one for each lab, that `learner_json` was made of. Raises NoReport."""
    if not isinstance(told, dict) or not isinstance(told.get("labs"), list) or not told["labs"]:
        raise NoReport("it is no report of this grader")
    if told.get("schema") != SCHEMA:
        raise NoReport(f"it has schema {told.get('schema')!r}, and this grader reads schema {SCHEMA}")
    try:
        return [_report_of(told, lab) for lab in told["labs"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NoReport(f"it is damaged ({type(error).__name__}: {error})") from None


def _report_of(told: Mapping[str, Any], lab: Mapping[str, Any]) -> Report:
    source, held = lab["source"], told["isolation"]
    results = [_result_of(step) for step in told["steps"] if step["lab"] == lab["lab"]]
    if sum(result.points for result in results) != lab["points"]["possible"]:
        raise ValueError(f"steps of {lab['lab']} are missing")
    return Report(
        lab["lab"],
        lab["title"],
        told["learner"],
        told["seed"],
        Isolation(held["level"], held["sentence"], held.get("observed", {}), tuple(held.get("how", ()))),
        SourceNote(source["file"], source["digest"], remarks=tuple(source["remarks"])),
        results,
    )


def _result_of(step: Mapping[str, Any]) -> StepResult:
    plain = {key: step[key] for key in ("step", "title", "seed", "tries", "failures", "reason", "next", "noticed")}
    return StepResult(
        **plain,
        verdict=Verdict(step["verdict"]),
        points=step["points"]["possible"],
        counterexample=_evidence_of(step["counterexample"]) if step["counterexample"] else None,
        diagnosis=Diagnosis(**step["diagnosis"]) if step["diagnosis"] else None,
        printed=step["printed"],
        remarks=tuple(step["remarks"]),
    )


def _evidence_of(shown: Mapping[str, Any]) -> Evidence:
    seen = dict(shown["observation"])
    kind = _KINDS[seen.pop("kind")]
    if "calls" in seen:
        seen["calls"] = tuple(model.Call(**call) for call in seen["calls"])
    if "frames" in seen:
        seen["frames"] = tuple(seen["frames"])
    finding = Finding(**shown["finding"]) if shown["finding"] else None
    return Evidence(Trial(shown["probe"], shown["inputs"], shown["tried"]), kind(**seen), finding)
