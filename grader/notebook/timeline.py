"""What happened in a run, superstep by superstep, as plain rows: who wrote what, and what each key held afterwards.

Reads langgraph's public streams (`debug`, `values`, `updates`) and the kinds of its channels. Shows nothing itself.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

STEP_LIMIT = 60
"""Supersteps of a traced run, where the caller's config sets no limit."""

LAST_WRITE = "last write stays"
"""The rule of a key without a reducer."""

_LONGEST = 60

NOTHING = object()
"""Stands for a key that holds nothing yet."""


@dataclass(frozen=True)
class Cell:
    """One key in one row: the writes of that row, each with its writer, and the value afterwards."""

    writes: Sequence[tuple[str, Any]] = ()
    value: Any = NOTHING


@dataclass(frozen=True)
class Row:
    """One line of a timeline. `kind` is input, superstep, resumed, edited, paused, stopped or raised."""

    kind: str
    label: str
    ran: Sequence[str] = ()
    cells: Mapping[str, Cell] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Column:
    """One key of the state and the rule by which its writes are merged, in words."""

    key: str
    rule: str


def columns_of(graph: Any) -> list[Column]:
    """The keys of the state, without the channels that langgraph keeps for itself."""
    listed = graph.stream_channels or list(graph.channels)
    keys = [listed] if isinstance(listed, str) else list(listed)
    return [Column(key, _rule(graph.channels[key])) for key in keys if not key.startswith("__")]


def _rule(channel: Any) -> str:
    reducer = getattr(channel, "operator", None)
    if reducer is None:
        return LAST_WRITE if type(channel).__name__ == "LastValue" else type(channel).__name__
    # langgraph's own reducers are wrapped, so that their names begin with an underscore.
    name = getattr(reducer, "__name__", type(reducer).__name__).lstrip("_")
    if name == "<lambda>":
        return "a rule of its own"
    return f"operator.{name}" if getattr(operator, name, None) is reducer else name


def rows_of(graph: Any, inputs: Any, config: Mapping[str, Any] | None) -> list[Row]:
    """Run the graph and tell every row. What the run raises is the last row."""
    used: dict[str, Any] = {"recursion_limit": STEP_LIMIT, **(config or {})}
    run = _Run(graph, inputs, used, columns_of(graph))
    try:
        for mode, event in graph.stream(inputs, used, stream_mode=["debug", "values", "updates"]):
            run.hear(mode, event)
    except Exception as error:  # noqa: BLE001 - whatever a learner's node raises is what the last row shows
        return [*run.rows(), _raised(error, run.supersteps)]
    return [*run.rows(), *run.how_it_stopped()]


class _Run:
    """Gathers the events of one run."""

    def __init__(self, graph: Any, inputs: Any, config: Mapping[str, Any], columns: Sequence[Column]) -> None:
        self._graph, self._inputs, self._config, self._columns = graph, inputs, config, columns
        self._keys = keys = [column.key for column in columns]
        self._before = _snapshot(graph, config)
        self._asked_before = _asking(self._before)
        self._now: dict[str, Any] = {**_beginnings(graph, keys), **_held(self._before, keys)}
        self._start = self._first_rows()
        self._steps: list[Row] = []
        self._asks: list[tuple[str, Any]] = []
        self._stopped = False

    @property
    def supersteps(self) -> Sequence[Row]:
        return self._steps

    def hear(self, mode: str, event: Any) -> None:
        if mode == "values":
            self._settle(event)
        elif mode == "updates":
            self._stopped = self._stopped or "__interrupt__" in event
        elif event["type"] == "task":
            self._begin(event["step"], str(event["payload"]["name"]))
        elif event["type"] == "task_result":
            self._wrote(event["payload"])

    def rows(self) -> list[Row]:
        return [*self._start, *self._steps]

    def how_it_stopped(self) -> Iterator[Row]:
        """A row for a run that has not come to its end."""
        after = _snapshot(self._graph, self._config)
        if after is None:
            if self._stopped or self._asks:
                where = f"in `{self._asks[0][0]}`" if self._asks else "at a breakpoint"
                yield Row("stopped", "stopped", note=f"{where}; there is no checkpointer, so nobody can go on")
            return
        asks = _asking(after)
        for name, question in asks:
            yield Row("paused", "paused", note=f"in `{name}`, which asks: {short(question)}")
        if not asks and after.next:
            yield Row("paused", "paused", note=f"waits before {' and '.join(f'`{name}`' for name in after.next)}")

    def _first_rows(self) -> list[Row]:
        told_on = type(self._inputs).__name__ == "Command"
        if self._inputs is not None and not told_on:
            given = _given(self._inputs, self._keys)
            writes = {key: Cell([("input", _copy(value))]) for key, value in given.items()}
            return [Row("input", "input", (), self._filled(writes))]
        edits = _edits(self._graph, self._before, self._columns)
        resumes = self._inputs.resume if told_on else None
        on = "by a Command without an answer" if told_on else "went on where it had stopped"
        how = on if resumes is None else f"with {short(resumes)}"
        return [*edits, Row("resumed", "resumed", note=how)]

    def _begin(self, step: int, name: str) -> None:
        again = [node for node, _ in self._asked_before]
        label = f"superstep {step}"
        if not self._steps or self._steps[-1].label != label:
            self._steps.append(Row("superstep", label, (), self._filled({})))
        row = self._steps[-1]
        mark = f"`{name}` ran again from its start" if len(self._steps) == 1 and name in again else ""
        self._steps[-1] = replace(row, ran=[*row.ran, name], note=", ".join(filter(None, [row.note, mark])))

    def _wrote(self, payload: Mapping[str, Any]) -> None:
        name, result = str(payload["name"]), payload.get("result") or {}
        self._asks += [(name, each) for each in payload.get("interrupts") or ()]
        pairs = result.items() if isinstance(result, Mapping) else result
        row = self._steps[-1]
        cells = dict(row.cells)
        for key, value in pairs:
            if key in self._keys:
                # Results come as nodes finish; in the order of the row two runs are told alike.
                writes = sorted([*cells[key].writes, (name, _copy(value))], key=lambda each: row.ran.index(each[0]))
                cells[key] = replace(cells[key], writes=writes)
        self._steps[-1] = replace(row, cells=cells)

    def _settle(self, values: Any) -> None:
        """The superstep, or the input, is merged: these are the values after it."""
        if isinstance(values, Mapping):
            self._now = {key: _copy(values[key]) for key in self._keys if key in values}
        rows = self._steps or self._start
        if rows and rows[-1].cells:
            cells = {key: replace(cell, value=self._now.get(key, NOTHING)) for key, cell in rows[-1].cells.items()}
            rows[-1] = replace(rows[-1], cells=cells)

    def _filled(self, cells: Mapping[str, Cell]) -> dict[str, Cell]:
        return {key: replace(cells.get(key, Cell()), value=self._now.get(key, NOTHING)) for key in self._keys}


def _raised(error: Exception, supersteps: Sequence[Row]) -> Row:
    if type(error).__name__ == "GraphRecursionError":
        return Row(
            "raised", "raised", note=f"GraphRecursionError: it was not at its end after {len(supersteps)} supersteps"
        )
    try:
        text = (str(error).splitlines() or [""])[0]
    except Exception:  # noqa: BLE001 - a learner's error may fail to say what it is
        text = "its message could not be read"
    where = f" (in superstep {supersteps[-1].label.split()[-1]})" if supersteps else " (before any superstep)"
    return Row("raised", "raised", note=f"{type(error).__name__}: {text}{where}")


def _snapshot(graph: Any, config: Mapping[str, Any]) -> Any:
    """The thread as it is saved; None without a checkpointer or a thread."""
    if not graph.checkpointer or "thread_id" not in config.get("configurable", {}):
        return None
    return graph.get_state(config)


def _asking(snapshot: Any) -> list[tuple[str, Any]]:
    """Nodes that wait for an answer, each with its question."""
    tasks = snapshot.tasks if snapshot else ()
    return [(str(task.name), each.value) for task in tasks for each in task.interrupts]


def _held(snapshot: Any, keys: Sequence[str]) -> dict[str, Any]:
    return {key: _copy(snapshot.values[key]) for key in keys if snapshot and key in snapshot.values}


def _beginnings(graph: Any, keys: Sequence[str]) -> dict[str, Any]:
    """What the keys hold before the first write: the empty value of its type, where a key has a reducer and such a value."""
    found = {}
    for key in keys:
        try:
            found[key] = _copy(graph.channels[key].get())
        except Exception:  # noqa: BLE001 - a channel that holds nothing raises, each kind its own error
            continue
    return found


def _given(inputs: Any, keys: Sequence[str]) -> dict[str, Any]:
    """The keys of an input, which may be a dict, or an object where the state is a class of that kind."""
    if isinstance(inputs, Mapping):
        return {key: inputs[key] for key in keys if key in inputs}
    return {key: getattr(inputs, key) for key in keys if hasattr(inputs, key)}


def _edits(graph: Any, snapshot: Any, columns: Sequence[Column]) -> list[Row]:
    """A row for each `update_state` since the thread's last run, oldest first."""
    rows: list[Row] = []
    while snapshot and (snapshot.metadata or {}).get("source") == "update" and snapshot.parent_config:
        before = graph.get_state(snapshot.parent_config)
        rows.append(_edited(before.values, snapshot.values, columns))
        snapshot = before
    return rows[::-1]


def _edited(before: Mapping[str, Any], after: Mapping[str, Any], columns: Sequence[Column]) -> Row:
    cells, changed = {}, []
    for key, rule in ((column.key, column.rule) for column in columns):
        value = _copy(after.get(key, NOTHING))
        differs = not _same(before.get(key, NOTHING), value)
        changed += [key] if differs else []
        # Only where the last write stays is the value the write itself; a reducer has merged it elsewhere.
        cells[key] = Cell([("update_state", value)] if differs and rule == LAST_WRITE else (), value)
    named = ", which changed " + " and ".join(f"`{key}`" for key in changed) if changed else ""
    return Row("edited", "edited", (), cells, f"edited by update_state{named}")


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - arrays and learners' classes may refuse to be compared
        return False


def short(value: Any) -> str:
    """A value as Python writes it, cut at 60 characters, with how much was cut."""
    if value is NOTHING:
        return ""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a learner's repr may raise anything
        return f"<{type(value).__name__} whose repr raised {type(error).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text) - _LONGEST} more)"


def _copy(value: Any) -> Any:
    """A snapshot that a reducer which changes its arguments cannot change afterwards."""
    try:
        return copy.deepcopy(value)
    except Exception:  # noqa: BLE001 - a value that refuses to be copied is shown as it is later
        return value
