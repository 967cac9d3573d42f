"""`show`: the words, the Mermaid text, and names that would break a careless one."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph

from grader.notebook.show import show


class Empty(TypedDict, total=False):
    said: list


def graph_of(*names: str) -> Any:
    graph: Any = StateGraph(Empty)
    for name in names:
        graph.add_node(name, lambda state: {})
    return graph


def test_a_chain_is_told_in_arrows() -> None:
    graph = graph_of("receive", "answer")
    graph.add_edge(START, "receive")
    graph.add_edge("receive", "answer")
    assert repr(show(graph.compile())).splitlines() == [
        "A graph with 2 nodes: receive, answer.",
        "  START -> receive",
        "  receive -> answer",
        "  answer -> END",
    ]


def test_a_join_says_whom_it_waits_for() -> None:
    graph = graph_of("look", "listen", "tell")
    graph.add_edge(START, "look")
    graph.add_edge(START, "listen")
    graph.add_edge(["look", "listen"], "tell")
    lines = repr(show(graph)).splitlines()
    assert lines[1:] == ["  START -> look, listen", "  tell -> END", "  look + listen -> tell (waits for both)"]


def test_a_choice_is_dotted_and_named() -> None:
    graph = graph_of("check", "mend")
    graph.add_edge(START, "check")
    graph.add_conditional_edges("check", lambda state: "again", {"again": "mend", "good": END})
    graph.add_edge("mend", "check")
    told = show(graph.compile())
    assert "  check -?-> mend (again) or END (good)" in repr(told).splitlines()
    assert 'n1 -. "again" .-> n2' in told.mermaid()
    assert "a router decides" in told.caption


@pytest.mark.parametrize(
    "name", ['quo"te', "a b", "end", "한글 노드", "<b>", "x[1]", "a;b", "#35;", "-->", "class", "`tick`"]
)
def test_any_name_is_drawn_as_a_label_and_never_as_mermaid(name: str) -> None:
    graph = graph_of(name)
    graph.add_edge(START, name)
    lines = show(graph).mermaid().splitlines()
    (label,) = [line for line in lines if line.startswith("n1[")]
    inside = label.removeprefix('n1["').removesuffix('"]')
    assert not set('"<>[]{}`') & set(inside)
    assert lines[-2:] == ["n0 --> n1", "n1 --> n2"]
    assert all(";" not in line and "{" not in line for line in lines if line.startswith("acc"))


def test_a_notebook_gets_mermaid_and_words_and_no_html() -> None:
    graph = graph_of("one")
    graph.add_edge(START, "one")
    bundle = show(graph)._repr_mimebundle_()
    assert set(bundle) == {"text/vnd.mermaid", "text/plain"}
    assert "accTitle: A graph with 1 node: one." in bundle["text/vnd.mermaid"]


def test_what_is_no_graph_is_told() -> None:
    with pytest.raises(TypeError, match=r"show takes a graph, such as what compile\(\) gives; this is dict"):
        show({})


@pytest.mark.parametrize(
    "given, told",
    [(RunnableLambda(lambda x: x), "this is RunnableLambda"), (StateGraph, "the class StateGraph itself")],
)
def test_what_only_resembles_a_graph_is_told_too(given: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        show(given)


def test_a_label_keeps_every_character_of_a_name() -> None:
    graph = graph_of("#35; {a}")
    graph.add_edge(START, "#35; {a}")
    assert 'n1["#35;35#59; #123;a#125;"]' in show(graph).mermaid().splitlines()
