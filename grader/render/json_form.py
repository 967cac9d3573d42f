"""A report as JSON and back: the contract of docs/report-schema.md. Nothing that differs from run to run is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from grader.model import Evidence, Json, Report, StepResult

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
