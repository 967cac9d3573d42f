"""The wrong beliefs behind steps 8 to 10: what checkpoints weigh, the pointer, and decisions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from grader.diagnose import Fits, found_at, raises, saw_of
from grader.labs.agstate import rules
from grader.labs.agstate.judges import RULE_WORDS, stored
from grader.labs.agstate.rules import RULE_OF_KEY
from grader.model import Diagnosis, Evidence, Finding, Inputs, Json, Raised, Saw


def _expected_sizes(inputs: Inputs) -> list[list[int]]:
    return [[rules.packed_size(state) for state in rules.states_of(inputs, runs)] for _, runs in inputs["threads"]]


def _sizes_as(predict: Callable[[Inputs], Json]) -> Fits:
    def fits(evidence: Evidence) -> bool | None:
        told = saw_of(evidence).facts.get("sizes")
        return None if told is None else bool(told == predict(evidence.trial.inputs))

    return fits


def _reversed(inputs: Inputs) -> list[list[int]]:
    return [sizes[::-1] for sizes in _expected_sizes(inputs)]


def _of_repr(inputs: Inputs) -> list[list[int]]:
    return [[len(repr(state)) for state in rules.states_of(inputs, runs)] for _, runs in inputs["threads"]]


def _of_the_pair(inputs: Inputs) -> list[list[int]]:
    return [[2 for _ in sizes] for sizes in _expected_sizes(inputs)]


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
        "AGS-SIZES-PAIR",
        "The pair is counted, and not its bytes",
        "Every size is 2: `dumps_typed` gives a pair, the name of the format and the bytes, and a pair has two parts.",
        "Take the second part: `len(app.checkpointer.serde.dumps_typed(values)[1])`.",
        _sizes_as(_of_the_pair),
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
    found = saw_of(evidence).facts.get("found")
    return None if found is None else bool(found)


def _twice_stored(evidence: Evidence) -> bool | None:
    kept = list(stored(saw_of(evidence)).values())
    return True if any(kept.count(text) > 1 for text in set(_texts(evidence))) else None


def _other_digest(evidence: Evidence) -> bool | None:
    kept = stored(saw_of(evidence))
    digests = {hashlib.sha256(text.encode()).hexdigest() for text in _texts(evidence)}
    return bool(kept) and not digests & set(kept) if evidence.failed and saw_of(evidence).facts else None


def _not_hex(evidence: Evidence) -> bool | None:
    """The hash object, or its raw bytes, went where its text was asked for."""
    seen = evidence.observation
    if not isinstance(seen, (Saw, Raised)):
        return None
    keys = [call.args[0] for call in seen.calls if call.tool == "put"]
    return bool(keys) and all(isinstance(key, dict) and key.get("$type") in ("HASH", "bytes") for key in keys)


POINTER = (
    Diagnosis(
        "AGS-NOT-ENCODED",
        "A hash is made of bytes, not of text",
        "`sha256` takes bytes, and was given the text itself. Which bytes a text has is said by its encoding.",
        "Encode it first: `sha256(text.encode('utf-8'))`.",
        raises("TypeError", "encoded before hashing"),
    ),
    Diagnosis(
        "AGS-NOT-HEX",
        "The hash is not turned into text",
        "What `sha256` gives is an object, and its `digest()` is raw bytes. As a key and in the state a text is needed: "
        "64 letters and digits, which any store and any checkpoint can hold.",
        "Take its `hexdigest()`.",
        _not_hex,
    ),
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
    return found_at(evidence, "the keys of `DECISIONS`")


def _no_word(evidence: Evidence) -> bool | None:
    told = _finding(evidence).actual
    return told not in RULE_WORDS if found_at(evidence, "the rule of") else False


def _mismatch(evidence: Evidence) -> bool | None:
    return _finding(evidence).actual in RULE_WORDS if found_at(evidence, "the rule of") else False


def _poor_why(evidence: Evidence) -> bool | None:
    return found_at(evidence, "the reason for")


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
