"""What the practice lab says to a learner: title, hints, what to notice, and the questions asked before a run."""

from __future__ import annotations

from typing import Any

TITLES: dict[str, str] = {
    "agstart.hello": "runs two nodes side by side and keeps what both say",
}

HINTS: dict[str, tuple[str, str, str, str]] = {
    "agstart.hello": (
        "This is how asking for a hint works. You call hint with the name of a step, and you get one rung of a ladder: "
        "first a question, then a place to look, then an example from somewhere else, then nearly the solution. "
        "Nothing is lost by asking. This step is right already, so here is a question to take along: which nodes could "
        "run at the same time?",
        "The second rung names the place and the words of the library. Here: `labs/agstart/hello.py`, the function "
        "`build`. Two calls of `add_edge` leave from `START`, so two nodes start together. One call of `add_edge` "
        "begins with a list of two names, so `tell` waits for both. The class `Hello` says with `Annotated` and `add` "
        "how two writes combine.",
        "The third rung shows an example from another place. A kitchen in which soup and salad are made side by side, "
        "and then served:\n\n"
        "graph.add_edge(START, 'soup')\n"
        "graph.add_edge(START, 'salad')\n"
        "graph.add_edge(['soup', 'salad'], 'serve')\n\n"
        "The waiter leaves when both dishes are there, and leaves once. How long the soup takes does not matter to the "
        "salad.",
        "The last rung says every line in words. For this step: three nodes that each return a dict with the key "
        "`said` and a list with their own name; two edges from `START`; one edge from the list of both nodes to "
        '`tell`; one edge to `END`; compile. All of it stands in the file. compare("agstart.hello") shows how the '
        "solution differs from your file: here, not at all.",
    ),
}

NOTICED: dict[str, str] = {
    "agstart.hello": "Now notice: what shares a superstep is decided by the arrows, and how the writes combine is "
    "decided by the key.",
}


# ---------------------------------------------------------------- what people believe before a run


def _one_after_the_other(inputs: Any) -> Any:
    return {name: number for number, name in enumerate([*inputs["side by side"], inputs["join"]], start=1)}


def _all_at_once(inputs: Any) -> Any:
    return dict.fromkeys([*inputs["side by side"], inputs["join"]], 1)


def _from_zero(inputs: Any) -> Any:
    return {**dict.fromkeys(inputs["side by side"], 0), inputs["join"]: 1}


def _sees_what_came_before(inputs: Any) -> Any:
    begun = len(inputs["start"])
    return {name: begun + n for n, name in enumerate([*inputs["side by side"], inputs["join"]])}


def _sees_its_own_write(inputs: Any) -> Any:
    begun = len(inputs["start"])
    aside = dict.fromkeys(inputs["side by side"], begun + 1)
    return {**aside, inputs["join"]: begun + len(inputs["side by side"]) + 1}


def _last_write_only(inputs: Any) -> Any:
    return {**dict.fromkeys(inputs["side by side"], len(inputs["start"])), inputs["join"]: 1}


PREDICTIONS: list[dict[str, Any]] = [
    {
        "id": "agstart.p1",
        "question": "Two arrows leave START: one to look, one to listen. tell waits for both. In which superstep does "
        "each node run? Count from 1. Answer with a dict for 'look', 'listen' and 'tell'.",
        "act": "superstep_of_each_node",
        "inputs": {"side by side": ["look", "listen"], "join": "tell", "start": ["hi"]},
        "noticed": "look and listen share the first superstep; tell has the second one for itself.",
        "beliefs": [
            {
                "name": "a graph runs one node at a time",
                "answer": _one_after_the_other,
                "instead": "All nodes whose turn it is run in the same superstep. look and listen both have their turn "
                "right after START.",
            },
            {
                "name": "everything runs at once",
                "answer": _all_at_once,
                "instead": "tell has to wait until both look and listen are done, so it runs one superstep later.",
            },
            {
                "name": "supersteps are counted from 0",
                "answer": _from_zero,
                "instead": "The order is right. Here we count from 1, as LangGraph's own stream does for nodes.",
            },
        ],
    },
    {
        "id": "agstart.p2",
        "question": "The run starts with said = ['hi']. Each node adds its own name to `said`. How many entries does "
        "each node find in `said` at the moment it starts? Answer with a dict of numbers for 'look', "
        "'listen' and 'tell'.",
        "act": "entries_each_node_finds",
        "inputs": {"side by side": ["look", "listen"], "join": "tell", "start": ["hi"]},
        "noticed": "Nodes of one superstep do not see each other's writes; the next superstep sees all of them.",
        "beliefs": [
            {
                "name": "a write can be seen at once",
                "answer": _sees_what_came_before,
                "instead": "Both nodes get the state as it was when their superstep began. Their writes are merged "
                "when it ends.",
            },
            {
                "name": "a node finds its own write",
                "answer": _sees_its_own_write,
                "instead": "What a node returns is added after it ends, so it cannot be there when the node starts.",
            },
            {
                "name": "the last write replaces the others",
                "answer": _last_write_only,
                "instead": "`said` has the rule add: each write is put behind what is there. Lab 1 shows what happens "
                "without.",
            },
        ],
    },
]
