"""Refunds that a person has to allow: small ones are paid at once, large ones wait, and each is paid once or not at all.

Two ways of stopping stand side by side. `build` stops *before* a node: the graph waits, and whoever decides writes the
decision into the state. `build_inline` stops *inside* a node: the node asks, and the answer is handed back to it.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import add
from typing import Annotated, Any, Literal, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt

Pay = Callable[[str, int], Any]
Notify = Callable[[str], Any]

THRESHOLD = 100_000
"""Above this a person decides. Read whenever a case is assessed, so a change works at once."""


class Refund(TypedDict, total=False):
    """One case. `requested` is what was asked for and never changes; `amount` is what will be paid."""

    case_id: str
    requested: int
    amount: int
    decision: str
    paid: int
    trace: Annotated[list, add]
    record: dict


def needs_approval(refund: Refund) -> bool:
    """The one place that decides. It reads what was requested, so an edit cannot change who has to decide."""
    return refund["requested"] > THRESHOLD


# ---------------------------------------------------------------- nodes


def assess(refund: Refund) -> dict:
    """Open a case. Whatever an earlier case left on this thread is wiped: an old approval must not count again."""
    return {"amount": refund["requested"], "decision": "", "paid": 0, "record": {}, "trace": ["assess"]}


def hold(refund: Refund) -> dict:
    """Put the case into a person's hands. From here there is one way on, whatever becomes of `THRESHOLD`."""
    return {"trace": ["hold"]}


def route(refund: Refund) -> Literal["hold", "auto_settle"]:
    return "hold" if needs_approval(refund) else "auto_settle"


def approval_record(refund: Refund) -> dict:
    """What was asked for and what was done, for whoever looks at it later."""
    return {
        "case_id": refund["case_id"],
        "requested": refund["requested"],
        "executed": refund["paid"],
        "decision": refund["decision"],
        "changed": refund["paid"] != refund["requested"],
    }


def _closed(refund: Refund, decision: str, paid: int, node: str) -> dict:
    """The last write of a case. The record is made here, after the money has left, from what really happened."""
    done: Refund = {**refund, "decision": decision, "paid": paid}
    return {"decision": decision, "paid": paid, "record": approval_record(done), "trace": [node]}


def _settling(pay: Pay) -> Callable[[Refund], dict]:
    def settle(refund: Refund) -> dict:
        """Pay what a person has allowed, and nothing else: to go on is not to approve."""
        decision = refund.get("decision", "")
        if decision not in ("approve", "edit"):
            return _closed(refund, decision, 0, "settle")
        pay(refund["case_id"], refund["amount"])
        return _closed(refund, decision, refund["amount"], "settle")

    return settle


def _auto_settling(pay: Pay) -> Callable[[Refund], dict]:
    def auto_settle(refund: Refund) -> dict:
        pay(refund["case_id"], refund["amount"])
        return _closed(refund, "auto", refund["amount"], "auto_settle")

    return auto_settle


# ---------------------------------------------------------------- stopping before a node


def _desk(pay: Pay) -> StateGraph:
    graph = StateGraph(Refund)
    graph.add_node("assess", assess)
    graph.add_node("hold", hold)
    graph.add_node("settle", _settling(pay))
    graph.add_node("auto_settle", _auto_settling(pay))
    graph.add_edge(START, "assess")
    graph.add_conditional_edges("assess", route)
    graph.add_edge("hold", "settle")
    graph.add_edge("settle", END)
    graph.add_edge("auto_settle", END)
    return graph


def build_silent(pay: Pay) -> CompiledStateGraph:
    """The accident, kept as a picture: a gate without a memory. The run stops there, and nothing can go on with it."""
    return _desk(pay).compile(interrupt_before=["settle"])


def build(pay: Pay, checkpointer: BaseCheckpointSaver | None) -> CompiledStateGraph:
    """The cure: the same gate, and a checkpointer that remembers what waits there."""
    return _desk(pay).compile(checkpointer=_needed(checkpointer), interrupt_before=["settle"])


def _needed(checkpointer: BaseCheckpointSaver | None) -> BaseCheckpointSaver:
    if checkpointer is None:
        raise ValueError("A case that waits needs a checkpointer: without one the run stops and nobody can go on.")
    return checkpointer


def outcome(app: CompiledStateGraph, config: dict, result: Mapping | None) -> Literal["done", "waiting", "lost"]:
    """How a run ended. With a checkpointer the thread knows; without one, only the result can tell."""
    if not app.checkpointer:
        return "done" if result and result.get("record") else "lost"
    thread = app.get_state(config)
    if thread.next or any(task.interrupts for task in thread.tasks):
        return "waiting"
    return "done" if thread.values.get("record") else "lost"


# ---------------------------------------------------------------- deciding


def approve(app: CompiledStateGraph, config: dict) -> dict:
    """Pay what was requested."""
    return _decide(app, config, {"decision": "approve"})


def edit(app: CompiledStateGraph, config: dict, amount: int) -> dict:
    """Pay another amount, from 1 to what was requested. Raises ValueError for any other, and the case waits on."""
    requested = _waiting(app, config)["requested"]
    if not 1 <= amount <= requested:
        raise ValueError(f"{amount} cannot be paid: it has to be from 1 to {requested}.")
    return _decide(app, config, {"decision": "edit", "amount": amount, "trace": ["edit"]})


def reject(app: CompiledStateGraph, config: dict) -> dict:
    """Close the case without paying. That is an outcome too, and it is recorded."""
    return _decide(app, config, {"decision": "reject"})


def _decide(app: CompiledStateGraph, config: dict, update: dict) -> dict:
    _waiting(app, config)
    # As `hold`, whose only way on is `settle`: as `assess`, the router would be asked again.
    app.update_state(config, update, as_node="hold")
    app.invoke(None, config)
    return app.get_state(config).values


def _waiting(app: CompiledStateGraph, config: dict) -> dict:
    """The values of a case that waits. Raises ValueError where none does: unknown thread, finished, decided before."""
    thread = app.get_state(config)
    if "settle" not in thread.next:
        raise ValueError("No case waits for a decision on this thread.")
    return thread.values


# ---------------------------------------------------------------- stopping inside a node


def build_inline(pay: Pay, notify: Notify, checkpointer: BaseCheckpointSaver | None) -> CompiledStateGraph:
    """The same case with the question inside a node. `tell` is a node of its own: `confirm` runs again from its start."""

    def tell(refund: Refund) -> dict:
        notify(refund["case_id"])
        return {"trace": ["tell"]}

    graph = StateGraph(Refund)
    graph.add_node("assess", assess)
    graph.add_node("tell", tell)
    graph.add_node("confirm", confirm)
    graph.add_node("settle", _settling(pay))
    graph.add_node("auto_settle", _auto_settling(pay))
    graph.add_edge(START, "assess")
    graph.add_conditional_edges("assess", route, {"hold": "tell", "auto_settle": "auto_settle"})
    graph.add_edge("tell", "confirm")
    graph.add_conditional_edges(
        "confirm", lambda refund: "settle" if refund["decision"] else "confirm", ["settle", "confirm"]
    )
    graph.add_edge("settle", END)
    graph.add_edge("auto_settle", END)
    return graph.compile(checkpointer=_needed(checkpointer))


def confirm(refund: Refund) -> dict:
    """Ask, and take only an answer that says something. Any other brings the question back by the edge to this node."""
    answer = interrupt(
        {"case_id": refund["case_id"], "amount": refund["amount"], "choices": ["approve", "edit", "reject"]}
    )
    match answer:
        case {"decision": "approve" | "reject" as decision}:
            return {"decision": decision, "trace": ["confirm"]}
        case {"decision": "edit", "amount": int(amount)} if 1 <= amount <= refund["requested"] and amount is not True:
            return {"decision": "edit", "amount": amount, "trace": ["confirm"]}
    return {"trace": ["confirm"]}


class Answers(TypedDict, total=False):
    """What was answered, question by question."""

    answers: list


def build_counter(
    questions: Sequence[str], enter: Callable[[], Any], checkpointer: BaseCheckpointSaver
) -> CompiledStateGraph:
    """One node that asks everything. Each answer lets it run from its first line again: `enter` counts that."""

    def ask(state: Answers) -> dict:
        enter()
        return {"answers": [interrupt(question) for question in questions]}

    graph = StateGraph(Answers)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=checkpointer)
