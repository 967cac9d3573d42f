"""The wrong beliefs behind `build_inline`: what a node that asks does when it runs again, and what it takes for an answer."""

from __future__ import annotations

from grader.labs.aghitl.rules import View
from grader.labs.aghitl.scenes import Scene, at, seen_at
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


def _unchecked(scene: Scene) -> bool:
    taken = scene.seen is None or not scene.seen.waiting
    return scene.move["do"] == "answer" and scene.right.waiting and taken


ANSWERS = (
    Diagnosis(
        "AGH-NOTIFY-AGAIN",
        "a message that is sent again with every answer",
        "The customer was told when the case stopped, and again when the person answered. A node that calls `interrupt` "
        "runs again from its first line with each answer.",
        "Call `notify` in a node of its own, before the node that asks.",
        seen_at(_notify_again),
    ),
    Diagnosis(
        "AGH-SWALLOWED",
        "a pause caught as if it were an error",
        "The case did not wait: it went on as if the person had answered. `interrupt` stops a node by raising, and "
        "`except Exception` round it catches just that.",
        "Take `interrupt` out of the `try`, or catch the one error that you expect.",
        seen_at(_swallowed),
    ),
    Diagnosis(
        "AGH-SHOWN-ANEW",
        "shown one amount, paid another",
        "The person approved the amount in the question, and another amount left. The node ran again with the answer, "
        "and what it had shown was worked out a second time, with another result.",
        "Put the amount into the state in an earlier node, and show and pay that.",
        seen_at(_shown_anew),
    ),
    Diagnosis(
        "AGH-NO-REASON",
        "a refusal that must give a reason",
        "The answer was a refusal without a `reason`, which is allowed. The node read the key all the same.",
        'Read it with `answer.get("reason")`, or not at all.',
        at(_no_reason),
    ),
    Diagnosis(
        "AGH-ANSWER-UNCHECKED",
        "any answer taken for a decision",
        "The answer was none of the table: no dict, another word, or an amount that may not be paid. The case should have "
        "asked again, and it went on or broke.",
        "Check the answer first. While it is not understood, ask again: by a loop round `interrupt`, or by an edge back.",
        at(_unchecked),
    ),
)
