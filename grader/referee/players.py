"""Supply players: one zygote for one worker, started on the first need and replaced when it dies."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from grader.isolation import outer, preflight
from grader.isolation.levels import SEALED
from grader.model import Isolation
from grader.referee.player import Player
from grader.referee.zygote import Zygote, ZygoteLost

_RESTARTS = 2


class Players:
    """Not for sharing between threads: each worker has its own. Walls are the strongest that can be had, up to `highest`."""

    def __init__(self, highest: int = SEALED) -> None:
        self.highest = highest
        self._zygote: Zygote | None = None
        self._abandoned = False
        self._isolation: Isolation | None = None

    def warm(self) -> None:
        """Start the zygote without waiting for it."""
        if self._zygote is None:
            self._isolation = None
            self._zygote = Zygote(outer.best(self.highest))

    @property
    def isolation(self) -> Isolation:
        """What the preflight saw of the walls round these players. Raises ZygoteLost, NoPlayers."""
        if self._isolation is None:
            self.new("agstart").end()
        assert self._isolation is not None
        return self._isolation

    def new(self, lab: str, files: Mapping[str, bytes] | None = None) -> Player:
        """A fresh player, with these files in its scratch folder; before the first one, the preflight.

        Raises ZygoteLost where zygotes die faster than they can be replaced, NoPlayers where the preflight fails.
        """
        for attempt in range(_RESTARTS + 1):
            if self._abandoned:
                raise ZygoteLost("its players were abandoned")
            self.warm()
            assert self._zygote is not None
            try:
                if self._isolation is None:
                    self._isolation = preflight.look(self._zygote, outer.best(self.highest))
                return Player(self._zygote, lab, files)
            except ZygoteLost:
                self.close()
                if attempt == _RESTARTS:
                    raise
        raise AssertionError("unreachable")

    def abandon(self) -> None:
        """End every player at once, and give no more. The one thing that another thread may do."""
        self._abandoned = True
        zygote = self._zygote
        if zygote is not None:
            zygote.hang_up()

    def close(self) -> None:
        zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.close()

    def __enter__(self) -> Players:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
