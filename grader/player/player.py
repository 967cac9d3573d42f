"""One player: loads what it was sent, answers acts over its line, and ends when the referee hangs up.

It only observes. It knows no expected value, writes no report, and trusts nothing that learner code left behind.
"""

from __future__ import annotations

import base64
import os
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from types import ModuleType, TracebackType
from typing import Any

from grader.player import modules
from grader.player.learner import Learner, NameIsMissing, NotWritten
from grader.player.wire import Hangup, Line, plain

Acts = Mapping[str, ModuleType]
"""`agstate/acts` or `agstate/predict_acts` to the module, imported before the fork."""


class Tools:
    """Tools that the referee holds. `tools.pay("c1", 5)` is a call over the wire; its value is the referee's receipt."""

    def __init__(self, line: Line, names: list[str]) -> None:
        self._line = line
        self._names = names

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__") or name not in self._names:
            raise AttributeError(name)
        return lambda *args: self._line.call(name, *args)


def play(end: socket.socket, acts: Acts) -> None:
    """Be a player until the line ends. Called in a fresh process; never returns to the zygote's loop."""
    line = Line(end)
    learner: Learner | None = None
    files: Mapping[str, bytes] = {}
    while True:
        try:
            question = line.read()
        except (Hangup, OSError):
            return
        line.nonce = question["nonce"]
        if question["do"] == "load":
            files = {name: base64.b64decode(body) for name, body in question["files"].items()}
            learner = _load(line, question, files)
        elif question["do"] == "predict":
            predict = getattr(acts[f"{question['lab']}/predict_acts"], question["act"])
            _answer(line, {}, lambda: {"answer": predict(question["inputs"])})  # noqa: B023 - called at once
        else:
            _act(line, question, learner, acts[f"{question['lab']}/acts"], files)


def settle(output: int, scratch: str) -> None:
    """Standard streams: nothing to read, and a capped pipe for what learner code prints. Scratch is the folder."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(nothing)
    os.close(output)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - lives as long as the process
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    os.chdir(scratch)
    os.environ.update(HOME=scratch, TMPDIR=scratch)


def _load(line: Line, question: Mapping[str, Any], files: Mapping[str, bytes]) -> Learner | None:
    modules.install(files, question["lab"])
    learner: list[Learner] = []

    def load() -> dict[str, Any]:
        learner.append(Learner(question["module"]))
        return {}

    _answer(line, files, load)
    return learner[0] if learner else None


def _act(
    line: Line, question: Mapping[str, Any], learner: Learner | None, acts: ModuleType, files: Mapping[str, bytes]
) -> None:
    act = getattr(acts, question["act"])
    tools = Tools(line, question["tools"])

    def run() -> Any:
        if learner is not None:
            for name in question["names"]:
                learner.get(name)
        return act(learner, question["inputs"], tools)

    _answer(line, files, run)


def _answer(line: Line, files: Mapping[str, bytes], run: Callable[[], Any]) -> None:
    """Run and reply with one of: saw, missing, unwritten, exited, raised."""
    try:
        content = plain(run())
    except Hangup:
        os._exit(0)
    except NameIsMissing as missing:
        line.reply("missing", {"name": missing.name, "near": plain(missing.near)})
    except (NotWritten, NotImplementedError) as gap:
        line.reply("unwritten", {"name": plain(_text(gap)), "near": plain(getattr(gap, "near", []))})
    except SystemExit as ended:
        line.reply("exited", plain(_text(ended)))
    except BaseException as error:  # noqa: BLE001 - whatever learner code raises is an observation
        line.reply("raised", _described(error, files))
    else:
        line.reply("saw", content)


def _described(error: BaseException, files: Mapping[str, bytes]) -> dict[str, Any]:
    if isinstance(error, SyntaxError) and error.filename in files:
        frames = [f"{error.filename}:{error.lineno}: {(error.text or '').strip()}"]
    else:
        frames = _frames(error.__traceback__, files)
    described = {"type": type(error).__name__, "message": _text(error)[:2000], "frames": frames}
    error.__traceback__ = None  # Lets go of the frames, and of the memory that they hold.
    return {key: plain(value) for key, value in described.items()}


def _frames(trace: TracebackType | None, files: Mapping[str, bytes]) -> list[str]:
    """Only the learner's own lines: the frames of langgraph and of the grader say nothing to a learner."""
    found = []
    for frame in traceback.extract_tb(trace):
        if frame.filename in files:
            source = files[frame.filename].decode("utf-8", "replace").splitlines()
            line = source[frame.lineno - 1].strip() if frame.lineno and frame.lineno <= len(source) else ""
            found.append(f"{frame.filename}:{frame.lineno} in {frame.name}: {line}"[:300])
    return found[-6:]


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # noqa: BLE001 - a learner's __str__ may raise anything, also SystemExit
        return "(its message could not be read)"
