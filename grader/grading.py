"""The one orchestrator: a submission, steps and a seed go in, a report comes out. The only module that knows everyone."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader import catalog, wording
from grader.diagnose import example_of, explain
from grader.draw import trials_of
from grader.model import (
    Call,
    Died,
    Evidence,
    Facts,
    Isolation,
    Lab,
    Observation,
    Probe,
    Report,
    Saw,
    SourceNote,
    Step,
    StepResult,
    Trial,
    Unwritten,
    Verdict,
)
from grader.parts import first_asked_in, unwritten, written
from grader.referee.player import Player, Tool
from grader.referee.players import Players
from grader.referee.source import Source
from grader.referee.zygote import NoPlayers, ZygoteLost
from grader.render.rows import IMPORT


@dataclass(frozen=True)
class Attempt:
    """One pass over a step's trials: what was seen, or why the module could not even be asked."""

    evidence: Sequence[Evidence]
    unloaded: Observation | None = None
    printed: str = ""
    remarks: Sequence[str] = ()

    @property
    def passed(self) -> bool:
        return self.unloaded is None and bool(self.evidence) and not any(piece.failed for piece in self.evidence)

    @property
    def gap(self) -> Unwritten | None:
        """What is not written yet, where nothing that is written is wrong."""
        last = self.evidence[-1].observation if self.evidence else None
        return last if isinstance(last, Unwritten) and not any(piece.failed for piece in self.evidence[:-1]) else None


class Seat:
    """A submission's player for one lab: loaded on the first need, replaced after it died."""

    def __init__(self, players: Players, lab: Lab, source: Source, files: Mapping[str, bytes] | None = None) -> None:
        self._players = players
        self._lab = lab
        self.source = source
        self._files = files
        self._player: Player | None = None
        self.unloaded: Observation | None = None
        self.remarks: tuple[str, ...] = ()
        self.left: Mapping[str, bytes] = {}
        """The files that the last player left, where they were asked for."""

    def attempt(self, step: Step, trials: Sequence[tuple[Probe, Trial]]) -> Attempt:
        """Ask all trials of a step; the first that ends the player is the last."""
        player = self._loaded()
        if player is None:
            return Attempt((), self.unloaded, remarks=self.remarks)
        evidence: list[Evidence] = []
        for probe, trial in trials:
            tools = probe.tools(trial.inputs) if probe.tools else None
            if probe.then:
                observation = self._across_a_crash(probe, trial, step, tools)
            else:
                observation = player.act(probe.act, trial.inputs, step.names, tools)
            finding = probe.judge(trial.inputs, observation) if isinstance(observation, Saw) else None
            evidence.append(Evidence(trial, observation, finding))
            if wording.verdict_of(observation) in (Verdict.BROKEN, Verdict.NOT_STARTED):
                break
        printed, _ = player.printed()
        if not player.alive:
            evidence[-1] = replace(evidence[-1], observation=self._after(evidence[-1].observation))
        return Attempt(evidence, None, printed, self.remarks)

    def _across_a_crash(self, probe: Probe, trial: Trial, step: Step, tools: Mapping[str, Tool] | None) -> Observation:
        """The probe's two acts in two players of their own; what the first left on disk is carried to the second."""
        facts: list[Facts] = []
        calls: list[Call] = []
        before_the_crash: int | None = None
        files: Mapping[str, bytes] = {}
        for act in (probe.act, str(probe.then)):
            seat = Seat(self._players, self._lab, self.source, files)
            player = seat._loaded()
            if player is None:
                assert seat.unloaded is not None
                return seat.unloaded
            observation = player.act(act, trial.inputs, step.names, tools)
            observation = seat._after(observation, carry=True)
            files = seat.left
            if not isinstance(observation, Saw):
                return observation
            facts.append(observation.facts)
            calls += observation.calls
            before_the_crash = len(calls) if before_the_crash is None else before_the_crash
        return Saw({"before": facts[0], "after": facts[1], "calls": before_the_crash}, tuple(calls))

    def leave(self) -> None:
        """End the player, if there is one."""
        if self._player is not None:
            self._after(Saw({}))

    def _loaded(self) -> Player | None:
        if self._player is None and self.unloaded is None:
            self._player = self._players.new(self._lab.slug, self._files)
            observation = self._player.load(self.source, self._lab.module)
            _, printed = self._player.printed()
            self.remarks = (wording.remark_on_print(printed, "while it was imported"),) if printed else ()
            if not isinstance(observation, Saw):
                self.unloaded = self._after(observation)
        return self._player

    def _after(self, observation: Observation, *, carry: bool = False) -> Observation:
        """End the player, and say of one that died by itself how it did. `carry` keeps the files that it left."""
        player, self._player = self._player, None
        assert player is not None
        try:
            ended = player.end(carry=carry)
            self.left = ended.files
        except ZygoteLost:
            self._players.close()
            return Died("and took the grader's own process down with it")
        if observation == Died(""):
            return Died(wording.how_it_died(ended))
        return observation


def check(
    lab: Lab,
    steps: Sequence[Step],
    source: Source,
    seed: str,
    players: Players,
    *,
    learner: str = "you",
    own: bool = True,
) -> Report:
    """Check `steps` of one submission. Every fault of ours becomes the verdict `grader fault`; nothing is raised for it.

    `own` tells a learner's check of the own file, whose report says when it was saved, from a grading, whose report
    holds nothing that differs from run to run.
    """
    results: dict[str, StepResult] = {}
    seat = Seat(players, lab, source)
    alone = Seat(players, lab, source)
    try:
        for step in _in_order(lab, steps):
            unmet = [need for need in step.needs if results[need].verdict is not Verdict.PASSED]
            results[step.id] = _blocked(lab, step, seed, unmet) if unmet else _check_step(step, seat, alone, lab, seed)
    finally:
        seat.leave()
        alone.leave()
    note = SourceNote(source.shown, source.digest, source.saved_seconds_ago if own else None, source.remarks)
    asked = [results[step.id] for step in steps]
    return Report(lab.slug, lab.title, learner, seed, isolation_of(players), note, asked)


def isolation_of(players: Players) -> Isolation:
    """What the preflight saw; where not even a player could be started, nothing was checked behind any wall."""
    try:
        return players.isolation
    except (ZygoteLost, NoPlayers):
        return Isolation()


def _in_order(lab: Lab, steps: Sequence[Step]) -> list[Step]:
    """The steps asked for and all that they need, in the lab's order."""
    wanted = {step.id for step in steps}
    for step in reversed(lab.steps):
        if step.id in wanted:
            wanted.update(step.needs)
    return [step for step in lab.steps if step.id in wanted]


def _check_step(step: Step, seat: Seat, alone: Seat, lab: Lab, seed: str) -> StepResult:
    try:
        trials = trials_of(step, seed)
        attempt = seat.attempt(step, trials)
        if not attempt.passed and not attempt.gap:
            # No verdict depends on what ran before it: a step that fails is asked again in a fresh player.
            alone.leave()
            attempt = alone.attempt(step, trials)
        if attempt.gap:
            return _gap(step, lab, seed, attempt, seat.source)
        return result_of(step, lab, seed, len(trials), attempt)
    except Exception:  # noqa: BLE001 - a fault of ours must never count against the learner
        return StepResult(
            step.id,
            step.title,
            Verdict.GRADER_FAULT,
            step.points,
            seed,
            reason="The grader itself failed here; this does not count against you.",
            next="Send your instructor this report with the lines below.",
            printed=traceback.format_exc(limit=-8),
        )


def result_of(step: Step, lab: Lab, seed: str, tries: int, attempt: Attempt) -> StepResult:
    """One attempt in words: verdict, counterexample, likely belief, next action. Pure."""
    result = StepResult(step.id, step.title, Verdict.PASSED, step.points, seed, tries, 0, printed=attempt.printed)
    result = replace(result, remarks=attempt.remarks)
    if attempt.unloaded is not None:
        seen = attempt.unloaded
        return replace(
            result,
            verdict=wording.verdict_of(seen, importing=True),
            tries=0,
            counterexample=Evidence(Trial(IMPORT, {}, f"importing `{lab.file}`"), seen),
            reason=wording.reason_for(seen, importing=True),
            next=wording.next_for(seen, step, lab.file, importing=True),
        )
    if attempt.passed:
        return replace(result, noticed=step.noticed)
    # What is written is looked at first; what is not written yet comes up once it is right.
    evidence = [piece for piece in attempt.evidence if not isinstance(piece.observation, Unwritten)]
    diagnosis = explain(evidence, step.diagnoses)
    first = example_of(diagnosis, evidence)
    # A player that died answered nothing after it: the trials that were not reached are not passed.
    passed = sum(not piece.failed for piece in evidence)
    return replace(
        result,
        verdict=_worst(evidence),
        failures=tries - passed,
        counterexample=first,
        diagnosis=diagnosis,
        reason=wording.reason_for(first.observation),
        next=diagnosis.next if diagnosis else wording.next_for(first.observation, step, lab.file),
    )


def _gap(step: Step, lab: Lab, seed: str, attempt: Attempt, source: Source) -> StepResult:
    """Something is not written yet: not started, or needs work where the rest of the step is there."""
    assert attempt.gap is not None
    mine, given = source.files[lab.file].decode("utf-8", "replace"), catalog.starter(lab.file)
    missing = unwritten(mine, given, written(step))
    own = first_asked_in(step, lab)
    begun = bool(attempt.gap.near) or bool(given and own and missing and set(own) - set(missing))
    reason, following = wording.told_of_gap(attempt.gap, step, lab.file, missing, begun)
    verdict = Verdict.NEEDS_WORK if begun else Verdict.NOT_STARTED
    result = StepResult(step.id, step.title, verdict, step.points, seed, reason=reason, next=following)
    return replace(result, printed=attempt.printed, remarks=attempt.remarks)


def _worst(evidence: Sequence[Evidence]) -> Verdict:
    """An act that ended the process, or could not begin, outweighs a wrong answer."""
    verdicts = [wording.verdict_of(piece.observation) for piece in evidence]
    return Verdict.BROKEN if Verdict.BROKEN in verdicts else Verdict.NEEDS_WORK


def _blocked(lab: Lab, step: Step, seed: str, unmet: Sequence[str]) -> StepResult:
    return StepResult(
        step.id,
        step.title,
        Verdict.BLOCKED,
        step.points,
        seed,
        reason=f"This step builds on {' and '.join(unmet)}, which did not pass.",
        next=f'First make {unmet[0]} pass: check("{unmet[0]}").',
    )
