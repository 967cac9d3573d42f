"""The wrong beliefs behind `build_inline`: what a node that asks does when it runs again, and what it takes for an answer."""

from __future__ import annotations

from collections.abc import Callable

from grader.labs.aghitl.rules import View
from grader.labs.aghitl.scenes import DECISIONS, Scene, at, seen_at
from grader.model import Diagnosis, Raised


def _notify_again(scene: Scene, seen: View) -> bool:
    return scene.move["do"] == "answer" and any(call.startswith("notify(") for call in scene.calls)


def _swallowed(scene: Scene, seen: View) -> bool:
    first = scene.graph == "build_inline" and scene.do == "run" and not scene.earlier
    return first and scene.right.waiting and not seen.waiting and "notify" in "".join(scene.calls)


def _shown_anew(scene: Scene, seen: View) -> bool:
    approved = scene.move["do"] == "answer" and scene.do == "approve" and scene.aspect == "calls"
    case_id = (scene.right.calls or ("",))[0].partition(",")[0]
    return approved and len(scene.pays) == 1 and scene.pays[0].startswith(case_id) and scene.waited


def _no_reason(scene: Scene) -> bool:
    seen = scene.evidence.observation
    return isinstance(seen, Raised) and scene.do == "reject" and seen.type == "KeyError" and "reason" in seen.message


def _raised(kind: str, words: str) -> Callable[[Scene], bool]:
    """The case should have stopped at its first run, and that run raised."""

    def fits(scene: Scene) -> bool:
        seen = scene.evidence.observation
        asked = scene.graph == "build_inline" and scene.do == "run" and scene.right.waiting
        return asked and isinstance(seen, Raised) and seen.type == kind and words in seen.message

    return fits


def _deaf(scene: Scene, seen: View) -> bool:
    """A good answer changed nothing: the same question waits, and the state is as it was."""
    answered = scene.move["do"] == "answer" and scene.do in DECISIONS and not scene.right.waiting
    return answered and seen.waiting and not seen.decision and not scene.calls


def _one_pause(scene: Scene, seen: View) -> bool:
    known = scene.right.outcome == "waiting" and seen.waiting
    return scene.graph == "build_inline" and scene.aspect == "outcome" and known


def _unchecked(scene: Scene) -> bool:
    taken = scene.seen is None or not scene.seen.waiting
    return scene.move["do"] == "answer" and scene.right.waiting and taken


ANSWERS = (
    Diagnosis(
        "AGH-OUTSIDE",
        "A question asked where no node runs",
        "`interrupt` was called in a thread of its own, or outside of a run. It finds the node that asks by the context of "
        "the call, and a new thread begins without one. Nobody was asked.",
        "Call `interrupt` in the node itself, not in a thread pool that the node starts.",
        at(_raised("RuntimeError", "outside of a runnable context")),
    ),
    Diagnosis(
        "AGH-OBJECT",
        "A question that cannot be saved",
        "The question is stored with the checkpoint, for the person may answer tomorrow in another process. It held an "
        "object that cannot be stored, so the run ended in an error instead of a pause.",
        "Put plain values into the question: text, numbers, lists and dicts.",
        at(_raised("TypeError", "not msgpack serializable")),
    ),
    Diagnosis(
        "AGH-NOTIFY-AGAIN",
        "A message that is sent again with every answer",
        "The customer was told when the case stopped, and again when the person answered. A node that calls `interrupt` "
        "runs again from its first line with each answer.",
        "Call `notify` in a node of its own, before the node that asks.",
        seen_at(_notify_again),
    ),
    Diagnosis(
        "AGH-SWALLOWED",
        "A pause caught as if it were an error",
        "The case did not wait: it went on as if the person had answered. `interrupt` stops a node by raising, and "
        "`except Exception` round it catches just that.",
        "Take `interrupt` out of the `try`, or catch the one error that you expect.",
        seen_at(_swallowed),
    ),
    Diagnosis(
        "AGH-SHOWN-ANEW",
        "Shown one amount, paid another",
        "The person approved the amount in the question, and another amount left. The node ran again with the answer, "
        "and what it had shown was worked out a second time, with another result.",
        "Put the amount into the state in an earlier node, and show and pay that.",
        seen_at(_shown_anew),
    ),
    Diagnosis(
        "AGH-NO-REASON",
        "A refusal that must give a reason",
        "The answer was a refusal without a `reason`, which is allowed. The node read the key all the same.",
        'Read it with `answer.get("reason")`, or not at all.',
        at(_no_reason),
    ),
    Diagnosis(
        "AGH-ONE-PAUSE",
        "Only one kind of waiting known",
        "The case waits inside a node that has asked a question. `outcome` looked for the gate before `settle` only, and "
        "did not see it.",
        "Call it waiting whenever something comes next on the thread, or a task of it holds a question.",
        seen_at(_one_pause),
    ),
    Diagnosis(
        "AGH-NO-EAR",
        "A question that hears no answer",
        "The answer came, and the same question waits as before. A node that stops by raising an exception of its own, such "
        "as `NodeInterrupt`, or that throws away what `interrupt` gives back, never gets to see what the person said.",
        "Write `answer = interrupt(question)`, and go on with `answer`.",
        seen_at(_deaf),
    ),
    Diagnosis(
        "AGH-ANSWER-UNCHECKED",
        "Any answer taken for a decision",
        "The answer was none of the table: no dict, another word, or an amount that may not be paid. The case should have "
        "asked again, and it went on or broke.",
        "Check the answer first. While it is not understood, ask again: by a loop round `interrupt`, or by an edge back.",
        at(_unchecked),
    ),
)
