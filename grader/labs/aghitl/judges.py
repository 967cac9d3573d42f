"""What is right: pure functions of the drawn inputs and of what was seen. They never see learner code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.labs.aghitl import rules
from grader.labs.aghitl.rules import View
from grader.model import Finding, Inputs, Json, Saw

KEYS = ["amount", "case_id", "decision", "paid", "record", "requested", "trace"]
ASPECTS = {
    "calls": "the ledger",
    "refused": "whether it raised ValueError",
    "waiting": "whether the case waits for a person",
    "outcome": "what `outcome` said",
    "decision": "`decision`",
    "paid": "`paid`",
    "requested": "`requested`",
    "amount": "`amount`",
    "nodes": "the named nodes that `trace` gained",
}


@dataclass(frozen=True)
class Difference:
    """The first difference: at which move, in which aspect."""

    move: int
    aspect: str
    expected: Json
    actual: Json


def differs(where: str, expected: Json, actual: Json) -> Finding | None:
    """The finding, or None where both are equal. True is not 1 here."""
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return None if same else Finding(where, expected, actual)


def first(findings: Sequence[Finding | None]) -> Finding | None:
    return next((finding for finding in findings if finding is not None), None)


def told(move: Inputs) -> str:
    """A move in words."""
    words = {
        "run": f"a request of {move.get('requested')}",
        "look": "a look",
        "answer": f"the answer {move.get('answer')!r}",
        "edit": f"`edit` to {move.get('amount')}",
        "rebuild": "the graph is built again",
    }
    where = f" on thread {move['thread']!r}" if "thread" in move else ""
    return f"{words.get(move['do'], '`' + move['do'] + '`')}{where}"


def told_all(inputs: Inputs) -> str:
    """All moves of a trial, numbered; `THRESHOLD` is told where it changes."""
    limit, parts = None, []
    for number, move in enumerate(inputs["moves"], 1):
        changed = f"THRESHOLD = {move['threshold']}, " if move["threshold"] != limit else ""
        limit = move["threshold"]
        killed = "the process is killed, " if number == inputs.get("crash", 0) + 1 > 1 else ""
        parts.append(f"({number}) {killed}{changed}{told(move)}")
    return "; ".join(parts)


def _place(number: int, move: Inputs) -> str:
    return f"after move {number + 1}, {told(move)}"


# ------------------------------------------------------------------------ 1 threshold


def policy(inputs: Inputs, seen: Saw) -> Finding | None:
    said = seen.facts.get("said")
    right = [rules.needs_approval(refund["requested"], limit) for limit, refund in inputs["asked"]]
    for (limit, refund), expected, actual in zip(inputs["asked"], right, said if said else [], strict=True):
        if expected != actual:
            return Finding(f"`needs_approval({refund})` with THRESHOLD = {limit}", expected, actual)
    return differs("the keys of `Refund`", KEYS, seen.facts.get("keys"))


def refused(inputs: Inputs, seen: Saw) -> Finding | None:
    built = f"`{inputs['graph']}` with None for the checkpointer"
    return first(
        [
            differs(f"whether {built} raised ValueError", True, seen.facts.get("refused")),
            differs(f"whether the message of {built} holds the word checkpointer", True, seen.facts.get("named")),
        ]
    )


# ------------------------------------------------------------------------ moves on threads


def difference(inputs: Inputs, seen: Saw) -> Difference | None:
    """Where what was seen leaves the contract for the first time."""
    if rules.ledgers(seen.calls, len(inputs["moves"])) is None:
        return Difference(0, "calls", "calls only while a move runs", [call.tool for call in seen.calls])
    for number, (right, seen_view) in enumerate(zip(rules.play(inputs), rules.views(inputs, seen), strict=True)):
        for aspect in ASPECTS:
            expected, actual = getattr(right, aspect), _settled(inputs, number, aspect, seen_view)
            if expected is not None and differs("", _plain(expected), _plain(actual)):
                return Difference(number, aspect, _plain(expected), _plain(actual))
    return None


def _plain(value: Json) -> Json:
    return list(value) if isinstance(value, (list, tuple)) else value


def _settled(inputs: Inputs, number: int, aspect: str, view: View) -> Json:
    """Whether a rejected case passes through `settle` is free."""
    value = getattr(view, aspect)
    if aspect == "nodes" and inputs["moves"][number]["do"] == "reject":
        return [name for name in value or [] if name != "settle"]
    return value


def played(inputs: Inputs, seen: Saw) -> Finding | None:
    """The moves against the model; then questions, traces of edits, what was returned, and the other threads."""
    found = difference(inputs, seen)
    if found is not None:
        where = f"{ASPECTS[found.aspect]} {_place(found.move, inputs['moves'][found.move])}"
        if found.aspect == "calls" and (parts := rules.ledgers(seen.calls, len(inputs["moves"]))) is not None:
            right = [view.calls for view in rules.play(inputs)]
            return Finding(where, _book(inputs, right, found.move), _book(inputs, parts, found.move))
        return Finding(where, found.expected, _explained(found, seen))
    return next(_details(inputs, seen), None)


def _book(inputs: Inputs, calls: Sequence[Sequence[str]], last: int) -> Json:
    """The ledger of a move's thread up to that move, as a bookkeeper writes it; what did not happen is said."""
    thread = inputs["moves"][last].get("thread")
    own = [number for number in range(last + 1) if inputs["moves"][number].get("thread") == thread]
    entries = [f"move {number + 1}: {_entry(call)}" for number in own for call in calls[number]]
    return entries or "no entry: no money has left, nobody was told"


def _entry(call: str) -> str:
    tool, _, rest = call.rstrip(")").partition("(")
    case_id, _, amount = rest.partition(", ")
    return f"{amount} paid for {case_id}" if tool == "pay" else f"a message about {case_id}"


def _explained(found: Difference, seen: Saw) -> Json:
    """A refusal that nobody expected is shown with its words."""
    error = rules.moves_of(seen)[found.move].get("error")
    return error if found.aspect == "refused" and error else found.actual


def _details(inputs: Inputs, seen: Saw) -> Iterator[Finding]:
    right = rules.play(inputs)
    last: dict[str, Json] = {}
    for number, (move, facts, view) in enumerate(zip(inputs["moves"], rules.moves_of(seen), right, strict=True)):
        if move["do"] == "rebuild":
            continue
        place = _place(number, move)
        if inputs["graph"] == "build_inline" and view.waiting:
            yield from _question(move, facts, view, last, place)
        if inputs["graph"] == "build_inline" and move["do"] == "run" and not view.waiting:
            trace = facts["values"].get("trace") or []
            if "confirm" in rules.grown_by((last.get(move["thread"]) or {}).get("trace") or [], trace):
                yield Finding(f"whether a small case went through `confirm` {place}", False, True)
        if move["do"] in ("approve", "edit", "reject"):
            yield from _decision(move, facts, view, last.get(move["thread"]) or {}, place)
        last[move["thread"]] = facts["values"]
    for name, snapshot in (seen.facts.get("after") or seen.facts).get("end", {}).items():
        if name in last and snapshot["values"] != last[name]:
            yield Finding(f"thread {name!r} after the moves on other threads", last[name], snapshot["values"])


def _question(move: Inputs, facts: Json, view: View, last: dict[str, Json], place: str) -> Iterator[Finding]:
    asked = facts["questions"][0]
    case_id = facts["values"].get("case_id")
    right = {"case_id": case_id, "amount": view.requested}
    shown = {key: asked.get(key) for key in right} if isinstance(asked, dict) else asked
    if differs("", right, shown):
        yield Finding(f"the question that a person sees {place}", right, shown)


def _decision(move: Inputs, facts: Json, view: View, before: Json, place: str) -> Iterator[Finding]:
    if not facts["returned"]:
        yield Finding(f"whether `{move['do']}` returned the final state {place}", True, False)
    if view.refused and before and facts["values"] != before:
        yield Finding(f"the state {place}, which was refused", before, facts["values"])
    if move["do"] != "edit" or view.refused:
        return
    extra = [n for n in rules.grown_by(before.get("trace") or [], facts["values"].get("trace") or []) if n != "settle"]
    if len(extra) != max(1, len(set(map(str, extra)))):
        yield Finding(f"the lines of `trace` that tell of the edit {place}", "one line of its own", extra)


# ------------------------------------------------------------------------ 10 count, 11 record


def counted(inputs: Inputs, seen: Saw) -> Finding | None:
    total = sum(len(answers) + 1 for _, answers in inputs["threads"])
    parts = rules.ledgers(seen.calls, total)
    if parts is None:
        return Finding("the calls of `enter`", "only while a run goes on", [call.tool for call in seen.calls])
    turns = iter(parts)
    for (name, answers), asked, final in zip(
        inputs["threads"], seen.facts["asked"], seen.facts["answers"], strict=True
    ):
        right = [[question] for question in inputs["questions"]] + [[]]
        found = first(
            [
                differs(f"the question after {turn} answers on thread {name!r}", expected, actual)
                for turn, (expected, actual) in enumerate(zip(right, asked, strict=True))
            ]
        )
        entries = [len(next(turns)) for _ in right]
        so_far = [sum(entries[: turn + 1]) for turn in range(len(entries))]
        counts = differs(f"how often the node was entered, run by run, on thread {name!r}", _one_more(right), so_far)
        found = found or counts or differs(f"`answers` at the end on thread {name!r}", list(answers), final)
        if found:
            return found
    return None


def _one_more(turns: Sequence[Json]) -> list[int]:
    return [number + 1 for number in range(len(turns))]


def recorded(inputs: Inputs, seen: Saw) -> Finding | None:
    found = played(inputs, seen)
    if found:
        return found
    moves = zip(inputs["moves"], rules.moves_of(seen), rules.play(inputs), strict=True)
    for number, (move, facts, view) in enumerate(moves):
        if not view.decision or move["do"] == "rebuild":
            continue
        right = record(facts["values"]["case_id"], view)
        place = _place(number, move)
        found = first(
            [
                differs(f"what `approval_record` gave {place}", right, facts.get("record_of")),
                differs(f"`record` in the state {place}", right, facts["values"].get("record")),
            ]
        )
        if found:
            return found
    return None


def record(case_id: Json, view: View) -> dict[str, Json]:
    return {
        "case_id": case_id,
        "requested": view.requested,
        "executed": view.paid,
        "decision": view.decision,
        "changed": view.paid != view.requested,
    }
