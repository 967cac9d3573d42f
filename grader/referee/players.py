"""Supply players: one zygote for one worker, started on the first need and replaced when it dies."""

from __future__ import annotations

from types import TracebackType

from grader.referee.player import Player
from grader.referee.zygote import Zygote, ZygoteLost

_RESTARTS = 2


class Players:
    """Not for sharing between threads: each worker has its own."""

    def __init__(self) -> None:
        self._zygote: Zygote | None = None
        self._abandoned = False

    def warm(self) -> None:
        """Start the zygote without waiting for it."""
        if self._zygote is None:
            self._zygote = Zygote()

    def new(self, lab: str) -> Player:
        """A fresh player. Raises ZygoteLost where zygotes die faster than they can be replaced."""
        for attempt in range(_RESTARTS + 1):
            if self._abandoned:
                raise ZygoteLost("its players were abandoned")
            self.warm()
            assert self._zygote is not None
            try:
                return Player(self._zygote, lab)
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
