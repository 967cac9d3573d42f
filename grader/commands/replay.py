"""`replay`: a finding once more, exactly, and whether it came again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from grader.replay import CannotReplay, replay


def replay_and_tell(
    report: Path, step: str, submissions: Path | None, say: Callable[[str], None], stop: Callable[[str], NoReturn]
) -> int:
    """Repeat and tell; 0 where the same came again, 1 where something else did."""
    try:
        again = replay(report, step, submissions)
    except CannotReplay as told:
        stop(str(told))
    say(again.text)
    return 0 if again.same else 1
