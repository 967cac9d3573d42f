"""Refunds that a person has to allow. The file grows with you, one step of `02_aghitl.ipynb` at a time.

    step                 you write here
    1  aghitl.threshold  `Refund`, `needs_approval`
    2  aghitl.branch     `build`: small cases are paid, large ones stop before `settle`
    3  aghitl.silent     `build_silent`, `outcome`: the accident, and how to tell it from success
    4  aghitl.stop       `build`: with a checkpointer the case waits
    5  aghitl.resume     `approve`
    6  aghitl.edit       `edit`
    7  aghitl.hold       nothing new: a case stays in a person's hands
    8  aghitl.reject     `reject`
    9  aghitl.inline     `build_inline`
    10 aghitl.count      `build_counter`
    11 aghitl.record     `approval_record`, and `record` in both graphs
    12 aghitl.restart    nothing new: a case outlives its process

Every name below is needed, with the arguments it has now. `pay`, `notify` and `enter` are given by the caller, and a
payment cannot be undone. Importing this file must run nothing. Save it, then run `check` in the notebook.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

Pay = Callable[[str, int], Any]
Notify = Callable[[str], Any]

THRESHOLD = 100_000
"""Above this a person decides; exactly at it, none is needed. Read it when a case is assessed."""


class Refund(TypedDict, total=False):
    """One case: `case_id`, `requested`, `amount`, `decision`, `paid`, `trace` (appends) and `record` when you are done."""


def needs_approval(refund: Refund) -> bool:
    """Whether a person has to decide: what was `requested` lies above `THRESHOLD`."""
    raise NotImplementedError("aghitl.threshold")


# ---------------------------------------------------------------- stopping before a node


def build_silent(pay: Pay) -> CompiledStateGraph:
    """The accident: `assess`, then `auto_settle`, or a gate before `settle`, and no checkpointer."""
    raise NotImplementedError("aghitl.silent")


def build(pay: Pay, checkpointer: BaseCheckpointSaver | None) -> CompiledStateGraph:
    """The cure: the same graph with a checkpointer. Raises ValueError, with the word checkpointer, when it is None."""
    raise NotImplementedError("aghitl.branch")


def outcome(app: CompiledStateGraph, config: dict, result: Mapping | None) -> str:
    """How a run ended: "done", "waiting" (it can go on) or "lost" (it stopped, and nobody can go on)."""
    raise NotImplementedError("aghitl.silent")


# ---------------------------------------------------------------- deciding


def approve(app: CompiledStateGraph, config: dict) -> dict:
    """Pay what was requested; the final state. Raises ValueError where no case waits."""
    raise NotImplementedError("aghitl.resume")


def edit(app: CompiledStateGraph, config: dict, amount: int) -> dict:
    """Pay another amount, from 1 to what was requested; the final state. Raises ValueError for any other."""
    raise NotImplementedError("aghitl.edit")


def reject(app: CompiledStateGraph, config: dict) -> dict:
    """Close the case without paying; the final state."""
    raise NotImplementedError("aghitl.reject")


# ---------------------------------------------------------------- stopping inside a node


def build_inline(pay: Pay, notify: Notify, checkpointer: BaseCheckpointSaver | None) -> CompiledStateGraph:
    """The same case with `interrupt()` in a node `confirm`. `notify` happens once, before the pause."""
    raise NotImplementedError("aghitl.inline")


def build_counter(
    questions: Sequence[str], enter: Callable[[], Any], checkpointer: BaseCheckpointSaver
) -> CompiledStateGraph:
    """One node that asks every question in turn and calls `enter()` first thing at every entry."""
    raise NotImplementedError("aghitl.count")


# ---------------------------------------------------------------- the record


def approval_record(refund: Refund) -> dict:
    """`case_id`, `requested`, `executed` (what was paid), `decision`, `changed` (executed is not what was requested)."""
    raise NotImplementedError("aghitl.record")
