"""One player as the referee sees it: it is asked, it answers or it does not, and then it is ended."""

from __future__ import annotations

import base64
import secrets
import select
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grader.model import Call, Died, Json, Missing, Observation, Raised, Saw, Tampered, TimedOut, Unwritten
from grader.referee.source import Source
from grader.referee.wire import MOST_FRAMES, Broken, Gone, Late, Wire
from grader.referee.zygote import Ended, Fork, Zygote

LOAD_SECONDS = 8.0
ACT_SECONDS = 4.0
HANGING_UP_SECONDS = 1.0
"""How long a player that closed its line may take to end by itself, before it is said that it did not."""

Tool = Callable[..., Json]


class Player:
    """A fresh process with one submission in it. After an observation that is no answer it is dead: `alive` is False."""

    def __init__(self, zygote: Zygote, lab: str, files: Mapping[str, bytes] | None = None) -> None:
        self._zygote = zygote
        self._lab = lab
        self._fork: Fork = zygote.fork(files)
        self._wire = Wire(self._fork.line, self._wait)
        self._file = ""
        self._gone = False
        self.alive = True

    def load(self, source: Source, module: str) -> Observation:
        """Import the learner's module from its sent bytes."""
        self._file = source.main
        files = {name: base64.b64encode(content).decode() for name, content in source.files.items()}
        return self._put({"do": "load", "module": module, "files": files}, {}, LOAD_SECONDS)

    def act(
        self, name: str, inputs: Mapping[str, Json], names: Sequence[str] = (), tools: Mapping[str, Tool] | None = None
    ) -> Observation:
        """Have the player do one act with these inputs; `tools` are held here and called over the wire."""
        held = tools or {}
        question = {"do": "act", "act": name, "inputs": inputs, "names": list(names), "tools": sorted(held)}
        return self._put(question, held, ACT_SECONDS)

    def predict(self, act: str, inputs: Mapping[str, Json]) -> Observation:
        """The key to a prediction, by a real run of ours; no learner's code takes part."""
        return self._put({"do": "predict", "act": act, "inputs": inputs}, {}, ACT_SECONDS)

    def printed(self) -> tuple[str, int]:
        """What learner code printed since last asked (cut in the middle), and how many bytes it was."""
        return self._fork.output.take()

    def end(self, *, carry: bool = False) -> Ended:
        """Kill the player and everything in its session; `carry` asks for the files that it left."""
        self.alive = False
        return self._zygote.end(self._fork, HANGING_UP_SECONDS if self._gone else 0.0, carry=carry)

    def _put(self, question: dict[str, Any], tools: Mapping[str, Tool], seconds: float) -> Observation:
        nonce = secrets.token_hex(8)
        calls: list[Call] = []
        try:
            if not self._wire.silent():
                raise Broken("something that nobody had asked for")
            self._wire.send(question | {"nonce": nonce, "lab": self._lab})
            answer = self._answer(nonce, tools, calls, time.monotonic() + seconds)
        except Late:
            self.alive = False
            return TimedOut(seconds)
        except Gone:
            self.alive = False
            self._gone = True
            return Died("")
        except Broken as broken:
            self.alive = False
            return Tampered(str(broken))
        return self._observation(answer, calls)

    def _answer(self, nonce: str, tools: Mapping[str, Tool], calls: list[Call], deadline: float) -> dict[str, Any]:
        for _ in range(MOST_FRAMES):
            frame = self._wire.read(deadline)
            if frame.pop("nonce", None) != nonce:
                raise Broken("an answer to another question")
            if "call" not in frame:
                return frame
            receipt = _held(tools, frame)
            calls.append(Call(frame["call"], frame["args"], receipt))
            self._wire.send({"receipt": receipt})
        raise Broken(f"more than {MOST_FRAMES} frames for one question")

    def _observation(self, answer: dict[str, Any], calls: list[Call]) -> Observation:
        match answer:
            case {"saw": dict(facts), **rest} if not rest:
                return Saw(facts, tuple(calls))
            case {"missing": {"name": str(name), "near": list(near)}, **rest} if not rest:
                return Missing(name, self._file, tuple(map(str, near)))
            case {"unwritten": {"name": str(name), "near": list(near)}, **rest} if not rest:
                return Unwritten(name, tuple(map(str, near)))
            case {"exited": str(code), **rest} if not rest:
                self.alive = False
                return Died(f"by calling sys.exit({code})")
            case {"raised": {"type": str(kind), "message": str(text), "frames": list(frames)}, **rest} if not rest:
                return Raised(kind, text, tuple(map(str, frames)), tuple(calls))
            case {"toolarge": str(_), **rest} if not rest:
                return Raised("TooLarge", "What came back was larger than the wire takes (60,000 bytes).", ())
        self.alive = False
        return Tampered("an answer of no known kind")

    def _wait(self, seconds: float) -> bool:
        """Whether the line has something to read within `seconds`; what is printed meanwhile is drained."""
        deadline = time.monotonic() + seconds
        watched: list[Any] = [self._fork.line, self._fork.output.descriptor]
        while (left := deadline - time.monotonic()) > 0:
            ready, _, _ = select.select(watched, [], [], left)
            if self._fork.output.descriptor in ready and not self._fork.output.drain():
                watched.remove(self._fork.output.descriptor)
            if self._fork.line in ready:
                return True
        return False


def _held(tools: Mapping[str, Tool], frame: dict[str, Any]) -> Json:
    name, args = frame.get("call"), frame.get("args")
    if not isinstance(name, str) or name not in tools or not isinstance(args, list):
        raise Broken("a call of a tool that was not given")
    try:
        return tools[name](*args)
    except TypeError:
        raise Broken(f"a call of `{name}` with other arguments than it takes") from None
