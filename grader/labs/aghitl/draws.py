"""The inputs of lab 2's trials: edges first (one below, at and above the threshold), then sizes that grow."""

from __future__ import annotations

from collections.abc import Sequence

from grader.draw import Luck
from grader.labs.aghitl.desk import Desk
from grader.model import Inputs, Json


def policies(luck: Luck) -> Sequence[Inputs]:
    """Around three thresholds, 1 among them; `amount` is absent, or says the opposite of `requested`."""
    trials = []
    for limit in (luck.whole(1_000, 90_000), 1, luck.whole(110_000, 900_000)):
        asked: list[Json] = []
        for requested in (limit, limit + 1, max(1, limit - 1), 1, limit * 2 + luck.whole(1, 99)):
            asked.append([limit, {"case_id": luck.token(), "requested": requested}])
            other = limit + 1 if requested <= limit else limit
            asked.append([limit, {"case_id": luck.token(), "requested": requested, "amount": other}])
        trials.append({"asked": asked})
    limits = [luck.whole(1_000, 90_000), luck.whole(110_000, 900_000)]
    trials.append({"asked": [[limit, {"case_id": luck.token(), "requested": 100_000}] for limit in limits]})
    return trials


def branches(luck: Luck) -> Sequence[Inputs]:
    """One below, at and above the threshold, the smallest request, and runs one after another on one thread."""
    trials = []
    for limit in (None, 1, luck.whole(110_000, 900_000)):
        desk = Desk(luck, "build", limit)
        for thread, requested in enumerate((desk.limit, desk.limit + 1, max(1, desk.limit - 1), 1)):
            desk.run(thread, requested)
        desk.rebuild()
        desk.run(0, luck.whole(1, desk.limit))
        trials.append(desk.trial())
    return trials


def silences(luck: Luck) -> Sequence[Inputs]:
    """The accident, small and large; then `build`, waiting, finished and never run."""
    silent = Desk(luck, "build_silent")
    silent.run(0, silent.limit + 1, outcome=True)
    silent.run(0, silent.limit, outcome=True)
    silent.rebuild()
    silent.large(0, outcome=True)
    built = Desk(luck, "build")
    built.look(3, outcome=True)
    built.large(0, outcome=True)
    built.run(1, built.limit, outcome=True)
    built.look(0, outcome=True)
    return [silent.trial(), built.trial()]


def refusals(graph: str) -> list[Inputs]:
    return [{"graph": graph}]


def stops(luck: Luck) -> Sequence[Inputs]:
    """One case that waits; two threads side by side; a rebuilt graph; a large request after one that was paid."""
    alone = Desk(luck, "build")
    alone.run(0, alone.limit + 1)
    alone.rebuild()
    alone.look(0)
    beside = Desk(luck, "build")
    beside.large(0)
    beside.run(1, beside.limit)
    beside.large(2)
    beside.look(0)
    again = Desk(luck, "build")
    again.run(0, again.limit)
    again.large(0)
    again.rebuild()
    again.look(0)
    return [alone.trial(), beside.trial(), again.trial()]


def resumes(luck: Luck) -> Sequence[Inputs]:
    """Approved once; approved twice; unknown and finished threads; rebuilt; a larger request after an approved one."""
    once = Desk(luck, "build")
    once.run(0, once.limit + 1)
    once.large(1)
    once.approve(0)
    once.approve(0)
    once.rebuild()
    once.approve(1)
    lost = Desk(luck, "build")
    lost.approve(3)
    lost.run(1, lost.limit)
    lost.approve(1)
    twice = Desk(luck, "build")
    amount = twice.large(0)
    twice.approve(0)
    twice.run(0, amount + luck.whole(1, 999))
    twice.rebuild()
    twice.look(0)
    twice.approve(0)
    return [once.trial(), lost.trial(), twice.trial()]


def edits(luck: Luck) -> Sequence[Inputs]:
    """To exactly the request and less; refused: 0, below, one above; unknown, finished and decided threads."""
    plain = Desk(luck, "build")
    first, second = plain.large(0), plain.large(1)
    plain.edit(0, luck.whole(plain.limit + 1, first - 1))
    plain.edit(1, second)
    plain.edit(1, 1)
    refused = Desk(luck, "build")
    amount = refused.large(0)
    for wrong in (amount + 1, 0, -luck.whole(1, 999)):
        refused.edit(0, wrong)
    refused.rebuild()
    refused.edit(0, luck.whole(refused.limit + 1, amount))
    again = Desk(luck, "build")
    for _ in range(2):
        amount = again.large(0)
        again.edit(0, luck.whole(again.limit + 1, amount - 1))
    lost = Desk(luck, "build")
    lost.edit(3, 1)
    lost.run(1, lost.limit)
    lost.edit(1, 1)
    return [plain.trial(), refused.trial(), again.trial(), lost.trial()]


def holds(luck: Luck) -> Sequence[Inputs]:
    """Edits to 1, below and at the threshold; a policy that was raised, or lowered, while cases wait."""
    low = Desk(luck, "build")
    for thread, amount in enumerate((1, low.limit, luck.whole(1, low.limit - 1))):
        low.large(thread)
        low.edit(thread, amount)
    raised = Desk(luck, "build")
    amounts = [raised.large(thread) for thread in range(2)]
    high = max(amounts) + luck.whole(0, 99)
    raised.approve(0, threshold=high)
    raised.edit(1, luck.whole(1, amounts[1]), threshold=high)
    lowered = Desk(luck, "build")
    lowered.large(0)
    lowered.rebuild()
    lowered.approve(0, threshold=1)
    return [low.trial(), raised.trial(), lowered.trial()]


def rejects(luck: Luck) -> Sequence[Inputs]:
    """Rejected, then nothing waits; beside and after approved cases; a raised limit; unknown and finished threads."""
    once = Desk(luck, "build")
    once.run(0, once.limit + 1)
    once.reject(0)
    once.look(0, outcome=True)
    once.reject(0)
    mixed = Desk(luck, "build")
    for decide in luck.shuffled([mixed.reject, mixed.approve, mixed.reject]):
        mixed.large(0)
        decide(0)
        mixed.rebuild()
    beside = Desk(luck, "build")
    beside.large(0)
    beside.large(1)
    beside.reject(1)
    beside.look(0)
    raised = Desk(luck, "build")
    amount = raised.large(0)
    raised.reject(0, threshold=amount + luck.whole(0, 99))
    lost = Desk(luck, "build")
    lost.reject(3)
    lost.run(1, lost.limit)
    lost.reject(1)
    return [once.trial(), mixed.trial(), beside.trial(), raised.trial(), lost.trial()]


def inlines(luck: Luck) -> Sequence[Inputs]:
    """Every answer of the table; two threads; a second, larger request; rebuilt while a case waits."""
    plain = Desk(luck, "build_inline")
    plain.run(0, plain.limit + 1, outcome=True)
    plain.look(3, outcome=True)
    plain.run(1, plain.limit, outcome=True)
    plain.answer(0, {"decision": "approve"}, outcome=True)
    amount = plain.large(0)
    plain.rebuild()
    plain.answer(0, luck.pick([{"decision": "reject"}, {"decision": "reject", "reason": luck.word()}]))
    edited = Desk(luck, "build_inline")
    amounts = [edited.large(thread) for thread in range(3)]
    edited.answer(0, {"decision": "edit", "amount": 1})
    edited.answer(1, {"decision": "edit", "amount": amounts[1]})
    edited.answer(2, {"decision": "reject"})
    unclear = Desk(luck, "build_inline")
    amount = unclear.large(0)
    for answer in luck.shuffled(_unclear(luck, amount))[:4]:
        unclear.answer(0, answer)
    unclear.answer(0, {"decision": "edit", "amount": luck.whole(1, unclear.limit)})
    rest = Desk(luck, "build_inline")
    amount = rest.large(0)
    for edit in (amount + 1, 0, -luck.whole(1, 99)):
        rest.answer(0, {"decision": "edit", "amount": edit})
    rest.answer(0, "approve")
    rest.answer(0, {"decision": "approve"})
    again = Desk(luck, "build_inline")
    for word in luck.shuffled(["approve", "reject", "approve"]):
        again.large(0)
        again.answer(0, {"decision": word})
    return [plain.trial(), edited.trial(), unclear.trial(), rest.trial(), again.trial()]


def _unclear(luck: Luck, amount: int) -> list[Json]:
    return [
        luck.word(),
        {"decision": "Approve"},
        {"decision": "auto"},
        {"decision": luck.word()},
        {"reason": luck.word()},
        {"decision": "edit"},
        {"decision": "edit", "amount": str(amount)},
        {"decision": "edit", "amount": luck.whole(1, amount - 1) + 0.5},
        [luck.word()],
    ]


def counters(luck: Luck) -> Sequence[Inputs]:
    """One question, two, three, a handful; two threads; answers of several types, none of them empty."""
    trials = []
    for count in (1, 2, luck.whole(3, 5)):
        threads = [
            [name, [luck.pick([luck.word(), luck.whole(1, 999)]) for _ in range(count)]] for name in luck.words(2)
        ]
        trials.append({"questions": [f"{word}?" for word in luck.words(count)], "threads": threads})
    return trials


def records(luck: Luck) -> Sequence[Inputs]:
    """All four decisions in both graphs; an edit to exactly the request has changed nothing."""
    trials = []
    for graph in ("build", "build_inline"):
        desk = Desk(luck, graph)
        desk.run(4, luck.whole(1, desk.limit))
        amounts = [desk.large(thread) for thread in range(4)]
        decisions: list[Json] = [
            {"decision": "approve"},
            {"decision": "edit", "amount": luck.whole(1, amounts[1] - 1)},
            {"decision": "edit", "amount": amounts[2]},
            {"decision": "reject"},
        ]
        for thread, answer in enumerate(decisions):
            if graph == "build_inline":
                desk.answer(thread, answer)
            elif answer["decision"] == "edit":
                desk.edit(thread, answer["amount"])
            else:
                desk.decide(answer["decision"], thread)
        trials.append(desk.trial())
    return trials


def restarts(luck: Luck) -> Sequence[Inputs]:
    """A case that waits on disk, decided after the crash: approved, or edited; decided twice."""
    trials = []
    for decision in ("approve", "edit"):
        desk = Desk(luck, "build")
        amount = desk.large(0)
        desk.run(1, desk.limit)
        crash = len(desk.moves)
        if decision == "edit":
            desk.edit(0, luck.whole(1, amount - 1))
        else:
            desk.approve(0)
        desk.approve(0)
        trials.append(desk.trial(crash=crash))
    return trials
