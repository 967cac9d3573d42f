"""Wrong beliefs about what is kept (M17, M24 to M27), each refuted by a run on the installed version."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from operator import add
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel
from tiny_graphs import THREAD, Log, Node, chain, one, schema, writes

SECRET = "blue heron"


class Desk(TypedDict, total=False):
    question: str
    memo: str
    answer: str


class Asked(TypedDict, total=False):
    question: str


class Told(TypedDict, total=False):
    answer: str


DOORS: dict[str, Any] = {"input_schema": Asked, "output_schema": Told}


# ---------------------------------------------------------------- private


def test_an_output_schema_filters_the_result_and_nothing_else() -> None:
    """M17: output schema or private state does not delete: only invoke's result is filtered; state, history and both
    streams still carry it."""
    app = chain(Desk, {"think": writes(memo=SECRET), "reply": writes(answer="no")}, InMemorySaver(), **DOORS)
    assert app.invoke({"question": "?"}, THREAD) == {"answer": "no"}
    assert app.get_state(THREAD).values["memo"] == SECRET
    assert any(SECRET in repr(each.values) for each in app.get_state_history(THREAD))
    for mode in ("values", "updates"):
        assert SECRET in repr(list(app.stream({"question": "?"}, THREAD, stream_mode=mode)))


def test_a_key_outside_the_input_schema_stays_in_the_saver_only() -> None:
    """M17: input keys outside the input schema reach no node and no snapshot's `values`, but the saver keeps the raw
    input of the run under `__start__` in the step -1 checkpoint."""
    seen: list[Any] = []
    app = one(Desk, lambda state: seen.append(dict(state)), InMemorySaver(), **DOORS)
    app.invoke({"question": "?", "memo": SECRET}, THREAD)
    assert seen == [{"question": "?"}]
    assert SECRET not in repr([each.values for each in app.get_state_history(THREAD)])
    kept = {each.metadata["step"]: each.checkpoint["channel_values"] for each in app.checkpointer.list(THREAD)}
    assert kept[-1] == {"__start__": {"question": "?", "memo": SECRET}}


def test_invoke_returns_none_when_no_output_key_was_written() -> None:
    """M17: `invoke` returns `None` when no node of the run wrote an output key."""
    assert one(Desk, writes(memo=SECRET), **DOORS).invoke({"question": "?"}) is None


# ---------------------------------------------------------------- threads


def test_a_second_call_continues_from_stored_values() -> None:
    """M24: invoke does not start clean: second call continues from stored values, and another thread does not."""
    app = one(schema(trace=Annotated[list, add], flag=str), writes(trace=["ran"]), InMemorySaver())
    other: Any = {"configurable": {"thread_id": "two"}}
    app.invoke({"flag": "up"}, THREAD)
    assert app.invoke({}, THREAD) == {"trace": ["ran", "ran"], "flag": "up"}
    assert app.invoke({}, other) == {"trace": ["ran"]}


# ---------------------------------------------------------------- size


def test_a_call_leaves_two_checkpoints_more_than_nodes() -> None:
    """M25: not only the last state is kept: checkpoints a call = nodes + 2 (5, then 10)."""
    app = chain(Log, {name: writes(trace=[name]) for name in "abc"}, InMemorySaver())
    counts = []
    for _ in range(2):
        app.invoke({}, THREAD)
        counts.append(len(list(app.get_state_history(THREAD))))
    assert counts == [5, 10]


def kept_bytes(node: Node, rule: Any, loops: int, start: Any = None) -> int:
    """All that the memory saver holds of the values of `key`, after so many nodes."""
    saver = InMemorySaver()
    app = chain(schema(key=rule, other=str), {f"n{number}": node for number in range(loops)}, saver)
    app.invoke({} if start is None else {"key": start}, THREAD)
    return sum(len(blob) for (_, _, name, _), (_, blob) in saver.blobs.items() if name == "key")


def last_five(old: list, new: list) -> list:
    return (old + new)[-5:]


def test_twice_the_loops_cost_four_times_for_a_growing_list_and_twice_for_a_window() -> None:
    """M25: not only changes are kept: the ratio of 40 and 80 loops is near 4 for a growing list, near 2 for a window of
    five."""
    line = writes(key=["x" * 500])
    growing = [kept_bytes(line, Annotated[list, add], loops) for loops in (40, 80)]
    windowed = [kept_bytes(line, Annotated[list, last_five], loops) for loops in (40, 80)]
    assert growing[1] / growing[0] == pytest.approx(4, rel=0.05)
    assert windowed[1] / windowed[0] == pytest.approx(2, rel=0.07)


def test_a_big_key_costs_once_when_left_alone_and_at_each_step_when_echoed() -> None:
    """M25: 100 kB key left alone is stored once, the same key echoed back at each step."""
    document = "d" * 100_000
    alone = kept_bytes(writes(other="x"), str, 20, document)
    echoed = kept_bytes(lambda state: {**state}, str, 20, document)
    assert (round(alone / 100_000), round(echoed / 100_000)) == (1, 21)


# ---------------------------------------------------------------- what may be kept


class Client:
    pass


def opened(path: Path) -> Any:
    return path.open("w", encoding="utf-8")


MADE: dict[str, Callable[[Path], Any]] = {
    "plain object": lambda path: Client(),
    "lambda": lambda path: lambda: 1,
    "generator": lambda path: (each for each in "ab"),
    "class": lambda path: Client,
    "big int": lambda path: 2**64,
    "file": opened,
}


@pytest.mark.parametrize("kind", MADE)
def test_not_everything_may_live_in_the_state_of_a_thread(kind: str, tmp_path: Path) -> None:
    """M26: plain objects, lambdas, generators, files, classes, ints over 64 bit fail, only with a saver, and after
    later nodes already ran."""
    value, ran = MADE[kind](tmp_path / "open"), []
    nodes: dict[str, Node] = {"put": lambda state: {"key": value}, "later": lambda state: ran.append("later")}
    assert chain(schema(key=Any), nodes).invoke({}) == {"key": value}
    ran.clear()
    with pytest.raises((TypeError, OverflowError)):
        chain(schema(key=Any), nodes, InMemorySaver()).invoke({}, THREAD)
    assert ran == ["later"]
    if kind == "file":
        value.close()


@pytest.mark.parametrize(
    ("value", "loaded"), [((1, 2), [1, 2]), ({1, 2}, {1, 2}), (ValueError("no"), "ValueError('no')")], ids=str
)
def test_some_values_come_back_as_something_else(value: Any, loaded: Any) -> None:
    """M26: tuples come back as lists, exceptions as their repr text, sets stay sets."""
    app = one(schema(key=Any), writes(key=value), InMemorySaver())
    app.invoke({}, THREAD)
    assert (type(app.get_state(THREAD).values["key"]), app.get_state(THREAD).values["key"]) == (type(loaded), loaded)


class Offer(BaseModel):
    price: int


def test_a_model_in_an_any_field_round_trips_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """M27: a pydantic object in an `Any` field logs "Deserializing unregistered type"."""
    app = one(schema(key=Any), writes(key=Offer(price=3)), InMemorySaver())
    app.invoke({}, THREAD)
    with caplog.at_level(logging.WARNING):
        assert app.get_state(THREAD).values == {"key": Offer(price=3)}
    assert "Deserializing unregistered type" in caplog.text


STRICT = """
from typing import Any, TypedDict
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel
from tiny_graphs import THREAD, one, schema, writes

class Offer(BaseModel):
    price: int

class Memo(BaseModel):
    text: str

class State(TypedDict, total=False):
    vague: Any
    named: Offer

app = one(State, writes(vague=Memo(text="x"), named=Offer(price=4)), InMemorySaver())
app.invoke({}, THREAD)
print({name: type(value).__name__ for name, value in app.get_state(THREAD).values.items()})
"""


def test_strict_loading_lets_types_of_the_schema_through_and_no_others() -> None:
    """M27: with LANGGRAPH_STRICT_MSGPACK=true the value is a dict; types named in the schema are let through, `Any`
    fields not."""
    variables = {**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"}
    ran = subprocess.run(
        [sys.executable, "-c", STRICT], env=variables, cwd=Path(__file__).parent, capture_output=True, text=True
    )
    assert ran.stdout.strip() == "{'vague': 'dict', 'named': 'Offer'}", ran.stderr
