"""Draws the moves of one trial, one after another. Knows nothing of what is right."""

from __future__ import annotations

from grader.draw import Luck
from grader.model import Inputs, Json


class Desk:
    """Draws the moves of one trial: every case id, thread and amount anew."""

    def __init__(self, luck: Luck, graph: str, limit: int | None = None) -> None:
        self.luck = luck
        self.graph = graph
        self.limit = luck.whole(2_000, 90_000) if limit is None else limit
        self.moves: list[dict[str, Json]] = []
        self.names = luck.words(6)

    def run(self, thread: int, requested: int, **more: Json) -> None:
        self._add("run", thread, case_id=self.luck.token(), requested=requested, **more)

    def large(self, thread: int, **more: Json) -> int:
        """A request of at least one and a half thresholds; gives its amount."""
        amount = self.luck.whole(self.limit * 3 // 2 + 3, self.limit * 3 + 9)
        self.run(thread, amount, **more)
        return amount

    def decide(self, word: str, thread: int) -> None:
        self._add(word, thread)

    def approve(self, thread: int, **more: Json) -> None:
        self._add("approve", thread, **more)

    def edit(self, thread: int, amount: int, **more: Json) -> None:
        self._add("edit", thread, amount=amount, **more)

    def reject(self, thread: int, **more: Json) -> None:
        self._add("reject", thread, **more)

    def answer(self, thread: int, answer: Json, **more: Json) -> None:
        self._add("answer", thread, answer=answer, **more)

    def look(self, thread: int, **more: Json) -> None:
        self._add("look", thread, **more)

    def rebuild(self) -> None:
        self.moves.append({"do": "rebuild", "threshold": self.limit})

    def trial(self, **more: Json) -> Inputs:
        return {"graph": self.graph, "moves": self.moves, **more}

    def _add(self, do: str, thread: int, **more: Json) -> None:
        self.moves.append({"do": do, "thread": self.names[thread], "threshold": self.limit} | more)
