"""Given: small agents that grow step by step, two ways to weigh them, and a plot. Nothing to write here.

Every agent is one node that runs `steps` times in a row. What differs is the key it writes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from operator import add
from typing import Annotated, Any, TypedDict

import matplotlib.pyplot as plt
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from matplotlib.figure import Figure

LINE = "a line of the log ".ljust(1_000, ".")
"""1 kB of text, written at every step by the agents that keep a list."""

DOCUMENT = "a long contract ".ljust(100_000, ".")
"""100 kB of text, sent once with the question."""

STEPS = (1, 5, 10, 15, 20, 25, 30, 35, 40)
THREAD: Any = {"configurable": {"thread_id": "growing"}, "recursion_limit": 1_000}

Agent = Callable[[int], CompiledStateGraph]


# ---------------------------------------------------------------- the agents


class _Step(TypedDict, total=False):
    done: Annotated[int, add]


class _Appending(_Step, total=False):
    lines: Annotated[list, add]


class _Windowed(_Step, total=False):
    lines: Annotated[list, lambda old, new: (old + new)[-3:]]


class _Reading(_Step, total=False):
    document: str


def appending(steps: int) -> CompiledStateGraph:
    """Writes one line a step under a rule that keeps all of them."""
    return _repeating(_Appending, lambda state: {"lines": [LINE]}, steps)


def windowed(steps: int) -> CompiledStateGraph:
    """Writes one line a step under a rule that keeps the last three."""
    return _repeating(_Windowed, lambda state: {"lines": [LINE]}, steps)


def untouched(steps: int) -> CompiledStateGraph:
    """Has a document in its state and never writes it."""
    return _repeating(_Reading, lambda state: {}, steps)


def echoed(steps: int) -> CompiledStateGraph:
    """Has a document in its state and returns it from every step, unchanged."""
    return _repeating(_Reading, lambda state: {"document": state["document"]}, steps)


def _repeating(schema: type, write: Callable[[Any], dict], steps: int) -> CompiledStateGraph:
    graph = StateGraph(schema)
    graph.add_node("work", lambda state: {"done": 1, **write(state)})
    graph.add_edge(START, "work")
    graph.add_conditional_edges("work", lambda state: "work" if state["done"] < steps else END, ["work", END])
    return graph.compile(checkpointer=InMemorySaver())


# ---------------------------------------------------------------- the scales


def state_bytes(app: CompiledStateGraph) -> int:
    """Bytes of the newest saved state: what a resume must read."""
    values = app.get_state(THREAD).values
    return len(app.checkpointer.serde.dumps_typed(values)[1])


def stored_bytes(saver: InMemorySaver) -> int:
    """Bytes of everything that an in-memory saver holds: checkpoints, values of channels, pending writes."""
    return sum(_weight(part) for part in (saver.storage, saver.blobs, saver.writes))


def _weight(thing: Any) -> int:
    if isinstance(thing, bytes):
        return len(thing)
    if isinstance(thing, Mapping):
        return sum(map(_weight, thing.values()))
    if isinstance(thing, Iterable) and not isinstance(thing, str):
        return sum(map(_weight, thing))
    return 0


def measure(agents: Mapping[str, Agent], weigh: Callable[[CompiledStateGraph], int]) -> dict[str, list[float]]:
    """Run every agent with each number of STEPS, and weigh it after the run: kilobytes, in the order of STEPS."""
    return {name: [weigh(_run(agent(steps))) / 1_000 for steps in STEPS] for name, agent in agents.items()}


def _run(app: CompiledStateGraph) -> CompiledStateGraph:
    app.invoke({"document": DOCUMENT} if "document" in app.channels else {"done": 0}, THREAD)
    return app


# ---------------------------------------------------------------- the pictures


def table(curves: Mapping[str, Sequence[float]]) -> str:
    """The curves in figures: one row per agent, kB after each number of steps."""
    rows = {"kB after ... steps": STEPS, **curves}
    return "\n".join(f"{name:<20}" + "".join(f"{number:>8,.0f}" for number in row) for name, row in rows.items())


def plot(curves: Mapping[str, Sequence[float]], measured: str) -> Figure:
    """One line per agent over the number of steps. Light ground and dark ink, so that it reads in both themes."""
    ground, ink = "#f6f5f1", "#222222"
    figure, axes = plt.subplots(figsize=(7, 3.6), facecolor=ground, layout="constrained")
    axes.set_facecolor(ground)
    for (name, sizes), colour, mark in zip(curves.items(), cycle(("#0b5fa5", "#b3420f", "#2f7d32")), cycle("os^")):
        axes.plot(STEPS, sizes, color=colour, marker=mark, markersize=4, label=name)
    axes.set_xlabel("steps run", color=ink)
    axes.set_ylabel(f"{measured} (kB)", color=ink)
    axes.tick_params(colors=ink)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    axes.legend(facecolor=ground, labelcolor=ink, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    plt.close(figure)  # Else the notebook would show it twice: as an open figure and as the cell's value.
    return figure
