"""Seeded luck: every input of every trial comes from here, so that one seed repeats a check exactly.

Nothing here depends on the platform, the hash seed or the order in which steps are checked.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from typing import TypeVar

from grader.model import Probe, Step, Trial

T = TypeVar("T")

_HEADS = ("al", "bre", "co", "dun", "el", "fen", "gar", "hol", "is", "jun", "kel", "lor", "mi", "nor", "os", "pra")
_TAILS = ("den", "fir", "ga", "hem", "lin", "mor", "na", "pel", "rik", "sto", "tan", "vil", "wyn", "zor")
_PROSE = ("오류", "보고", "refund", "ticket", "서버", "timeout", "입력", "customer", "日誌", "latency", "café", "naïve")


class Luck:
    """A stream of drawn values. Two streams with one label give the same values, on every machine."""

    def __init__(self, label: str) -> None:
        self._random = random.Random(label)

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return self._random.randint(low, high)

    def fraction(self, low: float, high: float) -> float:
        """A number with three decimals from `low` to `high`."""
        return round(self._random.uniform(low, high), 3)

    def pick(self, options: Sequence[T]) -> T:
        return self._random.choice(options)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self._random.sample(list(items), len(items))

    def word(self) -> str:
        """A made-up word, letters only, different from every state key and Python keyword."""
        return self.pick(_HEADS) + self.pick(_TAILS) + self.pick(_TAILS) + self._random.choice("bcdfgklmnprst")

    def words(self, count: int) -> list[str]:
        """`count` different words whose alphabetical order is not their order (from two words on)."""
        found: list[str] = []
        while len(found) < count:
            word = self.word()
            if word not in found:
                found.append(word)
        while count > 1 and found == sorted(found):
            found = self.shuffled(found)
        return found

    def token(self) -> str:
        """A long unique text that nothing else can hold by accident."""
        return f"{self.word()}-{self._random.getrandbits(48):012x}"

    def text(self, length: int) -> str:
        """About `length` characters of mixed scripts, opening with a token, so that it is unique."""
        parts = [self.token()]
        while sum(map(len, parts)) + len(parts) < length:
            parts.append(self.pick(_PROSE))
        return " ".join(parts)


def new_seed() -> str:
    """A seed for a check that was given none: five digits, short enough to say aloud."""
    return str(secrets.randbelow(90_000) + 10_000)


def trials_of(step: Step, seed: str) -> list[tuple[Probe, Trial]]:
    """All trials of a step under a seed. The same step and seed give the same trials, whatever else is checked."""
    drawn: list[tuple[Probe, Trial]] = []
    for probe in step.probes:
        for inputs in probe.draw(Luck(f"{seed}/{step.id}/{probe.name}")):
            drawn.append((probe, Trial(probe.name, inputs, probe.tried(inputs))))
    return drawn
