"""Wrong beliefs about reducers (M01 to M13, M23), each refuted by a run on the installed version."""

from __future__ import annotations

import inspect
from functools import partial
from operator import add, or_
from typing import Annotated, Any, Literal

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite, Send
from tiny_graphs import THREAD, Log, branch, chain, fan, one, schema, writes
from typing_extensions import NotRequired

# ---------------------------------------------------------------- no reducer


@pytest.mark.parametrize("count", [2, 5])
def test_two_writes_of_a_plain_key_in_one_superstep_are_an_error(count: int) -> None:
    """M01: last writer does not win in parallel: InvalidUpdateError "Can receive only one value per step"."""
    nodes = {f"n{number}": writes(score=number) for number in range(count)}
    with pytest.raises(InvalidUpdateError, match="At key 'score': Can receive only one value per step"):
        fan(schema(score=int), nodes).invoke({})
    assert chain(schema(score=int), nodes).invoke({}) == {"score": count - 1}


def test_a_list_without_a_reducer_holds_one_write() -> None:
    """M03: a list field does not accumulate by itself: only the last item survives."""
    assert chain(schema(trace=list), {name: writes(trace=[name]) for name in "abc"}).invoke({}) == {"trace": ["c"]}


def test_a_new_total_under_add_doubles() -> None:
    """M04: with `add` I do not return the new total: list 1 to 7 items after two nodes; counter 0, 1, 3, 7, 15."""
    lists = {name: lambda state: {"trace": [*state["trace"], "new"]} for name in "ab"}
    assert len(chain(Log, lists).invoke({"trace": ["old"]})["trace"]) == 7
    counts = {name: lambda state: {"count": state["count"] + 1} for name in "abcd"}
    stream = chain(schema(count=Annotated[int, add]), counts).stream({"count": 0}, stream_mode="values")
    assert [values["count"] for values in stream] == [0, 1, 3, 7, 15]


def test_a_subgraph_that_shares_an_add_key_repeats_the_items() -> None:
    """M04: a subgraph sharing an `add` key repeats the parent's items."""
    inner = one(Log, writes(trace=["inner"]))
    assert one(Log, inner).invoke({"trace": ["outer"]})["trace"] == ["outer", "outer", "inner"]


# ---------------------------------------------------------------- what may be a reducer


@pytest.mark.parametrize(("rule", "old", "new", "merged"), [(add, [1], [2], [1, 2]), (or_, {1}, {2}, {1, 2})])
def test_add_and_or_work_as_reducers(rule: Any, old: Any, new: Any, merged: Any) -> None:
    """M05: `operator.add` and `or_` work."""
    app = chain(schema(key=Annotated[type(old), rule]), {"a": writes(key=old), "b": writes(key=new)})
    assert app.invoke({}) == {"key": merged}


def test_sum_fails_at_the_first_write_and_extend_at_the_second() -> None:
    """M05: `sum`, `list.extend` fail later with TypeError: `sum` at the first write, `list.extend` at the second, after
    it has made the key None."""
    with pytest.raises(TypeError):
        one(schema(key=Annotated[int, sum]), writes(key=1)).invoke({})
    shape = schema(key=Annotated[list, list.extend])
    assert one(shape, writes(key=[1])).invoke({}) == {"key": None}
    with pytest.raises(TypeError):
        chain(shape, {"a": writes(key=[1]), "b": writes(key=[2])}).invoke({})


@pytest.mark.parametrize(
    "rule",
    [lambda one: one, lambda one, two, three: one, lambda *all: all, lambda one, two, three=3: one],
    ids=["one", "three", "any", "defaulted third"],
)
def test_a_reducer_takes_two_arguments_and_no_more(rule: Any) -> None:
    """M06: extra or variable parameters are not fine: ValueError "Expected (a, b) -> c"."""
    with pytest.raises(ValueError, match=r"Invalid reducer signature. Expected \(a, b\) -> c"):
        StateGraph(schema(key=Annotated[int, rule]))


def three(first: int, old: int, new: int) -> int:
    return first + old + new


def keyword(old: int, new: int, *, step: int = 1) -> int:
    return old + new + step


@pytest.mark.parametrize("rule", [partial(three, 1), keyword], ids=["partial", "keyword-only"])
def test_a_partial_or_a_keyword_only_extra_is_fine(rule: Any) -> None:
    """M06: `partial` with two free arguments is fine, and so is a keyword-only extra."""
    assert one(schema(key=Annotated[int, rule]), writes(key=5)).invoke({}) == {"key": 6}


# ---------------------------------------------------------------- where the reducer stands


def first_only(old: list, new: list) -> list:
    return old or new


def twice(annotation: Any) -> Any:
    return chain(schema(key=annotation), {"a": writes(key=["a"]), "b": writes(key=["b"])}).invoke({})["key"]


@pytest.mark.parametrize(
    "annotation",
    [Annotated[list, add, "a note"], Annotated[list, add] | None],
    ids=["a note after it", "or None"],
)
def test_a_reducer_that_is_not_last_or_not_outermost_is_ignored(annotation: Any) -> None:
    """M07: order and nesting inside `Annotated` matter: overwrite, no error."""
    assert twice(annotation) == ["b"]


def test_of_two_reducers_the_last_counts() -> None:
    """M07: only the last metadata item counts."""
    assert twice(Annotated[list, add, first_only]) == ["a"]
    assert twice(Annotated[list, first_only, add]) == ["a", "b"]


def test_not_required_round_a_reducer_is_honoured() -> None:
    """M07: `NotRequired[Annotated[...]]` is honoured."""
    assert twice(NotRequired[Annotated[list, add]]) == ["a", "b"]


# ---------------------------------------------------------------- what it starts from


def test_keep_max_of_an_int_starts_at_zero() -> None:
    """M08: the reducer does not first meet None: keep-max returns 0 for negatives."""

    def larger(old: int, new: int) -> int:
        return max(old, new)

    nodes = {"a": writes(score=-4), "b": writes(score=-2)}
    assert chain(schema(score=Annotated[int, larger]), nodes).invoke({}) == {"score": 0}
    assert chain(schema(score=Annotated[int | None, larger]), nodes).invoke({}) == {"score": -2}


class NeedsAName:
    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.parametrize("kind", [int | None, Any, Literal[-7], NeedsAName], ids=str)
def test_a_type_without_a_zero_stores_its_first_write(kind: Any) -> None:
    """M08: for Optional, Any, Literal or classes without empty constructor the first value is stored without calling the
    reducer."""
    calls: list[Any] = []
    app = one(schema(key=Annotated[kind, lambda old, new: calls.append(old)]), writes(key=-7))
    assert (app.invoke({}), calls) == ({"key": -7}, [])


@pytest.mark.parametrize("nothing", [None, 7, (7,), "seven"])
def test_add_takes_neither_none_nor_a_bare_item(nothing: Any) -> None:
    """M10: None does not mean "nothing", a scalar not "one item": TypeError "can only concatenate list"; tuple and str
    fail too."""
    with pytest.raises(TypeError, match="can only concatenate list"):
        one(Log, writes(trace=nothing)).invoke({})


# ---------------------------------------------------------------- resetting


def test_an_empty_list_clears_nothing_and_overwrite_does() -> None:
    """M11: returning empty does not reset; `Overwrite` resets."""
    assert one(Log, writes(trace=[])).invoke({"trace": [1]}) == {"trace": [1]}
    assert one(Log, writes(trace=Overwrite([9]))).invoke({"trace": [1]}) == {"trace": [9]}


def test_two_overwrites_in_one_superstep_are_an_error_and_writes_beside_one_are_dropped() -> None:
    """M11: two in one step InvalidUpdateError; ordinary writes of that step dropped."""
    with pytest.raises(InvalidUpdateError):
        fan(Log, {"a": writes(trace=Overwrite([1])), "b": writes(trace=Overwrite([2]))}).invoke({})
    beside = {"a": writes(trace=[1]), "b": writes(trace=Overwrite([2])), "c": writes(trace=[3])}
    assert fan(Log, beside).invoke({"trace": [0]}) == {"trace": [2]}


def test_overwrite_on_a_plain_key_is_stored_itself() -> None:
    """M11: on a plain key the wrapper itself is stored."""
    assert one(schema(key=list), writes(key=Overwrite([9]))).invoke({}) == {"key": Overwrite([9])}


# ---------------------------------------------------------------- changing the old value


def careless(old: list, new: list) -> list:
    old.extend(new)
    return old


NODES = {"write": writes(trace=["x"]), "after": writes()}


def test_a_mutating_reducer_counts_twice_before_a_branch_only() -> None:
    """M12: mutating and returning the left value is not equivalent: the item appears twice, only when a branch
    follows."""
    shape = schema(trace=Annotated[list, careless])
    assert branch(shape, NODES, lambda state: "after", ["after"]).compile().invoke({})["trace"] == ["x", "x"]
    assert chain(shape, NODES).invoke({})["trace"] == ["x"]


def test_the_reducer_is_called_once_more_for_the_view_of_the_branch() -> None:
    """M12: reducer is called one extra time for the branch's view."""
    calls: list[list] = []

    def counted(old: list, new: list) -> list:
        calls.append(new)
        return old + new

    shape = schema(trace=Annotated[list, counted])
    chain(shape, NODES).invoke({})
    assert calls == [["x"]]
    calls.clear()
    branch(shape, NODES, lambda state: "after", ["after"]).compile().invoke({})
    assert calls == [["x"], ["x"]]


def test_collected_values_of_a_mutating_reducer_are_one_list() -> None:
    """M12: collected `values` chunks all alias the final list."""
    app = chain(schema(trace=Annotated[list, careless]), {name: writes(trace=[name]) for name in "abc"})
    assert [each["trace"] for each in app.stream({}, stream_mode="values")][-3:] == [["a", "b", "c"]] * 3


# ---------------------------------------------------------------- two schemas, one key


def test_two_reducers_for_one_key_are_an_error() -> None:
    """M13: each schema may not give its own: named functions ValueError "Channel … already exists with a different
    type"."""
    with pytest.raises(ValueError, match="Channel 'trace' already exists with a different type"):
        StateGraph(Log, input_schema=schema(trace=Annotated[list, first_only]))


def test_of_two_lambdas_one_wins_silently() -> None:
    """M13: two lambdas: one wins silently."""
    left, right = lambda old, new: ["left"], lambda old, new: ["right"]
    assert inspect.signature(left) == inspect.signature(right)
    app = one(
        schema(key=Annotated[list, left]), writes(key=["x"]), input_schema=schema(key=Annotated[list, right], other=int)
    )
    assert app.invoke({"other": 1})["key"] in (["left"], ["right"])


def test_one_partial_in_both_schemas_is_an_attribute_error() -> None:
    """M13: the same `partial` in both: AttributeError on `__name__`."""
    rule = partial(three, 1)
    with pytest.raises(AttributeError, match="__name__"):
        StateGraph(schema(key=Annotated[int, rule]), input_schema=schema(key=Annotated[int, rule]))


# ---------------------------------------------------------------- order


def test_writes_of_a_superstep_are_merged_by_node_name() -> None:
    """M23: neither the order of finishing nor of adding: merged by node name."""
    nodes = {name: writes(trace=[name]) for name in ("pear", "apple", "fig")}
    assert fan(Log, nodes).invoke({})["trace"] == ["apple", "fig", "pear"]


def test_sends_keep_the_order_of_their_list() -> None:
    """M23: Send keeps its list order."""
    graph = StateGraph(Log)
    graph.add_node("work", lambda item: {"trace": [item["n"]]})
    graph.add_conditional_edges(START, lambda state: [Send("work", {"n": n}) for n in (3, 1, 2)], ["work"])
    graph.add_edge("work", END)
    assert graph.compile(checkpointer=InMemorySaver()).invoke({}, THREAD)["trace"] == [3, 1, 2]
