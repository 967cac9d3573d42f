"""Every sentence about LangGraph in notebook 00 and in steps 1 to 6 of 01, measured on the installed version.

Each test's docstring is that sentence, word for word; the last test looks for those of both files in the notebooks.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from operator import add
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
import test_notebook_claims_about_saving
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, StateGraph
from tiny_graphs import Log, Node, chain, schema, writes

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ("00_start.ipynb", "01_agstate.ipynb")


class Plain(TypedDict, total=False):
    trace: list
    number: int


class Budget(TypedDict, total=False):
    used_calls: Annotated[int, add]


def pair(schema: Any, left: tuple[str, Node], right: tuple[str, Node], join: tuple[str, Node]) -> Any:
    graph = StateGraph(schema)
    for name, node in (left, right, join):
        graph.add_node(name, node)
    graph.add_edge(START, left[0])
    graph.add_edge(START, right[0])
    graph.add_edge([left[0], right[0]], join[0])
    return graph.compile()


def counting(calls: list[tuple[Any, Any]]) -> Callable[[list, list], list]:
    """`add` for lists that notes each of its calls."""

    def counted(old: list, new: list) -> list:
        calls.append((list(old), list(new)))
        return old + new

    return counted


# ---------------------------------------------------------------- 00: supersteps


def hello(seen: dict[str, list[str]]) -> Any:
    def says(name: str) -> tuple[str, Node]:
        def node(state: Any) -> Any:
            seen[name] = list(state["trace"])
            return {"trace": [name]}

        return name, node

    return pair(Log, says("look"), says("listen"), says("tell"))


def test_nodes_whose_turn_it_is_share_a_superstep() -> None:
    """All nodes whose turn it is run in the same superstep."""
    tasks = [event for event in hello({}).stream({"trace": ["hi"]}, stream_mode="debug") if event["type"] == "task"]
    assert {task["payload"]["name"]: task["step"] for task in tasks} == {"look": 1, "listen": 1, "tell": 2}


def test_a_join_over_a_list_runs_once_and_last() -> None:
    """`tell` waits for both."""
    assert hello({}).invoke({"trace": []})["trace"][-1] == "tell"
    assert hello({}).invoke({"trace": []})["trace"].count("tell") == 1


def test_nodes_of_a_superstep_get_the_state_of_its_beginning() -> None:
    """Nodes of one superstep get the state as it was when the superstep began."""
    seen: dict[str, list[str]] = {}
    hello(seen).invoke({"trace": ["hi"]})
    assert (seen["look"], seen["listen"]) == (["hi"], ["hi"])


def test_nodes_of_a_superstep_do_not_see_each_other() -> None:
    """They do not see each other's writes."""
    seen: dict[str, list[str]] = {}
    hello(seen).invoke({"trace": []})
    assert "look" not in seen["listen"] and "listen" not in seen["look"]
    assert {"look", "listen"} == set(seen["tell"])


def test_writes_of_a_superstep_are_merged_by_node_name() -> None:
    """The writes of one superstep are merged when it ends, in the order of the node names."""
    for left, right in (("zebra", "ant"), ("ant", "zebra")):
        app = pair(Log, (left, writes(trace=[left])), (right, writes(trace=[right])), ("end", writes()))
        assert app.invoke({})["trace"] == ["ant", "zebra"]


# ---------------------------------------------------------------- 1 overwrite


def test_a_key_without_a_rule_keeps_the_last_write() -> None:
    """A key without a rule keeps the last write."""
    app = chain(Plain, {name: writes(trace=[name]) for name in ("receive", "search", "answer")})
    assert app.invoke({"trace": ["opened"]})["trace"] == ["answer"]


def test_the_type_is_no_rule() -> None:
    """The type changes nothing about that: a list is replaced like a number."""
    app = chain(Plain, {"a": writes(trace=["a"], number=1), "b": writes(trace=["b"], number=2)})
    assert app.invoke({}) == {"trace": ["b"], "number": 2}


# ---------------------------------------------------------------- 2 append


def test_two_writes_to_a_plain_key_in_one_superstep_are_refused() -> None:
    """Two writes to a key without a rule in one superstep are an error."""
    app = pair(Plain, ("a", writes(trace=["a"])), ("b", writes(trace=["b"])), ("c", writes()))
    with pytest.raises(InvalidUpdateError, match="Can receive only one value per step"):
        app.invoke({})


def test_a_reducer_is_called_once_for_each_write() -> None:
    """LangGraph calls the reducer once for each write."""
    calls: list[tuple[Any, Any]] = []
    app = pair(
        schema(trace=Annotated[list, counting(calls)]),
        ("a", writes(trace=["a"])),
        ("b", writes(trace=["b"])),
        ("c", writes(trace=["c"])),
    )
    app.invoke({})
    assert [new for _, new in calls] == [["a"], ["b"], ["c"]]


def test_the_callers_value_goes_through_the_reducer() -> None:
    """What the caller sends is a write too."""
    calls: list[tuple[Any, Any]] = []
    chain(schema(trace=Annotated[list, counting(calls)]), {"a": writes()}).invoke({"trace": ["opened"]})
    assert calls == [([], ["opened"])]


def test_parallel_writes_come_by_name() -> None:
    """Parallel writes come in the order of the node names."""
    app = pair(Log, ("search", writes(trace=["s"])), ("history", writes(trace=["h"])), ("answer", writes()))
    assert app.invoke({})["trace"] == ["h", "s"]


def test_a_reducer_that_is_not_last_is_ignored() -> None:
    """In `Annotated[list, add, "the log"]` it is ignored, and nothing says so."""
    app = chain(schema(trace=Annotated[list, add, "the log"]), {"a": writes(trace=["a"]), "b": writes(trace=["b"])})
    assert app.invoke({})["trace"] == ["b"]


# ---------------------------------------------------------------- 3 dedupe


def careless(old: list, new: list) -> list:
    old.extend(new)
    return old


def branching(reducer: Any) -> Any:
    graph = StateGraph(schema(sources=Annotated[list, reducer]))
    graph.add_node("search", writes(sources=["faq"]))
    graph.add_node("answer", writes(sources=["terms"]))
    graph.add_edge(START, "search")
    graph.add_conditional_edges("search", lambda state: "answer", ["answer"])
    graph.add_edge("answer", END)
    return graph.compile()


def test_a_conditional_edge_calls_the_reducer_once_more() -> None:
    """When a conditional edge follows a node, LangGraph calls the reducer once more, to show the router the state
    with the node's write."""
    calls: list[tuple[Any, Any]] = []
    branching(counting(calls)).invoke({})
    assert [new for _, new in calls] == [["faq"], ["faq"], ["terms"]]


def test_a_reducer_in_place_counts_twice_before_a_branch() -> None:
    """A reducer that changes the old list in place then counts the write twice."""
    assert branching(careless).invoke({})["sources"] == ["faq", "faq", "terms"]


def test_a_reducer_in_place_looks_right_on_a_plain_edge() -> None:
    """With a plain edge the same reducer gives the right list."""
    nodes = {"search": writes(sources=["faq"]), "answer": writes(sources=["terms"])}
    assert chain(schema(sources=Annotated[list, careless]), nodes).invoke({})["sources"] == ["faq", "terms"]


# ---------------------------------------------------------------- 4 maximum


def larger(old: float, new: float) -> float:
    return max(old, new)


def test_the_builtin_max_is_refused_when_the_graph_is_made() -> None:
    """LangGraph refuses the builtin `max` as a reducer, and it does so when the graph is made."""
    with pytest.raises(ValueError, match="no signature found for builtin"):
        StateGraph(schema(best_score=Annotated[float, max]))


def test_a_reducer_needs_a_signature_of_two() -> None:
    """It wants to read a signature with two arguments, and the builtin shows none."""
    with pytest.raises(ValueError, match="signature"):
        StateGraph(schema(best_score=Annotated[float, lambda one, two, three: one]))
    with pytest.raises(ValueError, match="no signature"):
        inspect.signature(max)


def test_max_inside_a_function_is_fine() -> None:
    """A function of your own is fine, and inside it you may use `max`."""
    app = chain(schema(best_score=Annotated[float, larger]), {"a": writes(best_score=0.9), "b": writes(best_score=0.2)})
    assert app.invoke({})["best_score"] == 0.9


@pytest.mark.parametrize(("kind", "zero"), [(float, 0.0), (int, 0), (list, [])])
def test_a_channel_starts_with_the_empty_value(kind: type, zero: Any) -> None:
    """A channel with a reducer starts with the empty value of its type: `float` starts at 0.0, `int` at 0, `list` at
    `[]`."""
    met: list[Any] = []

    def rule(old: Any, new: Any) -> Any:
        met.append(old)
        return new

    chain(schema(key=Annotated[kind, rule]), {"a": writes(key=kind())}).invoke({})
    assert [(kind, zero)] == [(type(old), old) for old in met]


def test_an_optional_channel_stores_its_first_write() -> None:
    """Its channel starts with nothing, and the first write is stored as it is, without a call of the reducer."""
    met: list[tuple[Any, Any]] = []

    def rule(old: Any, new: Any) -> Any:
        met.append((old, new))
        return max(old, new)

    seen: list[Any] = []
    scores = {f"n{n}": writes(best_score=score) for n, score in enumerate((-0.8, -0.3, -0.6))}
    first = {"look": lambda state: seen.append(dict(state))}
    app = chain(schema(best_score=Annotated[float | None, rule]), {**first, **scores})
    assert app.invoke({})["best_score"] == -0.3
    assert (seen, met) == ([{}], [(-0.8, -0.3), (-0.3, -0.6)])


# ---------------------------------------------------------------- 5 window, 6 budget


def test_a_trimming_node_makes_the_list_longer() -> None:
    """A node that returns a shortened list under `add` makes the list longer."""
    app = chain(Log, {"trim": lambda state: {"trace": state["trace"][-3:]}})
    assert len(app.invoke({"trace": ["n1", "n2", "n3", "n4"]})["trace"]) == 7


def test_an_empty_list_clears_nothing() -> None:
    """And an empty list does not help either: under `add`, returning `[]` clears nothing."""
    assert chain(Log, {"clear": writes(trace=[])}).invoke({"trace": ["n1"]})["trace"] == ["n1"]


def test_a_total_under_add_counts_twice() -> None:
    """Under `add`, a node that returns the total counts everything once more: 1, 3, 7, 15."""
    nodes = {name: lambda state: {"used_calls": state["used_calls"] + 1} for name in "abcd"}
    stream = chain(Budget, nodes).stream({}, stream_mode="values")
    assert [values["used_calls"] for values in stream][-4:] == [1, 3, 7, 15]


def test_a_whole_list_under_add_doubles() -> None:
    """The same happens to a list when a node returns the old items together with the new one."""
    nodes = {"a": lambda state: {"trace": [*state["trace"], "a"]}, "b": lambda state: {"trace": [*state["trace"], "b"]}}
    assert chain(Log, nodes).invoke({})["trace"] == ["a", "a", "b"]


# ---------------------------------------------------------------- the sentences themselves


def test_every_claim_is_a_sentence_of_a_notebook() -> None:
    prose = " ".join("".join(cell["source"]) for name in NOTEBOOKS for cell in _markdown(ROOT / "labs" / name))
    said = " ".join(prose.split())
    tests = {**globals(), **vars(test_notebook_claims_about_saving)}
    claims = [test.__doc__ for name, test in tests.items() if name.startswith("test_") and callable(test)]
    assert [claim for claim in claims if claim and " ".join(claim.split()) not in said] == []


def _markdown(notebook: Path) -> list[dict[str, Any]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "markdown"]
