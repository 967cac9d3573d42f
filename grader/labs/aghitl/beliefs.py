"""The known wrong beliefs of lab 2 about runs, pauses and decisions: what each would have done at the drawn move.

Order is precedence: the special belief stands before the general one. See FACTS M31 to M54 for the threads behind them.
"""

from __future__ import annotations

from grader.diagnose import any_of
from grader.labs.aghitl import rules
from grader.labs.aghitl.beliefs_of_answers import ANSWERS
from grader.labs.aghitl.beliefs_of_records import COUNT, POLICY, RECORD, REFUSES, policy_as
from grader.labs.aghitl.rules import FILE_LIMIT, View
from grader.labs.aghitl.scenes import DECISIONS, Scene, at, seen_at
from grader.model import Diagnosis


def _silent_done(scene: Scene, seen: View) -> bool:
    return scene.graph == "build_silent" and scene.aspect == "outcome" and seen.outcome == "done"


def _next_alone(scene: Scene) -> bool:
    if scene.seen is None:
        return scene.graph == "build_silent" and _says(scene, "No checkpointer set")
    return scene.aspect == "outcome" and not scene.earlier and scene.do == "look" and scene.seen.outcome == "done"


def _says(scene: Scene, words: str) -> bool:
    return words in getattr(scene.evidence.observation, "message", "")


def _no_saver(scene: Scene) -> bool:
    return scene.graph != "build_silent" and scene.seen is None and _says(scene, "No checkpointer set")


def _at_the_limit(scene: Scene, seen: View) -> bool:
    return scene.do == "run" and scene.move["requested"] == scene.move["threshold"] and not scene.pays


def _frozen(scene: Scene, seen: View) -> bool:
    if scene.do != "run" or scene.earlier:
        return False
    frozen = rules.needs_approval(scene.move["requested"], FILE_LIMIT)
    if frozen == (scene.move["requested"] > scene.move["threshold"]):
        return False
    return not scene.pays if frozen else bool(scene.pays) and seen.decision == "auto"


def _pays_before(scene: Scene, seen: View) -> bool:
    return scene.do == "run" and scene.right.waiting and seen.waiting and bool(scene.pays)


def _left_over(scene: Scene, seen: View) -> bool:
    stale = scene.aspect in ("decision", "paid") and bool(seen.decision or seen.paid)
    return scene.do == "run" and scene.right.waiting and bool(scene.earlier) and (stale or not seen.waiting)


def _never_stops(scene: Scene, seen: View) -> bool:
    return scene.graph == "build" and scene.do == "run" and scene.right.waiting and not seen.waiting


def _saver_inside(scene: Scene, seen: View) -> bool:
    lost = seen.requested is None or (scene.do == "run" and scene.aspect == "nodes")
    return scene.rebuilt and lost


def _new_input(scene: Scene, seen: View) -> bool:
    return scene.do in DECISIONS and scene.waited and "assess" in scene.nodes and seen.waiting


def _edit_appends(scene: Scene, seen: View) -> bool:
    return scene.do == "edit" and scene.aspect == "nodes" and "assess" in scene.nodes


def _not_waiting(scene: Scene) -> bool:
    return scene.right.refused and not scene.waited


def _pays_twice(scene: Scene, seen: View) -> bool:
    return len(scene.pays) > len(set(scene.pays))


def _slipped(scene: Scene) -> bool:
    return (scene.waited and scene.seen is not None and scene.seen.decision == "auto") or "auto_settle" in scene.nodes


def _asked_again(scene: Scene, seen: View) -> bool:
    return scene.do in DECISIONS and scene.policy_changed and _slipped(scene)


def _edit_reroutes(scene: Scene, seen: View) -> bool | None:
    if scene.do != "edit" or not _slipped(scene):
        return False
    return None if scene.policy_changed else True


def _edit_request(scene: Scene, seen: View) -> bool:
    return scene.do == "edit" and scene.aspect == "requested" and seen.requested == scene.move.get("amount")


def _reject_waits(scene: Scene, seen: View) -> bool:
    return scene.move["do"] == "reject" and scene.waited and seen.waiting and not scene.calls


def _reject_pays(scene: Scene, seen: View) -> bool:
    return scene.do == "reject" and bool(scene.pays)


def _edit_unchecked(scene: Scene) -> bool:
    return scene.move["do"] == "edit" and scene.right.refused and scene.waited


def _edit_as_approve(scene: Scene, seen: View) -> bool:
    return scene.do == "edit" and scene.aspect == "decision" and seen.decision == "approve"


def _threads_mix(scene: Scene, seen: View) -> bool:
    return any(case_id in call for call in scene.calls for case_id in scene.strangers)


MOVES = (
    Diagnosis(
        "AGH-NO-SAVER",
        "A graph that stops but cannot remember",
        "The graph was compiled without the checkpointer that `build` was given. It stops, and what it knew is gone: "
        "nobody can go on with the case.",
        "Hand `checkpointer` on: `compile(checkpointer=checkpointer, ...)`.",
        at(_no_saver),
    ),
    Diagnosis(
        "AGH-NEXT-ALONE",
        "`.next` taken as the whole truth",
        "`outcome` asked only what comes next. A thread that never ran has nothing next, and neither has a finished one. "
        "A graph without a checkpointer cannot be asked at all.",
        "First look whether the app has a checkpointer, then whether the thread holds any values, and only then at `.next`.",
        at(_next_alone),
    ),
    Diagnosis(
        "AGH-SILENT-DONE",
        "No error taken for success",
        "The run came back without an exception, but no money left and nobody can go on with it: there was no checkpointer. "
        "`outcome` called that done.",
        "Look in `result` for what a finished case has and this one has not: a decision.",
        seen_at(_silent_done),
    ),
    Diagnosis(
        "AGH-AT-LIMIT",
        "`>=` where the rule says more than",
        "A request of exactly `THRESHOLD` was sent to a person. A person is needed only above it.",
        "Compare with `>`.",
        any_of(policy_as(rules.Twist(at_the_limit=True)), seen_at(_at_the_limit)),
    ),
    Diagnosis(
        "AGH-FROZEN",
        "A threshold frozen at import",
        "`THRESHOLD` was changed, and the answers still follow the number in the file. It was read once, when the file was "
        "imported: as a default argument, or into another name.",
        "Read `THRESHOLD` inside `needs_approval`, each time it runs.",
        any_of(policy_as(rules.Twist(frozen=True)), seen_at(_frozen)),
    ),
    Diagnosis(
        "AGH-PAYS-BEFORE",
        "Money that left before anyone was asked",
        "The ledger shows a payment while the case still waits for a person. Whatever the person says now, the money is "
        "gone, and a refusal cannot bring it back.",
        "Call `pay` only in a node that runs after the decision.",
        seen_at(_pays_before),
    ),
    Diagnosis(
        "AGH-THREADS-MIX",
        "One desk for all threads",
        "A decision on one thread moved the money of a case on another thread. Something outside the state, such as a "
        "variable round the nodes, remembered the last case.",
        "Take `case_id` and `amount` from the state that the node is given, and nowhere else.",
        seen_at(_threads_mix),
    ),
    Diagnosis(
        "AGH-SAVER-INSIDE",
        "A checkpointer of its own inside `build`",
        "After the graph was built again, the waiting case was gone. `build` did not use the checkpointer that it was given, "
        "so each graph had a memory of its own, and that ended with it.",
        "Use the checkpointer of the caller, and make none inside `build`.",
        seen_at(_saver_inside),
    ),
    Diagnosis(
        "AGH-LEFT-OVER",
        "An old approval used for a new request",
        "A thread was used a second time, for a new and large request, and nobody was asked. The decision about the first "
        "case still stood in the state and was taken for the new one.",
        "Clear `decision` and `paid` in `assess`: each new run starts undecided.",
        seen_at(_left_over),
    ),
    Diagnosis(
        "AGH-NEVER-STOPS",
        "A large case that nobody stops",
        "A request above `THRESHOLD` ran to its end by itself.",
        'Compile with `interrupt_before=["settle"]`, and let the router send large requests to `settle`.',
        seen_at(_never_stops),
    ),
    Diagnosis(
        "AGH-NEW-INPUT",
        "Going on by sending new input",
        "The decision started the case anew: `assess` ran again, and the case waits as before. A dict given to `invoke` is "
        "always a new run from START.",
        "Write the decision with `update_state`, then go on with `invoke(None, config)`.",
        seen_at(_new_input),
    ),
    Diagnosis(
        "AGH-NOT-WAITING",
        "A decision about a case that does not wait",
        "This thread had no case that waits: it never ran, or its case was already decided. The decision was carried out "
        "all the same, or ended in another error. In the books that is a payment that nobody asked for.",
        "First look at `get_state(config).next`. If `settle` is not there, raise `ValueError` and touch nothing.",
        at(_not_waiting),
    ),
    Diagnosis(
        "AGH-ASKED-AGAIN",
        "A router that was asked again",
        "`THRESHOLD` was raised while the case waited. `update_state` asks the router of the last node again; it now found "
        "the case small and sent it to `auto_settle`, past the person's decision.",
        "Let the router see that a decision is in the state: such a case always goes to `settle`.",
        seen_at(_asked_again),
    ),
    Diagnosis(
        "AGH-EDIT-REROUTES",
        "An edit that changed the road",
        "The amount was edited to a small one, and the case left through `auto_settle`, as if no person had seen it. "
        "`update_state` asked the router again, and the router looked at the edited value.",
        "Let the router look at `requested` and at the decision, never at the edited amount.",
        seen_at(_edit_reroutes),
    ),
    Diagnosis(
        "AGH-EDIT-REQUEST",
        "The request written over by the edit",
        "After the edit nobody can see what was asked for: `requested` holds the edited amount.",
        "Change `amount` only. What was asked for and what is paid are two keys.",
        seen_at(_edit_request),
    ),
    Diagnosis(
        "AGH-EDIT-APPENDS",
        "An edit that sent the whole list",
        "`update_state` goes through the reducer. All old lines of the list were sent too, and were added again.",
        "Send the new line only.",
        seen_at(_edit_appends),
    ),
    Diagnosis(
        "AGH-EDIT-UNCHECKED",
        "An edit to an amount that nobody may pay",
        "An amount below 1 or above the request was not refused with `ValueError`.",
        "Compare the amount with 1 and with `requested` before `update_state`.",
        at(_edit_unchecked),
    ),
    Diagnosis(
        "AGH-EDIT-AS-APPROVE",
        "An edit that was written down as an approval",
        "A person set the amount, and the state says `approve`. That holds also where the amount is exactly the request.",
        "Let `edit` write `edit`, whatever the amount is.",
        seen_at(_edit_as_approve),
    ),
    Diagnosis(
        "AGH-REJECT-WAITS",
        "A refusal that did nothing",
        "The person said no, and the case still waits in the queue. Tomorrow somebody else may approve it.",
        "Write the decision into the state and run the case to its end: a refusal is an outcome.",
        seen_at(_reject_waits),
    ),
    Diagnosis(
        "AGH-REJECT-PAYS",
        "A rejected case that was paid",
        "The person said no, and the ledger shows that the money left.",
        "Look at the decision right before `pay`. Pay for `approve` and `edit` only.",
        seen_at(_reject_pays),
    ),
    Diagnosis(
        "AGH-PAYS-TWICE",
        "One refund paid twice",
        "The ledger shows the same payment more than once for one case. The customer has the money twice.",
        "Leave one call of `pay` on each road through the graph.",
        seen_at(_pays_twice),
    ),
)

_STEPS = ("branch", "silent", "stop", "resume", "edit", "hold", "reject", "inline", "restart")
OF_STEP: dict[str, tuple[Diagnosis, ...]] = {
    **{f"aghitl.{name}": (*REFUSES, *ANSWERS, *MOVES) for name in _STEPS},
    "aghitl.threshold": (*POLICY, *MOVES),
    "aghitl.count": COUNT,
    "aghitl.record": (*RECORD, *ANSWERS, *MOVES),
}
