"""What the player does to a learner's `aghitl/approve.py`: it runs cases and reports what it saw. Judges nothing.

Every call of `pay`, `notify` and `enter` travels to the referee; `mark` tells it there which move comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from grader.player.kit import STEP_LIMIT, thread
from grader.player.learner import Learner, NotWritten

KEYS = ("case_id", "requested", "amount", "decision", "paid", "trace", "record")
SEEN = ("case_id", "requested", "amount", "decision", "paid", "trace", "record")


def policy(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """`needs_approval` on drawn refunds, each under its own `THRESHOLD`; and the keys that `Refund` declares."""
    needs, keys = learner.get("needs_approval"), _keys(learner)
    said = []
    for limit, refund in inputs["asked"]:
        with learner.having(THRESHOLD=limit):
            said.append(bool(needs(dict(refund))))
    return {"said": said, "keys": keys}


def _keys(learner: Learner) -> list[str]:
    declared = get_type_hints(learner.get("Refund"))
    for key in KEYS:
        if key not in declared:
            raise NotWritten(f"Refund.{key}")
    return sorted(declared)


def refuses(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """The builder without a checkpointer: whether it refuses, and whether its message names what is missing."""
    build = learner.get(inputs["graph"])
    given = _effects(tools)[: 2 if inputs["graph"] == "build_inline" else 1]
    try:
        build(*given, None)
    except ValueError as error:
        return {"refused": True, "named": "checkpointer" in str(error)}
    return {"refused": False, "named": False}


def _effects(tools: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return lambda case_id, amount: tools.pay(case_id, amount), lambda case_id: tools.notify(case_id)


def cases(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """Drawn moves on drawn threads of one graph: runs, decisions, answers, rebuilding. After each, what its thread holds."""
    _keys(learner)
    return _played(learner, inputs, tools, None if inputs["graph"] == "build_silent" else InMemorySaver())


def _played(
    learner: Learner, inputs: Mapping[str, Any], tools: Any, saver: Any, moves: Any = None, first: int = 0
) -> dict[str, Any]:
    moves = inputs["moves"] if moves is None else moves
    app = _built(learner, inputs["graph"], tools, saver)
    seen: list[dict[str, Any]] = []
    for number, move in enumerate(moves, first):
        tools.mark(number)
        with learner.having(THRESHOLD=move["threshold"]):
            if move["do"] == "rebuild":
                app = _built(learner, inputs["graph"], tools, saver)
                seen.append({})
            else:
                seen.append(_moved(learner, app, move, saver is not None))
    tools.mark(first + len(moves))
    names = sorted({move["thread"] for move in moves if "thread" in move}) if saver is not None else []
    return {"moves": seen, "end": {name: _snapshot(app, thread(name)) for name in names}}


def _built(learner: Learner, graph: str, tools: Any, saver: Any) -> Any:
    pay, notify = _effects(tools)
    build = learner.get(graph)
    if graph == "build_silent":
        return build(pay)
    return build(pay, notify, saver) if graph == "build_inline" else build(pay, saver)


def _moved(learner: Learner, app: Any, move: Mapping[str, Any], kept: bool) -> dict[str, Any]:
    """One move: what it returned or refused, and how its thread looks then."""
    config = thread(move["thread"]) if kept else {"recursion_limit": STEP_LIMIT}
    seen: dict[str, Any] = {"error": "", "outcome": ""}
    result: Any = None
    if move["do"] == "run":
        result = app.invoke({"case_id": move["case_id"], "requested": move["requested"]}, config)
    elif move["do"] == "answer":
        result = app.invoke(Command(resume=move["answer"]), config)
    elif move["do"] != "look":
        given = (move["amount"],) if move["do"] == "edit" else ()
        decide = learner.get(move["do"])
        try:
            result = decide(app, config, *given)
        except ValueError as error:
            seen["error"] = f"{type(error).__name__}: {error}"
    if move.get("outcome"):
        seen["outcome"] = learner.get("outcome")(app, config if kept else {}, result)
    if not kept:
        held = result if isinstance(result, dict) else {}
        return seen | {"values": {key: held[key] for key in SEEN if key in held}, "next": [], "questions": []}
    seen |= _snapshot(app, config)
    values = app.get_state(config).values
    seen["returned"] = seen["error"] != "" or (isinstance(result, dict) and result == values)
    return seen


def _snapshot(app: Any, config: Any) -> dict[str, Any]:
    state = app.get_state(config)
    values = {key: state.values[key] for key in SEEN if key in state.values}
    questions = [pause.value for task in state.tasks for pause in task.interrupts]
    return {"values": values, "next": list(state.next), "questions": questions}


def records(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """As `cases`, and what `approval_record` makes of every state at the end."""
    seen = cases(learner, inputs, tools)
    make = learner.get("approval_record")
    for each in seen["moves"]:
        values = each.get("values") or {}
        if not each.get("next") and not each.get("questions") and values.get("decision"):
            each["record_of"] = make(dict(values))
    return seen


def counted(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """A counter graph asked to its end on one thread, then on another, rebuilt before every second answer."""
    build = learner.get("build_counter")
    saver = InMemorySaver()
    asked: list[list[Any]] = []
    finals: list[Any] = []
    number = 0
    for name, answers in inputs["threads"]:
        app = build(list(inputs["questions"]), lambda: tools.enter(), saver)
        sent: Any = {"answers": []}
        seen = []
        for turn, answer in enumerate([None, *answers]):
            tools.mark(number)
            number += 1
            app = build(list(inputs["questions"]), lambda: tools.enter(), saver) if turn % 2 else app
            app.invoke(sent if turn == 0 else Command(resume=answer), thread(name))
            seen.append([pause.value for task in app.get_state(thread(name)).tasks for pause in task.interrupts])
        asked.append(seen)
        finals.append(app.get_state(thread(name)).values.get("answers"))
    tools.mark(number)
    return {"asked": asked, "answers": finals}


# ------------------------------------------------------------------------ 12 restart


def wait_on_disk(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """The moves before the crash, with a checkpointer on disk."""
    return _played(learner, inputs, tools, _on_disk(), inputs["moves"][: inputs["crash"]])


def decide_from_disk(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """The moves after the crash, in another process, with what is on disk."""
    return _played(learner, inputs, tools, _on_disk(), inputs["moves"][inputs["crash"] :], inputs["crash"])


def _on_disk() -> Any:
    import sqlite3  # Here, because only this step needs it.

    from langgraph.checkpoint.sqlite import SqliteSaver

    return SqliteSaver(sqlite3.connect("case.sqlite", check_same_thread=False))
