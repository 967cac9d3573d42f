"""Every sentence about LangGraph in steps 7 to 10 of notebook 01, measured on the installed version.

Each test's docstring is that sentence, word for word; `test_notebook_claims.py` looks for them in the notebook.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from operator import add
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from tiny_graphs import THREAD, Log, chain, schema, writes

ROOT = Path(__file__).parents[2]
SECRET = "offer no discount"


class Desk(TypedDict, total=False):
    question: str
    memo: str
    answer: str


class Asked(TypedDict, total=False):
    question: str


class Told(TypedDict, total=False):
    answer: str


def history(app: Any) -> list[dict[str, Any]]:
    """The values of all snapshots of the thread, oldest first."""
    return [snapshot.values for snapshot in app.get_state_history(THREAD)][::-1]


@pytest.fixture(scope="module")
def growing() -> ModuleType:
    """The given module `labs/growing.py`, which the plots are measured with."""
    spec = importlib.util.spec_from_file_location("growing", ROOT / "labs" / "growing.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------- 7 schemas


def visit(sent: dict[str, Any]) -> tuple[Any, Any, list[dict[str, Any]], InMemorySaver]:
    """One run behind both doors: the app, the result, what each node saw, the saver."""
    seen: list[dict[str, Any]] = []

    def think(state: Any) -> Any:
        seen.append(dict(state))
        return {"memo": SECRET}

    def reply(state: Any) -> Any:
        seen.append(dict(state))
        return {"answer": "no"}

    saver = InMemorySaver()
    app = chain(Desk, {"think": think, "reply": reply}, saver, input_schema=Asked, output_schema=Told)
    return app, app.invoke(sent, THREAD), seen, saver


def test_nodes_see_the_whole_state() -> None:
    """Nodes see the whole state, whatever the two doors let through."""
    _, _, seen, _ = visit({"question": "?"})
    assert seen[1] == {"question": "?", "memo": SECRET}


def test_a_key_outside_the_input_schema_is_dropped_in_silence() -> None:
    """What a caller sends under a key outside the input schema reaches no node and no snapshot, and no error says
    so."""
    app, _, seen, _ = visit({"question": "?", "memo": "vip"})
    assert "vip" not in repr(seen)
    assert "vip" not in repr(history(app))


def test_the_output_schema_filters_the_result_of_invoke() -> None:
    """The output schema filters the result of `invoke` and nothing else."""
    _, result, _, _ = visit({"question": "?"})
    assert result == {"answer": "no"}


def test_state_history_and_streams_carry_all_keys() -> None:
    """`get_state`, the history and the streams carry all keys."""
    app, _, _, _ = visit({"question": "?"})
    assert app.get_state(THREAD).values["memo"] == SECRET
    assert SECRET in repr(history(app))
    for mode in ("values", "updates"):
        assert SECRET in repr(list(app.stream({"question": "?"}, THREAD, stream_mode=mode)))


def test_the_saver_keeps_the_raw_input() -> None:
    """The saver keeps the raw input of a run, under the name `__start__`:"""
    _, _, _, saver = visit({"question": "?", "memo": "vip"})
    oldest = list(saver.list(THREAD))[-1]
    assert oldest.checkpoint["channel_values"] == {"__start__": {"question": "?", "memo": "vip"}}


def test_a_key_named_again_keeps_its_rule() -> None:
    """A key that is named again without a rule keeps the rule that `State` gave it."""
    nodes = {"a": writes(trace=["a"]), "b": writes(trace=["b"])}
    app = chain(Log, nodes, input_schema=Asked, output_schema=schema(trace=list))
    assert app.invoke({"question": "?"})["trace"] == ["a", "b"]


# ---------------------------------------------------------------- 8 growth


def everything(growing: ModuleType) -> Callable[[Any], int]:
    return lambda app: growing.stored_bytes(app.checkpointer)


def curve(growing: ModuleType, agent: str, weigh: Callable[[Any], int]) -> dict[int, float]:
    measured = growing.measure({agent: getattr(growing, agent)}, weigh)[agent]
    return dict(zip(growing.STEPS, measured, strict=True))


def test_the_newest_state_grows_only_with_an_appending_key(growing: ModuleType) -> None:
    """So the appending list grows evenly, the window stays as wide as it is, and the document lies there with its
    100 kB."""
    appending = curve(growing, "appending", growing.state_bytes)
    windowed = curve(growing, "windowed", growing.state_bytes)
    document = curve(growing, "untouched", growing.state_bytes)
    assert pytest.approx(2, rel=0.02) == (appending[40] - appending[20]) / (appending[20] - appending[10])
    assert windowed[5] == windowed[40]
    assert document[1] == document[40] == pytest.approx(100, rel=0.01)


def stored(saver: InMemorySaver, channel: str) -> list[bytes]:
    """The blobs of one channel, as they lie in the saver."""
    return [blob for (_, _, name, _), (_, blob) in saver.blobs.items() if name == channel]


def test_a_written_key_is_stored_again_in_full() -> None:
    """The in-memory saver stores a key again, in full, whenever a node writes it."""
    saver = InMemorySaver()
    nodes = {name: writes(trace=[name * 1_000]) for name in "abc"}
    chain(Log, nodes, saver).invoke({}, THREAD)
    assert sorted(len(blob) // 1_000 for blob in stored(saver, "trace") if len(blob) > 900) == [1, 2, 3]


def test_an_equal_value_is_stored_again() -> None:
    """An equal value is no exception."""
    saver = InMemorySaver()
    nodes = {name: lambda state: {**state} for name in "abc"}
    chain(Desk, nodes, saver).invoke({"memo": "m" * 1_000}, THREAD)
    assert len(stored(saver, "memo")) == 4


def test_an_untouched_key_is_stored_once() -> None:
    """A key that nobody writes is not stored again."""
    saver = InMemorySaver()
    chain(Desk, {name: writes(answer=name) for name in "abc"}, saver).invoke({"memo": "m" * 1_000}, THREAD)
    assert len(stored(saver, "memo")) == 1


def test_an_appending_list_costs_the_square(growing: ModuleType) -> None:
    """So an appending list stores 1, then 2, then 3 lines: twice the steps cost nearly four times the space."""
    sizes = curve(growing, "appending", everything(growing))
    assert 3.2 < sizes[20] / sizes[10] < 4
    assert 3.4 < sizes[40] / sizes[20] < 4


def test_a_windowed_list_costs_evenly(growing: ModuleType) -> None:
    """A windowed list costs the same at each step."""
    sizes = curve(growing, "windowed", everything(growing))
    assert pytest.approx(1, rel=0.05) == (sizes[40] - sizes[25]) / (sizes[25] - sizes[10])


def test_an_echo_costs_twice_a_step(growing: ModuleType) -> None:
    """And the echo costs 100 kB at each step, twice: once as a pending write and once in the new state."""
    sizes = curve(growing, "echoed", everything(growing))
    assert pytest.approx(200, rel=0.02) == (sizes[40] - sizes[20]) / 20
    app = growing.echoed(3)
    app.invoke({"document": growing.DOCUMENT}, growing.THREAD)
    written = [value for step in app.checkpointer.writes.values() for _, name, (_, value), _ in step.values()]
    assert sum(len(value) > 100_000 for value in written) == 4
    assert len([blob for blob in stored(app.checkpointer, "document") if len(blob) > 100_000]) == 4


def test_sqlite_stores_the_whole_state_at_each_step() -> None:
    """The SQLite saver stores the whole state at each step, written or not."""
    text = "m" * 1_000
    with SqliteSaver.from_conn_string(":memory:") as saver:
        chain(Desk, {name: writes(answer=name) for name in "abc"}, saver).invoke({"memo": text}, THREAD)
        rows = [row for (row,) in saver.conn.execute("select checkpoint from checkpoints")]
    assert (len(rows), sum(text.encode() in row for row in rows)) == (5, 5)


def test_the_history_is_newest_first() -> None:
    """`app.get_state_history(config)` gives the newest checkpoint first."""
    app = chain(Log, {"a": writes(trace=["a"]), "b": writes(trace=["b"])}, InMemorySaver())
    app.invoke({}, THREAD)
    assert [snapshot.metadata["step"] for snapshot in app.get_state_history(THREAD)] == [2, 1, 0, -1]


def test_the_serializer_gives_a_format_and_bytes() -> None:
    """And `app.checkpointer.serde.dumps_typed(values)` gives a pair: the name of a format, and the bytes."""
    app = chain(Log, {"a": writes(trace=["a"])}, InMemorySaver())
    name, packed = app.checkpointer.serde.dumps_typed({"trace": ["a"]})
    assert (str, bytes) == (type(name), type(packed))


def test_a_run_leaves_two_checkpoints_more_than_supersteps(growing: ModuleType) -> None:
    """Six steps, and eight numbers: there is one checkpoint for the input, one before the first node, and one after
    each superstep."""
    app = growing.appending(6)
    app.invoke({"done": 0}, growing.THREAD)
    found = [(snapshot.metadata["step"], snapshot.next) for snapshot in app.get_state_history(growing.THREAD)][::-1]
    assert [step for step, _ in found] == [-1, 0, 1, 2, 3, 4, 5, 6]
    assert [after for _, after in found][:2] == [("__start__",), ("work",)]


# ---------------------------------------------------------------- 9 pointer, 10 decisions


def wiped() -> Any:
    app = chain(Desk, {"load": writes(memo=SECRET), "wipe": writes(memo="")}, InMemorySaver())
    app.invoke({"question": "?"}, THREAD)
    return app


def test_an_overwritten_value_stays_in_the_history() -> None:
    """A value that is overwritten stays in the checkpoint of the step before."""
    app = wiped()
    assert [history(app)[-1]["memo"], history(app)[-2]["memo"]] == ["", SECRET]
    assert SECRET in repr(app.checkpointer.blobs)


def test_one_can_go_back_to_an_old_checkpoint() -> None:
    """That is what a history is for: you can go back there."""
    app = wiped()
    before = list(app.get_state_history(THREAD))[1]
    assert app.get_state(before.config).values["memo"] == SECRET
    assert before.next == ("wipe",)


def talks() -> Iterator[dict[str, Any]]:
    """What the node finds in two runs on one thread."""
    found: list[dict[str, Any]] = []

    def respond(state: Any) -> Any:
        found.append(dict(state))
        return {"answer": "on Tuesday", "used_calls": 2}

    app = chain(schema(question=str, answer=str, used_calls=Annotated[int, add]), {"respond": respond}, InMemorySaver())
    for question in ("When?", "Where?"):
        app.invoke({"question": question}, THREAD)
    yield from found
    yield app.get_state(THREAD).values


def test_a_second_run_starts_with_what_the_first_left() -> None:
    """A second run on the same thread starts with what the first one left, in keys with a reducer and in plain
    keys."""
    _, second, _ = talks()
    assert second == {"question": "Where?", "answer": "on Tuesday", "used_calls": 2}


def test_a_sum_goes_on_counting_on_a_thread() -> None:
    """The budget goes on counting: a good thing."""
    *_, after = talks()
    assert after["used_calls"] == 4


def test_a_plain_key_lasts_until_it_is_written() -> None:
    """The old answer is still there until somebody writes a new one: a thing to know."""
    first, second, _ = talks()
    assert ("answer" not in first, "on Tuesday") == (True, second["answer"])
