"""The state of a support agent. It grows with you, one step of `01_agstate.ipynb` at a time.

    step                  you write here
    1  agstate.overwrite  `BareState.trace` and `run_bare`: the accident, on purpose
    2  agstate.append     `State.trace`
    3  agstate.dedupe     `merge_sources`, `State.sources`
    4  agstate.maximum    `keep_max`, `State.best_score`
    5  agstate.window     `keep_recent`, `State.notes`
    6  agstate.budget     `State.used_calls`
    7  agstate.schemas    the other keys of `State`, `InputState`, `OutputState`, `build`
    8  agstate.growth     `checkpoint_sizes`
    9  agstate.pointer    `submit`
    10 agstate.decisions  `DECISIONS`

Every name below is needed, with the arguments it has now. How you get there is free: add imports and functions of your
own wherever you like. Importing this file must run nothing. Save it, then run `check` in the notebook.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any, TypedDict

from langgraph.graph.state import CompiledStateGraph

WINDOW = 3
"""How many notes are kept. Step 5 reads it each time a note is written."""


# ---------------------------------------------------------------- the rules (steps 3 to 5)
#
# A reducer takes the value that is there and the value that a node returned, and gives the value to keep.
# None on either side means "nothing".


def merge_sources(old: list | None, new: list | None) -> list:
    """`old`, then each item of `new` that is not there yet, in the order first seen.

    None counts as an empty list. Items may be dicts or lists. Gives a new list; changes neither `old` nor `new`.
    """
    raise NotImplementedError("agstate.dedupe")


def keep_max(old: float | None, new: float | None) -> float | None:
    """The larger of two scores. None never wins; two None give None."""
    raise NotImplementedError("agstate.maximum")


def keep_recent(old: list | None, new: list | None) -> list:
    """The last `WINDOW` entries of `old` followed by `new`; a `WINDOW` of 0 keeps nothing.

    None counts as an empty list. Gives a new list; changes neither `old` nor `new`.
    """
    raise NotImplementedError("agstate.window")


# ---------------------------------------------------------------- the state (steps 1 to 7)


class BareState(TypedDict, total=False):
    """One key, no rule."""

    # step 1: trace, a list without a reducer


class State(TypedDict, total=False):
    """All that the nodes share: nine keys when you are done."""

    # step 2: trace, a list to which every write is appended
    # step 3: sources, a list merged by merge_sources
    # step 4: best_score, a number merged by keep_max
    # step 5: notes, a list merged by keep_recent
    # step 6: used_calls, a whole number to which every write is added
    # step 7: question, doc_ref, answer, memo: texts that are overwritten


class InputState(TypedDict, total=False):
    """What a caller may send."""

    # step 7: question, doc_ref


class OutputState(TypedDict, total=False):
    """What a caller gets."""

    # step 7: answer, sources


# ---------------------------------------------------------------- the graphs (steps 1 and 7)


def run_bare(names: Sequence[str]) -> list:
    """Run a chain of nodes with these names, in this order, over `BareState`; give the final trace.

    Each node returns `{"trace": [its own name]}`. `names` holds at least one name.
    """
    raise NotImplementedError("agstate.overwrite")


def build(nodes: Mapping[str, Callable], checkpointer: Any = None) -> CompiledStateGraph:
    """A compiled chain over `State`. `nodes` maps a name to a node function; its order is the order of the run.

    Callers send `InputState` and get `OutputState`. The nodes see the whole `State`.
    """
    raise NotImplementedError("agstate.schemas")


# ---------------------------------------------------------------- weight (steps 8 and 9)


def checkpoint_sizes(app: CompiledStateGraph, config: dict) -> list[int]:
    """Bytes of the saved state (`snapshot.values`) at each checkpoint of the thread, oldest first.

    Weighed by the app's own serializer, `app.checkpointer.serde`. A thread that never ran gives [].
    """
    raise NotImplementedError("agstate.growth")


def submit(app: CompiledStateGraph, store: MutableMapping[str, str], question: str, text: str, config: dict) -> dict:
    """Put `text` into `store` under its SHA-256 hex digest, then run the app with `question` and `doc_ref` only.

    `store` is a mapping outside the graph. `doc_ref` is the digest. Gives what `app.invoke` gives.
    """
    raise NotImplementedError("agstate.pointer")


# ---------------------------------------------------------------- your reasons (step 10)

DECISIONS: dict = {}
"""For every key of `State`: (rule, why). A rule is overwrite, append, dedupe, max, window or sum."""
