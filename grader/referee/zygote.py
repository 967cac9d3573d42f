"""Start zygotes and have them fork players. One zygote serves one worker; a dead one is replaced."""

from __future__ import annotations

import base64
import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.isolation.outer import Walls
from grader.player import control
from grader.referee.output import Output

READY_SECONDS = 120.0
_KEPT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV")


class ZygoteLost(Exception):
    """The zygote ended, so nothing can be said of its players."""


class NoPlayers(Exception):
    """This system has no way to start players; the text says what to do."""


def refuse_without_fork() -> None:
    """Raise NoPlayers where no process can be forked."""
    if not hasattr(os, "fork"):
        raise NoPlayers(
            "Checks run on Linux and macOS, and on Windows inside WSL (the Windows Subsystem for Linux), not on plain "
            "Windows yet. Open the course in WSL and start it there by `python3 start.py lab`."
        )


@dataclass(frozen=True)
class Ended:
    """How a player ended: `alive` when it had to be killed, the exit code (negative: signal), its use of the machine."""

    alive: bool
    code: int
    cpu_seconds: float
    peak_kb: int
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What it left in its scratch folder: plain files, within caps. Only where that was asked for."""


@dataclass(frozen=True)
class Fork:
    """A forked player: its number, our end of its line, and what it prints."""

    number: int
    line: socket.socket
    output: Output


class Zygote:
    """One warm process. Start it early: `__init__` returns at once, `fork` waits until it is ready."""

    def __init__(self, walls: Walls) -> None:
        refuse_without_fork()
        self._control, theirs = socket.socketpair()
        self._numbers = itertools.count()
        self._ready = False
        self._scratch = tempfile.mkdtemp(prefix="players-")
        if walls.plan.become is not None and not walls.plan.outer:
            os.chown(self._scratch, walls.plan.become, walls.plan.become)
        environment = _environment()
        self._process = subprocess.Popen(
            walls.command(str(theirs.fileno()), environment, self._scratch),
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self._scratch,
            env=environment,
            start_new_session=True,
        )
        theirs.close()

    @property
    def pid(self) -> int:
        """The process that was started: the zygote, or the outer wall round it."""
        return self._process.pid

    def fork(self, files: Mapping[str, bytes] | None = None) -> Fork:
        """A new player, in a scratch folder of its own that holds these files. Raises ZygoteLost."""
        self._await_ready()
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        sent = {name: base64.b64encode(content).decode() for name, content in (files or {}).items()}
        try:
            control.send(self._control, {"do": "fork", "id": number, "files": sent}, [theirs.fileno(), writing])
            control.receive(self._control)
        except OSError:
            raise ZygoteLost(self._last_words()) from None
        finally:
            theirs.close()
            os.close(writing)
        return Fork(number, ours, Output(reading))

    def end(self, fork: Fork, patience: float = 0.0, *, carry: bool = False) -> Ended:
        """Kill the player if it still lives, remove its scratch folder, and say how it ended. Raises ZygoteLost.

        `patience` are seconds that a player which has hung up is given to end by itself; `carry` asks for its files.
        """
        asked = {"do": "end", "id": fork.number, "patience": patience, "carry": carry}
        try:
            control.send(self._control, asked)
            told, _ = control.receive(self._control)
        except OSError:
            raise ZygoteLost(self._last_words()) from None
        finally:
            fork.line.close()
            os.close(fork.output.descriptor)
        left = {name: base64.b64decode(content) for name, content in told.pop("files").items()}
        return Ended(**told, files=left)

    def hang_up(self) -> None:
        """Have the zygote end its players and itself, whoever waits for one of them. May be called by another thread."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Hang up: the zygote ends its players and itself."""
        self._control.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr:
            self._process.stderr.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _await_ready(self) -> None:
        if self._ready:
            return
        self._control.settimeout(READY_SECONDS)
        try:
            control.receive(self._control)
        except OSError:
            raise ZygoteLost(self._last_words()) from None
        self._control.settimeout(20)
        self._ready = True

    def _last_words(self) -> str:
        time.sleep(0.05)
        if self._process.poll() is None:
            self._process.kill()
        words = self._process.stderr.read().decode("utf-8", "replace")[-2000:] if self._process.stderr else ""
        return words.strip() or f"it ended with code {self._process.wait()}"


def _environment() -> dict[str, str]:
    """Nothing of the referee's environment but what an interpreter needs; no secret can be inherited."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {
        # Learner code may iterate over a set: with a fixed hash seed the same trials give the same answers.
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        # Without these two a player's memory limit would allow only a dozen threads.
        "MALLOC_ARENA_MAX": "2",
        "LANGSMITH_TRACING": "false",
        "LANGCHAIN_TRACING_V2": "false",
    }
