"""The words of the lab: steps, probes, trials, observations, findings, diagnoses, reports.

Standard library only. Nothing here runs learner code, prints, or imports langgraph.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.draw import Luck

Json = Any
"""Plain data: None, bool, int, float, str, and lists and dicts of these. What crosses the wire is nothing else."""

Inputs = Mapping[str, Json]
Facts = Mapping[str, Json]


class Verdict(str, enum.Enum):
    """What a check says of a step: one of six words, never a boolean."""

    PASSED = "passed"
    NEEDS_WORK = "needs work"
    NOT_STARTED = "not started"
    BROKEN = "broken"
    BLOCKED = "blocked"
    GRADER_FAULT = "grader fault"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Call:
    """One call that arrived at a tool held by the referee, in the order of arrival."""

    tool: str
    args: Sequence[Json]
    receipt: Json


@dataclass(frozen=True)
class Saw:
    """The act ended and reported facts; `calls` is what the referee witnessed meanwhile."""

    facts: Facts
    calls: Sequence[Call] = ()


@dataclass(frozen=True)
class Raised:
    """Learner code raised: the type's name, its message, and the learner's own frames (`file:line in name`)."""

    type: str
    message: str
    frames: Sequence[str] = ()
    calls: Sequence[Call] = ()


@dataclass(frozen=True)
class Missing:
    """A name that the step needs is not in the learner's module; `near` are names that look like it."""

    name: str
    file: str
    near: Sequence[str] = ()


@dataclass(frozen=True)
class Unwritten:
    """The name is still as the starter has it; `near` are keys that may have been meant for it."""

    name: str
    near: Sequence[str] = ()


@dataclass(frozen=True)
class TimedOut:
    """No answer within `seconds` (wall clock); the player was killed by the referee."""

    seconds: float


@dataclass(frozen=True)
class Died:
    """The player ended before it answered; `how` says it in words (`exit code 0`, `killed by signal 9`)."""

    how: str


@dataclass(frozen=True)
class Tampered:
    """What came over the wire was no answer to what was asked; `what` says which rule it broke."""

    what: str


Observation = Saw | Raised | Missing | Unwritten | TimedOut | Died | Tampered


@dataclass(frozen=True)
class Finding:
    """The first difference: where it is, what was expected there, what came."""

    where: str
    expected: Json
    actual: Json


@dataclass(frozen=True)
class Trial:
    """One concrete question: a probe and the inputs drawn for it. `tried` says it in the learner's words."""

    probe: str
    inputs: Inputs
    tried: str


@dataclass(frozen=True)
class Evidence:
    """A trial, what was observed, and the first difference (None where the observation is no `Saw`, or is right)."""

    trial: Trial
    observation: Observation
    finding: Finding | None = None

    @property
    def failed(self) -> bool:
        return self.finding is not None or not isinstance(self.observation, Saw)


@dataclass(frozen=True)
class Diagnosis:
    """A known wrong belief. `fits(evidence)` compares with what the belief would have produced for the drawn inputs.

    `fits` gives True (the belief explains this), False (it does not), or None (this trial says nothing about it).
    """

    code: str
    title: str
    because: str
    next: str
    fits: Callable[[Evidence], bool | None] = field(repr=False, compare=False, default=lambda evidence: None)


@dataclass(frozen=True)
class Probe:
    """One way of asking: `draw` makes the inputs (edges first, sizes growing), `act` names the player's function,

    `judge` is a pure function of inputs and what was seen, `tried` puts drawn inputs into a sentence.
    """

    name: str
    act: str
    draw: Callable[[Luck], Sequence[Inputs]]
    judge: Callable[[Inputs, Saw], Finding | None]
    tried: Callable[[Inputs], str]
    tools: Callable[[Inputs], Mapping[str, Callable[..., Json]]] | None = None
    """Tools that the referee holds for one trial: name to a function of plain arguments, giving the receipt."""
    then: str | None = None
    """A second act, for what has to outlive a crash: the player of `act` is killed by SIGKILL once it has answered, and
    `then` is asked in a fresh one that finds the files of the first. `Saw.facts` is then `{"before", "after", "calls"}`:
    the facts of both, and how many of the calls came before the crash."""


@dataclass(frozen=True)
class Step:
    """One thing to learn. `names` are what the learner's module must offer, `writes` what exactly is written in it."""

    id: str
    title: str
    names: Sequence[str]
    probes: Sequence[Probe]
    diagnoses: Sequence[Diagnosis]
    hints: Sequence[str]
    noticed: str
    needs: Sequence[str] = ()
    """Ids of other steps."""
    points: int = 1
    writes: Sequence[str] = ()

    @property
    def lab(self) -> str:
        return self.id.partition(".")[0]


@dataclass(frozen=True)
class Prediction:
    """A question asked before a run. `act` computes the key by a real run; `beliefs` map a name to the answer it gives."""

    id: str
    question: str
    act: str
    inputs: Inputs
    beliefs: Sequence[Belief]
    noticed: str


@dataclass(frozen=True)
class Belief:
    """A common wrong prediction: its answer for the inputs, and what the machine does instead."""

    name: str
    answer: Callable[[Inputs], Json]
    instead: str


@dataclass(frozen=True)
class Lab:
    """One lab: `module` is the learner's main module (`agstate.state`), `file` its place under the lab's folder."""

    slug: str
    title: str
    number: int
    module: str
    steps: Sequence[Step]
    predictions: Sequence[Prediction] = ()
    graded: bool = True

    @property
    def file(self) -> str:
        return self.module.replace(".", "/") + ".py"

    def step(self, step_id: str) -> Step:
        return {step.id: step for step in self.steps}[step_id]


@dataclass(frozen=True)
class StepResult:
    """The verdict on one step with its counterexample, the likely belief, and what the learner's code printed."""

    step: str
    title: str
    verdict: Verdict
    points: int
    seed: str
    tries: int = 0
    failures: int = 0
    counterexample: Evidence | None = None
    diagnosis: Diagnosis | None = None
    reason: str = ""
    """One sentence: why the verdict is what it is, where there is no finding to show."""
    next: str = ""
    """One action: what to do next."""
    noticed: str = ""
    printed: str = ""
    remarks: Sequence[str] = ()

    @property
    def earned(self) -> int:
        return self.points if self.verdict is Verdict.PASSED else 0


@dataclass(frozen=True)
class SourceNote:
    """Which files were read, their digest, and (for a learner's own check) how long ago the main one was saved."""

    file: str
    digest: str
    saved_seconds_ago: float | None = None
    remarks: Sequence[str] = ()


@dataclass(frozen=True)
class Isolation:
    """How far code was held apart, as a preflight saw it: a level from 3 to 0, what that means, and which walls there are."""

    level: int = 0
    sentence: str = "Nothing was run here."
    observed: Mapping[str, str] = field(default_factory=dict)
    how: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """What one check of one submission in one lab found. Every renderer takes this and decides nothing."""

    lab: str
    title: str
    learner: str
    seed: str
    isolation: Isolation
    source: SourceNote
    results: Sequence[StepResult]

    @property
    def points(self) -> int:
        return sum(result.points for result in self.results)

    @property
    def earned(self) -> int:
        return sum(result.earned for result in self.results)

    @property
    def passed(self) -> bool:
        return all(result.verdict is Verdict.PASSED for result in self.results)
