"""M51: the question in a graph of its own, called by a node that has told the customer before: that node runs again."""

EXPECT = {"aghitl.inline": "AGH-NOTIFY-AGAIN", "aghitl.record": "AGH-NOTIFY-AGAIN"}


def build_inline(pay: Pay, notify: Notify, checkpointer: BaseCheckpointSaver | None) -> CompiledStateGraph:
    asking = StateGraph(Refund)
    asking.add_node("ask", lambda refund: confirm(refund))
    asking.add_edge(START, "ask")
    asking.add_edge("ask", END)
    question = asking.compile()

    def confirm_with_notice(refund: Refund) -> dict:
        notify(refund["case_id"])
        answered = question.invoke({**refund, "trace": []})
        return {key: answered[key] for key in ("decision", "amount", "trace") if key in answered}

    graph = StateGraph(Refund)
    graph.add_node("assess", assess)
    graph.add_node("confirm", confirm_with_notice)
    graph.add_node("settle", _settling(pay))
    graph.add_node("auto_settle", _auto_settling(pay))
    graph.add_edge(START, "assess")
    graph.add_conditional_edges("assess", route, {"hold": "confirm", "auto_settle": "auto_settle"})
    graph.add_conditional_edges("confirm", lambda refund: "settle" if refund["decision"] else "confirm")
    graph.add_edge("settle", END)
    graph.add_edge("auto_settle", END)
    return graph.compile(checkpointer=_needed(checkpointer))
