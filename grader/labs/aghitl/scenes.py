"""A failed trial as the beliefs look at it: the move where it left the contract, what was right there, what was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.diagnose import Fits
from grader.labs.aghitl import judges, rules
from grader.labs.aghitl.judges import Difference
from grader.labs.aghitl.rules import View
from grader.model import Evidence, Inputs, Json, Raised, Saw

DECISIONS = ("approve", "edit", "reject")


@dataclass(frozen=True)
class Scene:
    """The first move that went wrong. `seen` is None where it raised; `aspect` is then "raised"."""

    evidence: Evidence
    index: int
    aspect: str
    seen: View | None

    @property
    def inputs(self) -> Inputs:
        return self.evidence.trial.inputs

    @property
    def graph(self) -> str:
        return str(self.inputs["graph"])

    @property
    def move(self) -> Inputs:
        moves: Sequence[Inputs] = self.inputs["moves"]
        return moves[self.index]

    @property
    def do(self) -> str:
        """What the move is; a decision given as an answer counts as that decision."""
        answer = self.move.get("answer")
        word = answer.get("decision") if isinstance(answer, dict) else None
        return word if word in DECISIONS else str(self.move["do"])

    @cached_property
    def right(self) -> View:
        return rules.play(self.inputs)[self.index]

    @property
    def earlier(self) -> list[int]:
        """The numbers of the earlier moves on the thread."""
        moves = self.inputs["moves"]
        return [n for n in range(self.index) if moves[n].get("thread") == self.move.get("thread")]

    @property
    def waited(self) -> bool:
        """Whether the case should have been waiting when the move came."""
        return bool(self.earlier) and rules.play(self.inputs)[self.earlier[-1]].waiting

    @property
    def calls(self) -> list[str]:
        return list(self.seen.calls) if self.seen else []

    @property
    def pays(self) -> list[str]:
        return [call for call in self.calls if call.startswith("pay(")]

    @property
    def nodes(self) -> list[Json]:
        return list((self.seen.nodes or []) if self.seen else [])

    @property
    def policy_changed(self) -> bool:
        """Whether `THRESHOLD` is another than when the case began."""
        moves = self.inputs["moves"]
        began = [n for n in self.earlier if moves[n]["do"] == "run"]
        return bool(began) and moves[began[-1]]["threshold"] != self.move["threshold"]

    @property
    def rebuilt(self) -> bool:
        """Whether the graph was built again since the thread's last move."""
        last = self.earlier[-1] if self.earlier else self.index
        between = [move["do"] for move in self.inputs["moves"][last : self.index]]
        return "rebuild" in between or last < self.inputs.get("crash", 0) <= self.index

    @property
    def strangers(self) -> list[str]:
        """The case ids of the other threads."""
        moves = self.inputs["moves"]
        return [m["case_id"] for m in moves if m["do"] == "run" and m["thread"] != self.move.get("thread")]


def scene_of(evidence: Evidence) -> Scene | None:
    """The scene of a failed trial with moves; None for other trials, and where only a detail is wrong."""
    inputs, seen = evidence.trial.inputs, evidence.observation
    if "moves" not in inputs:
        return None
    if isinstance(seen, Raised):
        marks = [call.args[0] for call in seen.calls if call.tool == "mark"]
        index = marks[-1] if marks and isinstance(marks[-1], int) else 0
        return Scene(evidence, min(index, len(inputs["moves"]) - 1), "raised", None)
    if not isinstance(seen, Saw):
        return None
    found: Difference | None = judges.difference(inputs, seen)
    return None if found is None else Scene(evidence, found.move, found.aspect, rules.views(inputs, seen)[found.move])


def at(test: Callable[[Scene], bool | None]) -> Fits:
    """The belief, asked about the move that went wrong."""

    def fits(evidence: Evidence) -> bool | None:
        scene = scene_of(evidence)
        return None if scene is None else test(scene)

    return fits


def seen_at(test: Callable[[Scene, View], bool | None]) -> Fits:
    """As `at`, where the move ended: what it raised belongs to other beliefs."""
    return at(lambda scene: test(scene, scene.seen) if scene.seen is not None else False)
