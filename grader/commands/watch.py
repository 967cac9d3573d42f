"""`watch`: check a lab whenever one of its files is saved. Looks at saved times, so it works in containers too."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from grader import catalog
from grader.notebook.checking import check
from grader.workspace import Workspace

LOOK_EVERY = 0.5
"""Seconds between two looks at the saved times."""


def watch(name: str, say: Callable[[str], None], *, rounds: int | None = None) -> None:
    """Check `name` now and after each save, until Ctrl-C, or for so many `rounds` of checking."""
    folder = Workspace.here().file(catalog.lab_of(name)).parent
    seen: dict[str, float] = {}
    done = 0
    try:
        while rounds is None or done < rounds:
            now = {str(file): file.stat().st_mtime for file in folder.glob("*.py") if file.is_file()}
            if now != seen:
                seen = now
                say(f"\n{'-' * 78}\n{check(name)!r}\n\nWaiting for the next save; Ctrl-C ends it.")
                done += 1
            sleep(LOOK_EVERY)
    except KeyboardInterrupt:
        say("\nStopped watching.")
