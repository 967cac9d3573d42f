"""How a case goes: a model of the contract over drawn moves, in plain data, and the ledger as a colleague would read it.

Knows nothing of langgraph. The judge compares with it; the beliefs change one rule of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grader.model import Call, Inputs, Json, Saw

NAMED = {"build": ("assess", "settle", "auto_settle"), "build_silent": (), "build_inline": ("confirm",)}
"""The nodes that the contract names; further ones are free."""

FILE_LIMIT = 100_000
"""What `THRESHOLD` is in the file: what a threshold frozen at import goes on using."""


@dataclass(frozen=True)
class Case:
    """What one thread holds."""

    case_id: str
    requested: int
    amount: int
    decision: str = ""
    paid: int = 0
    waiting: bool = False


@dataclass(frozen=True)
class View:
    """One move and what came of it. None stands for what the contract leaves free."""

    calls: Sequence[str]
    refused: bool = False
    waiting: bool = False
    decision: str = ""
    paid: int = 0
    requested: int | None = None
    amount: int | None = None
    nodes: Sequence[str] | None = None
    outcome: str = ""


@dataclass(frozen=True)
class Twist:
    """One rule of the contract changed, as a wrong belief has it."""

    at_the_limit: bool = False
    frozen: bool = False
    forgets: bool = False
    pays_at_once: bool = False
    reject_pays: bool = False
    reject_waits: bool = False
    never_waits: bool = False
    routes_again_on: str = ""
    notifies_again: bool = False
    unchecked: bool = False
    lost_is: str = "lost"


RIGHT = Twist()


def needs_approval(requested: int, limit: int, twist: Twist = RIGHT) -> bool:
    limit = FILE_LIMIT if twist.frozen else limit
    return requested >= limit if twist.at_the_limit else requested > limit


def paid(case: Case) -> str:
    return f"pay({case.case_id}, {case.amount})"


def play(inputs: Inputs, twist: Twist = RIGHT) -> list[View]:
    """What each move of a `cases` trial gives, under the contract or with one rule of it changed."""
    board = _Board(inputs["graph"], twist)
    return [board.move(move) for move in inputs["moves"]]


@dataclass
class _Board:
    graph: str
    twist: Twist
    held: dict[str, Case] = field(default_factory=dict)

    def move(self, move: Inputs) -> View:
        if move["do"] == "rebuild":
            if self.twist.forgets:
                self.held.clear()
            return View(())
        case = self.held.get(move["thread"])
        if move["do"] == "run":
            return self._run(move)
        if move["do"] == "look":
            return self._view(move, case, [])
        if move["do"] == "answer":
            return self._answer(move, case)
        return self._decide(move, case, move["do"], move.get("amount"))

    def _run(self, move: Inputs) -> View:
        large = needs_approval(move["requested"], move["threshold"], self.twist)
        case = Case(move["case_id"], move["requested"], move["requested"], waiting=large)
        calls, nodes = [], ["assess"]
        if large and self.graph == "build_inline":
            calls.append(f"notify({case.case_id})")
        if not large or self.twist.pays_at_once:
            calls.append(paid(case))
        if not large:
            case = replace(case, decision="auto", paid=case.amount)
            nodes.append("auto_settle")
        elif self.twist.never_waits:
            case = replace(case, waiting=False)
        self.held[move["thread"]] = case
        return self._view(move, case, calls, nodes)

    def _answer(self, move: Inputs, case: Case | None) -> View:
        answer, again = move["answer"], []
        if case is not None and self.twist.notifies_again:
            again = [f"notify({case.case_id})"]
        if case is None or not understood(answer, case.requested):
            return self._view(move, case, again)
        return self._decide(move, case, answer["decision"], answer.get("amount"), again)

    def _decide(self, move: Inputs, case: Case | None, word: str, amount: Json, again: Sequence[str] = ()) -> View:
        if case is None or not case.waiting:
            return self._view(move, case, [], refused=True)
        if word == "edit" and not self.twist.unchecked and not 1 <= amount <= case.requested:
            return self._view(move, case, [], refused=True)
        if word == "reject" and self.twist.reject_waits:
            return self._view(move, case, [], [])
        case = replace(case, decision=word, amount=amount if word == "edit" else case.amount, waiting=False)
        calls, nodes = list(again), ["settle"] if word != "reject" else []
        if self._slips_out(move, case):
            case, nodes = replace(case, decision="auto", paid=case.amount), ["auto_settle"]
            calls.append(paid(case))
        elif word != "reject" or self.twist.reject_pays:
            case = replace(case, paid=case.amount)
            calls.append(paid(case))
        self.held[move["thread"]] = case
        return self._view(move, case, calls, nodes)

    def _slips_out(self, move: Inputs, case: Case) -> bool:
        """Whether the router is asked again, and sends the case to `auto_settle`."""
        key = self.twist.routes_again_on
        return bool(key) and not needs_approval(int(getattr(case, key)), move["threshold"])

    def _view(
        self,
        move: Inputs,
        case: Case | None,
        calls: Sequence[str],
        nodes: Sequence[str] = (),
        *,
        refused: bool = False,
    ) -> View:
        silent = self.graph == "build_silent"
        named = [name for name in nodes if name in NAMED[self.graph]]
        if case is None:
            return View(calls, refused, nodes=named, outcome=self.twist.lost_is if move.get("outcome") else "")
        word = "done" if not case.waiting else self.twist.lost_is if silent else "waiting"
        return View(
            calls,
            refused,
            case.waiting and not silent,
            case.decision,
            case.paid,
            case.requested,
            case.amount if case.waiting or case.paid else None,
            None if self.graph != "build" else named,
            word if move.get("outcome") else "",
        )


def understood(answer: Json, requested: int) -> bool:
    if not isinstance(answer, dict) or answer.get("decision") not in ("approve", "edit", "reject"):
        return False
    amount = answer.get("amount")
    return answer["decision"] != "edit" or (isinstance(amount, int) and 1 <= amount <= requested)


# ------------------------------------------------------------------------ what was seen


def ledgers(calls: Sequence[Call], moves: int) -> list[list[str]] | None:
    """The calls between the marks, move by move, in words. None where the marks are not those of the act."""
    parts: list[list[str]] = []
    for call in calls:
        if call.tool != "mark":
            if not parts:
                return None
            parts[-1].append(f"{call.tool}({', '.join(map(_word, call.args))})")
        elif call.args == [len(parts)]:
            parts.append([])
        elif not parts or call.args != [len(parts) - 1] or parts[-1]:
            return None
    return parts[:moves] if len(parts) == moves + 1 and not parts[moves] else None


def _word(value: Json) -> str:
    return value if isinstance(value, str) else repr(value)


def moves_of(seen: Saw) -> list[Json]:
    """The facts of all moves, also where a crash lies between them."""
    facts = seen.facts
    halves = [facts["before"], facts["after"]] if "before" in facts and "after" in facts else [facts]
    return [move for half in halves for move in half["moves"]]


def views(inputs: Inputs, seen: Saw) -> list[View]:
    """What was seen, in the form of the model."""
    parts = ledgers(seen.calls, len(inputs["moves"])) or [[] for _ in inputs["moves"]]
    traces: dict[str, list[Json]] = {}
    found = []
    for move, facts, calls in zip(inputs["moves"], moves_of(seen), parts, strict=True):
        if move["do"] == "rebuild":
            found.append(View(calls))
            continue
        values = facts["values"]
        trace = values.get("trace") or []
        grown = grown_by(traces.get(move["thread"], []), trace)
        traces[move["thread"]] = trace
        found.append(
            View(
                calls,
                facts["error"] != "",
                bool(facts["questions"]) if inputs["graph"] == "build_inline" else facts["next"] == ["settle"],
                values.get("decision") or "",
                values.get("paid") or 0,
                values.get("requested"),
                values.get("amount"),
                [name for name in grown if name in NAMED[inputs["graph"]]],
                facts["outcome"],
            )
        )
    return found


def grown_by(before: Sequence[Json], now: Sequence[Json]) -> list[Json]:
    """What a trace gained; where it lost something, that is told in its place."""
    if list(now[: len(before)]) != list(before):
        return ["lost", *before]
    return list(now[len(before) :])
