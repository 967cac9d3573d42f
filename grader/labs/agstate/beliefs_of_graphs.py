"""The wrong beliefs behind steps 7 to 10: schemas and `build`, growth, the pointer, and decisions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from grader.diagnose import Fits
from grader.labs.agstate import rules
from grader.labs.agstate.judges import RULE_WORDS, overwritten, stored
from grader.labs.agstate.rules import OVERWRITE_KEYS, RULE_OF_KEY
from grader.model import Diagnosis, Evidence, Finding, Inputs, Json, Raised, Saw


def _saw(evidence: Evidence) -> Saw:
    return evidence.observation if isinstance(evidence.observation, Saw) else Saw({})


def _where(evidence: Evidence, *words: str) -> bool | None:
    """Whether the finding lies at a place whose name holds one of these words."""
    return any(word in evidence.finding.where for word in words) if evidence.finding else None


# ------------------------------------------------------------------------ 7 schemas


def _entered(evidence: Evidence) -> list[Json]:
    return [call.args[0] for call in _saw(evidence).calls if len(call.args) == 2]


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
    for call, right in zip(_saw(evidence).calls, expected, strict=False):
        for key in OVERWRITE_KEYS:
            if _stands_behind(call.args[1].get(key), right.get(key)):
                return True
    last = [run[-1] for run in overwritten(evidence.trial.inputs)]
    states = _saw(evidence).facts.get("states", [])
    pairs = list(zip(states, last, strict=False))
    return any(_stands_behind(state.get(key), right.get(key)) for state, right in pairs for key in state)


def _stands_behind(value: Json, right: Json) -> bool:
    texts = isinstance(value, str) and isinstance(right, str)
    return texts and value != right and value.endswith(right)


def _input_open(evidence: Evidence) -> bool | None:
    """What the caller sent under internal keys reached a node or the thread."""
    token = evidence.trial.inputs["injected"]
    seen = _saw(evidence)
    reached = any(token in repr(call.args[1:]) for call in seen.calls) or bool(seen.facts.get("leaked"))
    return reached if token and evidence.finding else None


def _extra_in_result(evidence: Evidence) -> bool | None:
    return _where(evidence, "keys of the result")


def _inherits(evidence: Evidence) -> bool | None:
    declared = _saw(evidence).facts.get("output", [])
    return _extra_in_result(evidence) and set(declared) > {"answer", "sources"}


def _whole_state(evidence: Evidence) -> bool | None:
    return _where(evidence, "there twice")


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


def _expected_sizes(inputs: Inputs) -> list[list[int]]:
    return [[rules.packed_size(state) for state in rules.states_of(inputs, runs)] for _, runs in inputs["threads"]]


def _sizes_as(predict: Callable[[Inputs], Json]) -> Fits:
    def fits(evidence: Evidence) -> bool | None:
        told = _saw(evidence).facts.get("sizes")
        return None if told is None else bool(told == predict(evidence.trial.inputs))

    return fits


def _reversed(inputs: Inputs) -> list[list[int]]:
    return [sizes[::-1] for sizes in _expected_sizes(inputs)]


def _of_repr(inputs: Inputs) -> list[list[int]]:
    return [[len(repr(state)) for state in rules.states_of(inputs, runs)] for _, runs in inputs["threads"]]


def _newest_only(inputs: Inputs) -> list[list[int]]:
    # A thread that never ran has an empty state, and that weighs something too.
    return [sizes[-1:] or [rules.packed_size({})] for sizes in _expected_sizes(inputs)]


GROWTH = (
    Diagnosis(
        "AGS-SIZES-REVERSED",
        "The newest checkpoint comes first",
        "The sizes are right and stand in the wrong order: `get_state_history` gives the newest snapshot first.",
        "Turn the list round, so that the oldest is first.",
        _sizes_as(_reversed),
    ),
    Diagnosis(
        "AGS-SIZES-REPR",
        "The length of the printed text is measured",
        "These are lengths of `repr(values)`: what Python would print, not what the saver writes.",
        "Let the app's own serializer write the values, and count its bytes: "
        "`app.checkpointer.serde.dumps_typed(values)[1]`.",
        _sizes_as(_of_repr),
    ),
    Diagnosis(
        "AGS-SIZES-LAST-ONLY",
        "Only the newest checkpoint is measured",
        "One size came per thread. A thread keeps a checkpoint for every superstep and one for every input.",
        "Go through `app.get_state_history(config)`, not `get_state`.",
        _sizes_as(_newest_only),
    ),
)

# ------------------------------------------------------------------------ 9 pointer


def _texts(evidence: Evidence) -> list[str]:
    return [text for _, text in evidence.trial.inputs["submitted"]]


def _text_found(evidence: Evidence) -> bool | None:
    found = _saw(evidence).facts.get("found")
    return None if found is None else bool(found)


def _twice_stored(evidence: Evidence) -> bool | None:
    kept = list(stored(_saw(evidence)).values())
    return True if any(kept.count(text) > 1 for text in set(_texts(evidence))) else None


def _other_digest(evidence: Evidence) -> bool | None:
    kept = stored(_saw(evidence))
    digests = {hashlib.sha256(text.encode()).hexdigest() for text in _texts(evidence)}
    return bool(kept) and not digests & set(kept) if evidence.failed and _saw(evidence).facts else None


POINTER = (
    Diagnosis(
        "AGS-TEXT-IN-STATE",
        "The text went through the state",
        "The text stands in the thread: in a snapshot, or in what the saver keeps of the input and of each write. A key "
        "that is cleared later does not help, since every earlier checkpoint still holds it.",
        "Send `question` and `doc_ref` only; let a node fetch the text from the store when it needs it.",
        _text_found,
    ),
    Diagnosis(
        "AGS-STORED-TWICE",
        "One text is stored more than once",
        "The same text lies in the store under several keys, so the key says more than what the text is.",
        "Use the text's SHA-256 hex digest as the key, and nothing else.",
        _twice_stored,
    ),
    Diagnosis(
        "AGS-DIGEST",
        "The key is another than the SHA-256 digest",
        "The text is in the store, but under another key than the SHA-256 hex digest of its UTF-8 bytes. Python's own "
        "`hash` differs between processes, and shorter digests meet sooner.",
        "Use `hashlib.sha256(text.encode('utf-8')).hexdigest()`.",
        _other_digest,
    ),
)

# ------------------------------------------------------------------------ 10 decisions


def _finding(evidence: Evidence) -> Finding:
    return evidence.finding or Finding("", None, None)


def _wrong_keys(evidence: Evidence) -> bool | None:
    return _where(evidence, "the keys of `DECISIONS`")


def _no_word(evidence: Evidence) -> bool | None:
    told = _finding(evidence).actual
    return told not in RULE_WORDS if _where(evidence, "the rule of") else False


def _mismatch(evidence: Evidence) -> bool | None:
    return _finding(evidence).actual in RULE_WORDS if _where(evidence, "the rule of") else False


def _poor_why(evidence: Evidence) -> bool | None:
    return _where(evidence, "the reason for")


DECISIONS = (
    Diagnosis(
        "AGS-DECISION-KEYS",
        "The decisions are about other keys than the state's",
        f"`DECISIONS` has to hold exactly the {len(RULE_OF_KEY)} keys of `State`: none left out, none of its own.",
        "Write one entry for every key of `State`.",
        _wrong_keys,
    ),
    Diagnosis(
        "AGS-DECISION-WORD",
        "A rule has another name here",
        f"A rule is told by one of six words: {', '.join(RULE_WORDS)}.",
        "Use the word that fits how the key merges.",
        _no_word,
    ),
    Diagnosis(
        "AGS-DECISION-MISMATCH",
        "The code does something else than the decision says",
        "The key was written three times and behaved by another rule than `DECISIONS` names. Either the words or the "
        "annotation in `State` tell what you meant.",
        "Make the two agree.",
        _mismatch,
    ),
    Diagnosis(
        "AGS-DECISION-WHY",
        "A reason is missing, or stands twice",
        "Every key needs a sentence of its own: why this rule, for this key. What holds for two keys says nothing of either.",
        "Write what would go wrong with another rule.",
        _poor_why,
    ),
)
