"""The wrong beliefs behind step 7: what passes the two schemas, and what `build` makes of its nodes."""

from __future__ import annotations

from grader.diagnose import found_at, saw_of
from grader.labs.agstate.judges import overwritten
from grader.labs.agstate.rules import OVERWRITE_KEYS
from grader.model import Diagnosis, Evidence, Json, Raised


def _entered(evidence: Evidence) -> list[Json]:
    return [call.args[0] for call in saw_of(evidence).calls if len(call.args) == 2]


def _names(evidence: Evidence) -> list[str]:
    return [name for name, _ in evidence.trial.inputs["nodes"]]


def _sorted(evidence: Evidence) -> bool | None:
    names = _names(evidence)
    return _entered(evidence)[: len(names)] == sorted(names) != names if evidence.finding else None


def _hard_coded(evidence: Evidence) -> bool | None:
    """Some drawn nodes never ran, or the names that were asked for are not among the drawn ones."""
    seen, names = evidence.observation, set(_names(evidence))
    if isinstance(seen, Raised):
        return True if seen.type in ("KeyError", "IndexError") else None
    return True if set(_entered(evidence)) < names else None


def _no_checkpointer(evidence: Evidence) -> bool | None:
    seen = evidence.observation
    return "No checkpointer set" in seen.message if isinstance(seen, Raised) else None


def _glued(evidence: Evidence) -> bool | None:
    """A value that should have been replaced still stands in front of the new one."""
    if isinstance(evidence.observation, Raised):
        return None
    expected = [state for run in overwritten(evidence.trial.inputs) for state in run[:-1]]
    for call, right in zip(saw_of(evidence).calls, expected, strict=False):
        for key in OVERWRITE_KEYS:
            if _stands_behind(call.args[1].get(key), right.get(key)):
                return True
    last = [run[-1] for run in overwritten(evidence.trial.inputs)]
    states = saw_of(evidence).facts.get("states", [])
    pairs = list(zip(states, last, strict=False))
    return any(_stands_behind(state.get(key), right.get(key)) for state, right in pairs for key in state)


def _stands_behind(value: Json, right: Json) -> bool:
    texts = isinstance(value, str) and isinstance(right, str)
    return texts and value != right and value.endswith(right)


def _input_open(evidence: Evidence) -> bool | None:
    """What the caller sent under internal keys reached a node or the thread."""
    token = evidence.trial.inputs["injected"]
    seen = saw_of(evidence)
    reached = any(token in repr(call.args[1:]) for call in seen.calls) or bool(seen.facts.get("leaked"))
    return reached if token and evidence.finding else None


def _extra_in_result(evidence: Evidence) -> bool | None:
    return found_at(evidence, "keys of the result")


def _inherits(evidence: Evidence) -> bool | None:
    declared = saw_of(evidence).facts.get("output", [])
    return _extra_in_result(evidence) and set(declared) > {"answer", "sources"}


def _whole_state(evidence: Evidence) -> bool | None:
    return found_at(evidence, "there twice")


SCHEMAS = (
    Diagnosis(
        "AGS-NO-CHECKPOINTER",
        "build drops the checkpointer",
        "The graph was built without the checkpointer that it was given, so it keeps no thread: nothing can be looked up "
        "or continued.",
        "Pass it on: `graph.compile(checkpointer=checkpointer)`.",
        _no_checkpointer,
    ),
    Diagnosis(
        "AGS-SORTED",
        "build sorts the names",
        "The nodes ran in alphabetical order. The order of the mapping is the order of the run.",
        "Take the names as the mapping gives them.",
        _sorted,
    ),
    Diagnosis(
        "AGS-HARD-CODED",
        "build knows names of its own",
        "Not every node of the mapping ran, or another one was looked for: the names or their number are fixed in the code.",
        "Loop over the mapping: one node and one edge for each entry, however many there are.",
        _hard_coded,
    ),
    Diagnosis(
        "AGS-NO-INPUT-SCHEMA",
        "The caller can write internal keys",
        "A value that the caller sent under an internal key reached the nodes or the thread. Without an input schema "
        "every key of the state is open to whoever calls.",
        "Declare `InputState` with `question` and `doc_ref` only, and give it to the graph as `input_schema`.",
        _input_open,
    ),
    Diagnosis(
        "AGS-OUTPUT-INHERITS",
        "The output schema inherits the internal keys",
        "`OutputState` has more keys than `answer` and `sources`. A schema that inherits from `State` has all its keys, "
        "so the result still carries them.",
        "Declare `OutputState` on its own, with its two keys.",
        _inherits,
    ),
    Diagnosis(
        "AGS-NO-OUTPUT-SCHEMA",
        "Internal keys leave in the result",
        "The result of `invoke` holds keys that are nobody's business outside. Without an output schema it holds the "
        "whole state.",
        "Give the graph `OutputState` as `output_schema`.",
        _extra_in_result,
    ),
    Diagnosis(
        "AGS-WHOLE-STATE",
        "A node returns the whole state",
        "Entries of `trace` came twice though each node writes its own once. What a node returns goes through the "
        "reducers: a list that is handed back is appended to itself.",
        "Return only what the node itself has to say, and add nothing to a node's update in `build`.",
        _whole_state,
    ),
    Diagnosis(
        "AGS-ADD-ON-OVERWRITE",
        "A key that is to be replaced is added to",
        "The new value stands behind the old one. With `operator.add` as its reducer a text grows with every write.",
        "Leave the reducer away on keys that are overwritten.",
        _glued,
    ),
)

# ------------------------------------------------------------------------ 8 growth
