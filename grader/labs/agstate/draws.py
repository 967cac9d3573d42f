"""The inputs of lab 1's trials: edges first and always, then sizes that grow, so that the first failure is a small one."""

from __future__ import annotations

from collections.abc import Sequence

from grader.draw import Luck
from grader.model import Inputs, Json

RESERVED = frozenset({"trace", "sources", "notes", "memo", "answer", "question"})


def names(luck: Luck) -> Sequence[Inputs]:
    """Chains of 1, 2, 3 and 6 nodes whose alphabetical order is not their order."""
    return [{"names": luck.words(count), "start": luck.words(luck.whole(0, 2))} for count in (1, 2, 3, 6)]


def merge_lists(luck: Luck, key: str, reducer: str, windows: bool) -> Sequence[Inputs]:
    """Pairs for a list reducer: None and [] on either side, duplicates, falsy and unhashable items, growing lists."""
    a, b, c, d, e = luck.words(5)
    nothings: list[Json] = [0, "", None, [], {}]
    falsy = luck.shuffled(nothings)[:3]
    pairs: list[tuple[Json, Json]] = [
        (None, None),
        (None, [a]),
        ([a], None),
        ([], []),
        ([a], []),
        ([], [b, a]),
        ([a, b], [b, c]),
        ([], luck.shuffled([a, b, a, b])),
        ([c], luck.shuffled([d, d, e])),
        ([falsy[0]], [falsy[1], a, falsy[2], falsy[0]]),
        ([{"id": a}], [{"id": b}, {"id": a}, [c], [c]]),
        (luck.words(5), luck.words(7)),
    ]
    if not windows:
        return [{"key": key, "reducer": reducer, "old": old, "new": new} for old, new in pairs]
    sizes = [3, 1, 2, 4, 1, 0, 0, 1, 2, 3, luck.whole(4, 6), 30]
    return [
        {"key": key, "reducer": reducer, "old": old, "new": new, "window": size}
        for (old, new), size in zip(pairs, sizes, strict=True)
    ] + [
        {"key": key, "reducer": reducer, "old": luck.words(2), "new": luck.words(9), "window": luck.whole(4, 8)},
        # A little larger than what there is: a start that is counted without a floor is negative here, and cuts.
        {"key": key, "reducer": reducer, "old": luck.words(2), "new": [luck.word()], "window": luck.whole(4, 5)},
    ]


def merge_numbers(luck: Luck, key: str, reducer: str) -> Sequence[Inputs]:
    """Pairs for keep-max: None, equal, rising, falling, negative only, and zero on the left of a negative."""
    low, high = luck.fraction(0.1, 0.4), luck.fraction(0.5, 0.9)
    deep, less = luck.fraction(-0.9, -0.5), luck.fraction(-0.4, -0.1)
    pairs: list[tuple[Json, Json]] = [
        (None, None),
        (None, high),
        (None, deep),
        (low, None),
        (deep, None),
        (high, high),
        (low, high),
        (high, low),
        (deep, less),
        (less, deep),
        (0.0, deep),
    ]
    return [{"key": key, "reducer": reducer, "old": old, "new": new} for old, new in pairs]


def _flow(
    luck: Luck, key: str, writes: Sequence[Sequence[Json]], start: Json, branch: bool, window: int | None
) -> Inputs:
    """Groups of writers, one group a superstep; node names are drawn, and never the name of a key."""
    drawn = iter([word for word in luck.words(sum(map(len, writes)) + 6) if word not in RESERVED])
    groups = [{next(drawn): value for value in group} for group in writes]
    return {"key": key, "groups": groups, "start": start, "branch": branch, "window": window}


def append_flows(luck: Luck) -> Sequence[Inputs]:
    """One node, a chain with a branch, two and three nodes in one superstep, a longer mix."""
    item = luck.token
    return [
        _flow(luck, "trace", [[[item()]]], [item()], False, None),
        _flow(luck, "trace", [[[item()]], [[item()]], [[item(), item()]]], [item()], False, None),
        _flow(luck, "trace", [[[item()]], [[item()]]], None, True, None),
        _flow(luck, "trace", [[[item()], [item()]]], [item()], False, None),
        _flow(luck, "trace", [[[item()]], [[item()], [item()], None], [[item()]]], [], False, None),
    ]


def dedupe_flows(luck: Luck) -> Sequence[Inputs]:
    """A first write that holds duplicates, repeats over supersteps, a branch behind the writer, unhashable items."""
    a, b, c, d = luck.words(4)
    return [
        _flow(luck, "sources", [[[b, a, b]]], None, False, None),
        _flow(luck, "sources", [[[b]], [[a, b]], [[c, a]]], [d], False, None),
        _flow(luck, "sources", [[[a]], [[b]]], None, True, None),
        _flow(luck, "sources", [[[{"id": a}]], [[{"id": b}, {"id": a}]]], [], False, None),
        _flow(luck, "sources", [[luck.shuffled([a, b, c, d, ""])], [luck.shuffled([d, c, 0, ""])]], None, True, None),
    ]


def maximum_flows(luck: Luck) -> Sequence[Inputs]:
    """A single write (also a negative one), rising, falling, negative only, two in one superstep."""
    low, high = luck.fraction(0.1, 0.4), luck.fraction(0.5, 0.9)
    deep, less = luck.fraction(-0.9, -0.5), luck.fraction(-0.4, -0.1)
    return [
        _flow(luck, "best_score", [[high]], None, False, None),
        _flow(luck, "best_score", [[deep]], None, False, None),
        _flow(luck, "best_score", [[deep], [less], [deep]], None, False, None),
        _flow(luck, "best_score", [[low], [high], [low]], luck.fraction(0.0, 0.05), True, None),
        _flow(luck, "best_score", [[high, low, None], [low]], deep, False, None),
    ]


def window_flows(luck: Luck) -> Sequence[Inputs]:
    """Windows of 0, 1, n and more than there is: one long update, many short ones, a branch behind the writer."""
    item = luck.word
    many = [[[item()]] for _ in range(6)]
    return [
        _flow(luck, "notes", [[[item(), item()]]], None, False, 0),
        _flow(luck, "notes", many[:3], [item()], False, 1),
        _flow(luck, "notes", [[luck.words(7)]], None, False, luck.whole(2, 5)),
        _flow(luck, "notes", many, luck.words(2), False, luck.whole(2, 4)),
        _flow(luck, "notes", [[[item()]], [[item()]]], [item()], True, luck.whole(20, 30)),
    ]


def budget_flows(luck: Luck) -> Sequence[Inputs]:
    """One increment, a chain, a fan-out of two to four in one superstep, a mix."""

    def calls() -> int:
        return luck.whole(1, 9)

    fan = [calls() for _ in range(luck.whole(2, 4))]
    return [
        _flow(luck, "used_calls", [[calls()]], None, False, None),
        _flow(luck, "used_calls", [[calls()], [calls()], [calls()]], None, True, None),
        _flow(luck, "used_calls", [fan], None, False, None),
        _flow(luck, "used_calls", [[calls()], [calls(), calls(), None], [calls()]], calls(), False, None),
    ]


def builds(luck: Luck) -> Sequence[Inputs]:
    """One node; a chain; empty values over full ones; a caller who sends internal keys; two runs on one thread."""
    trials = []
    for count, injects in ((1, False), (3, False), (3, True), (luck.whole(4, 6), True)):
        order = luck.words(count)
        nodes = [(name, _update(luck, name, place)) for place, name in enumerate(order)]
        if count > 3:
            nodes[1][1]["memo"], nodes[2][1]["answer"] = luck.pick(["", None, 0]), ""
        nodes[-1][1]["answer"] = luck.token()
        token = luck.token() if injects else ""
        sent = [{"question": luck.token(), "doc_ref": luck.token()} for _ in range(2)]
        if injects:
            sent = [each | _injected(token) for each in sent]
        trials.append({"nodes": [list(pair) for pair in nodes], "sent": sent, "injected": token})
    return trials


def _update(luck: Luck, name: str, place: int) -> dict[str, Json]:
    """Every node writes something; list keys are written by some nodes only (a node that returns the state doubles them)."""
    update: dict[str, Json] = {"used_calls": 1}
    if place % 2 == 0:
        update |= {"trace": [name], "memo": luck.token(), "notes": [luck.word()]}
    else:
        update |= {"answer": luck.token(), "sources": [luck.word()]}
    return update


def _injected(token: str) -> dict[str, Json]:
    return {"memo": token, "trace": [token], "notes": [token], "answer": token, "sources": [token]}


def growths(luck: Luck) -> Sequence[Inputs]:
    """A thread that never ran, one run, several runs, and two threads in one saver that must not mix."""
    trials = []
    for count, plan in ((1, [0]), (1, [1]), (3, [1]), (luck.whole(2, 4), [2, 0, 1])):
        keys = luck.words(2)
        order = luck.words(count)
        nodes = [[name, luck.text(luck.whole(5, 60)), luck.text(luck.whole(1, 400))] for name in order]
        threads = [[luck.word(), [luck.text(luck.whole(5, 90)) for _ in range(runs)]] for runs in plan]
        trials.append({"keys": keys, "nodes": nodes, "threads": threads})
    return trials


def pointers(luck: Luck) -> Sequence[Inputs]:
    """One text; the same text twice; texts of mixed scripts and growing length."""
    short, long = luck.text(40), luck.text(luck.whole(600, 2_000))
    plans = [[short], [short, short], [luck.text(120), long, long]]
    return [
        {"submitted": [[luck.token(), text] for text in plan], "node": luck.word(), "tail": luck.whole(5, 12)}
        for plan in plans
    ]


def decision_writes(luck: Luck) -> Sequence[Inputs]:
    """Three writes to every key from which each of the six rules makes another value."""
    trials = []
    for _ in range(2):
        writes: dict[str, Json] = {
            key: [luck.token() for _ in range(3)] for key in ("question", "answer", "memo", "doc_ref")
        }
        for key in ("trace", "sources", "notes"):
            a, b, c = luck.words(3)
            writes[key] = [[a], [b, a], [c]]
        low, high, last = luck.whole(2, 4), luck.whole(6, 9), 5
        writes["best_score"] = [low + 0.5, high + 0.5, last + 0.5]
        writes["used_calls"] = [low, high, last]
        trials.append({"writes": writes, "window": 2})
    return trials
