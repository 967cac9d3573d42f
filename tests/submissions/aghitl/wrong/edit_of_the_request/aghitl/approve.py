"""Refunds that cannot be undone: a person decides above THRESHOLD."""

from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

THRESHOLD = 100_000


class Refund(TypedDict, total=False):
    case_id: str
    requested: int
    amount: int
    decision: str
    paid: int
    trace: Annotated[list, add]
    record: dict


def needs_approval(refund):
    return refund["requested"] > THRESHOLD


def approval_record(refund):
    return {
        "case_id": refund["case_id"],
        "requested": refund["requested"],
        "executed": refund["paid"],
        "decision": refund["decision"],
        "changed": refund["paid"] != refund["requested"],
    }


def closed(refund, name, decision, paid):
    end = {"decision": decision, "paid": paid}
    return {**end, "trace": [name], "record": approval_record({**refund, **end})}


def assess(refund):
    return {"amount": refund["requested"], "decision": "", "paid": 0, "record": {}, "trace": ["assess"]}


def route(refund):
    held = refund.get("decision") in ("approve", "edit", "reject")
    return "large" if held or needs_approval(refund) else "small"


def _graph(pay):
    def settle(refund):
        decision = refund.get("decision", "")
        if decision not in ("approve", "edit"):
            return closed(refund, "settle", decision or "reject", 0)
        pay(refund["case_id"], refund["amount"])
        return closed(refund, "settle", decision, refund["amount"])

    def auto_settle(refund):
        pay(refund["case_id"], refund["amount"])
        return closed(refund, "auto_settle", "auto", refund["amount"])

    graph = StateGraph(Refund)
    graph.add_node("assess", assess)
    graph.add_node("settle", settle)
    graph.add_node("auto_settle", auto_settle)
    graph.add_edge(START, "assess")
    graph.add_conditional_edges("assess", route, {"large": "settle", "small": "auto_settle"})
    graph.add_edge("settle", END)
    graph.add_edge("auto_settle", END)
    return graph


def build_silent(pay):
    return _graph(pay).compile(interrupt_before=["settle"])


def build(pay, checkpointer):
    if checkpointer is None:
        raise ValueError("A case that waits needs a checkpointer.")
    return _graph(pay).compile(checkpointer=checkpointer, interrupt_before=["settle"])


def outcome(app, config, result):
    if app.checkpointer is None:
        return "done" if result.get("decision") else "lost"
    state = app.get_state(config)
    if state.next:
        return "waiting"
    return "done" if state.values else "lost"


def _decide(app, config, update):
    app.update_state(config, update, as_node="assess")
    app.invoke(None, config)
    return app.get_state(config).values


def _waiting(app, config):
    state = app.get_state(config)
    if "settle" not in state.next:
        raise ValueError("Nothing waits on this thread.")
    return state.values


def approve(app, config):
    _waiting(app, config)
    return _decide(app, config, {"decision": "approve"})


def edit(app, config, amount):
    if not 1 <= amount <= _waiting(app, config)["requested"]:
        raise ValueError("An edit goes from 1 to the request.")
    return _decide(app, config, {"decision": "edit", "amount": amount, "requested": amount, "trace": ["edit"]})


def reject(app, config):
    _waiting(app, config)
    return _decide(app, config, {"decision": "reject"})


def understood(answer, refund):
    if not isinstance(answer, dict) or answer.get("decision") not in ("approve", "edit", "reject"):
        return False
    if answer["decision"] != "edit":
        return True
    amount = answer.get("amount")
    return isinstance(amount, int) and 1 <= amount <= refund["requested"]


def build_inline(pay, notify, checkpointer):
    if checkpointer is None:
        raise ValueError("A case that waits needs a checkpointer.")

    def tell(refund):
        notify(refund["case_id"])
        return {"trace": ["tell"]}

    def confirm(refund):
        question = {"case_id": refund["case_id"], "amount": refund["amount"]}
        answer = interrupt(question)
        while not understood(answer, refund):
            answer = interrupt(question)
        amount = answer["amount"] if answer["decision"] == "edit" else refund["amount"]
        return {"decision": answer["decision"], "amount": amount, "trace": ["confirm"]}

    def settle(refund):
        decision = refund["decision"] or "auto"
        amount = 0 if decision == "reject" else refund["amount"]
        if amount:
            pay(refund["case_id"], amount)
        return closed(refund, "settle", decision, amount)

    graph = StateGraph(Refund)
    graph.add_node("assess", assess)
    graph.add_node("tell", tell)
    graph.add_node("confirm", confirm)
    graph.add_node("settle", settle)
    graph.add_edge(START, "assess")
    graph.add_conditional_edges("assess", route, {"large": "tell", "small": "settle"})
    graph.add_edge("tell", "confirm")
    graph.add_edge("confirm", "settle")
    graph.add_edge("settle", END)
    return graph.compile(checkpointer=checkpointer)


class Asked(TypedDict):
    answers: list


def build_counter(questions, enter, checkpointer):
    def ask(state):
        enter()
        return {"answers": [interrupt(question) for question in questions]}

    graph = StateGraph(Asked)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=checkpointer)
