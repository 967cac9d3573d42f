"""What the verbs of one kernel or one command share: warm players, and the rule that a verb answers and never raises."""

from __future__ import annotations

import atexit
import functools
import traceback
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from grader.catalog import UnknownName
from grader.notebook.shown import Told
from grader.referee.players import Players
from grader.referee.source import NoSource
from grader.referee.zygote import NoPlayers
from grader.render.panel import Line, Panel
from grader.workspace import NoWorkspace

P = ParamSpec("P")
R = TypeVar("R")

TROUBLE = "#d64545"


@functools.cache
def players() -> Players:
    """The players of this process. Asked for early, their zygote starts while a learner still reads."""
    made = Players()
    atexit.register(made.close)
    return made


def warm() -> None:
    """Begin to start the zygote; costs the caller nothing to wait for."""
    try:
        players().warm()
    except (OSError, NoPlayers):
        return  # The first check will say what is wrong.


def answering(verb: Callable[P, R]) -> Callable[P, R | Told]:
    """A verb that tells what went wrong instead of raising, so that Run All goes on. Ctrl-C still stops it."""

    @functools.wraps(verb)
    def answered(*args: P.args, **kwargs: P.kwargs) -> R | Told:
        try:
            return verb(*args, **kwargs)
        except (UnknownName, NoSource, NoWorkspace, NoPlayers) as told:
            return Told(Panel(str(told), accent=TROUBLE))
        except KeyboardInterrupt:
            # A question may be half asked: the next check starts with fresh players.
            players().close()
            raise
        except Exception:  # noqa: BLE001 - a fault of ours is told, and counts against nobody
            return Told(Panel(f"grader fault: {verb.__name__} failed, and it is not your doing.", _lines(), TROUBLE))

    return answered


def _lines() -> list[Line]:
    return [
        Line("", "Send your instructor the lines below."),
        Line("", traceback.format_exc(limit=-6), code=True),
    ]
