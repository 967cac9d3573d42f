"""From findings to the belief behind them: pure, and silent where no known belief explains all that was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.model import Diagnosis, Evidence, Inputs, Json, Raised, Saw


def explain(evidence: Sequence[Evidence], known: Sequence[Diagnosis]) -> Diagnosis | None:
    """The first known belief that contradicts no failed trial and explains at least one; else one that explains the first.

    `known` is in the order of precedence: the more special belief stands before the more general one.
    """
    failed = [piece for piece in evidence if piece.failed]
    for diagnosis in known:
        verdicts = [_asked(diagnosis, piece) for piece in failed]
        if False not in verdicts and True in verdicts:
            return diagnosis
    for diagnosis in known:
        if failed and _asked(diagnosis, failed[0]):
            return diagnosis
    return None


def example_of(diagnosis: Diagnosis | None, evidence: Sequence[Evidence]) -> Evidence:
    """The failed trial to show: the first one that the diagnosis explains, since others may have other causes."""
    failed = [piece for piece in evidence if piece.failed]
    explained = [piece for piece in failed if diagnosis and _asked(diagnosis, piece)]
    return [*explained, *failed][0]


def _asked(diagnosis: Diagnosis, evidence: Evidence) -> bool | None:
    """What the belief says. One that cannot even be asked of what was seen does not explain it."""
    try:
        return diagnosis.fits(evidence)
    except Exception:  # noqa: BLE001 - a verdict that is known must not be lost for want of an explanation
        return False


Fits = Callable[[Evidence], "bool | None"]


def on(probe: str, fits: Fits) -> Fits:
    """`fits`, asked only about trials of this probe."""
    return lambda evidence: fits(evidence) if evidence.trial.probe == probe else None


def any_of(*ways: Fits) -> Fits:
    """True where one of the ways says so; None where all are silent; else False."""

    def fits(evidence: Evidence) -> bool | None:
        said = [way(evidence) for way in ways]
        return True if True in said else None if all(word is None for word in said) else False

    return fits


def gives(predict: Callable[[Inputs], Json], fact: str) -> Fits:
    """The belief whose model of the machine, for the drawn inputs, gives exactly the fact that was seen."""

    def fits(evidence: Evidence) -> bool:
        observation = evidence.observation
        return isinstance(observation, Saw) and observation.facts.get(fact) == predict(evidence.trial.inputs)

    return fits


def raises(kind: str, *words: str) -> Fits:
    """The belief that ends in an exception of this type whose message holds these words."""

    def fits(evidence: Evidence) -> bool:
        seen = evidence.observation
        return isinstance(seen, Raised) and seen.type == kind and all(word in seen.message for word in words)

    return fits


def saw_of(evidence: Evidence) -> Saw:
    """What was seen; nothing at all where the act did not come to its end."""
    return evidence.observation if isinstance(evidence.observation, Saw) else Saw({})


def found_at(evidence: Evidence, *words: str) -> bool | None:
    """Whether the first difference lies at a place whose name holds one of these words; None where there is none."""
    return any(word in evidence.finding.where for word in words) if evidence.finding else None
