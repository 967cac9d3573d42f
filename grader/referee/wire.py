"""The referee's end of the wire: strict about every byte, patient until a deadline, never trusting a length.

Whatever breaks a rule here is a `Broken`: the player that sent it is ended, and nothing it said counts.
"""

from __future__ import annotations

import json
import math
import re
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

LARGEST_FRAME = 65_536
"""Bytes of one frame from a player. Its own end keeps answers under 60,000 (grader/player/wire.py)."""

MOST_FRAMES = 5_000
"""Frames that one act may send: its answer and its calls of tools."""

_DEEPEST = 60
_LONGEST_NUMBER = 40
_LENGTH = struct.Struct(">I")
_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]|[0-9.eE+-]+', re.DOTALL)


class Broken(Exception):
    """A frame that breaks a rule of the wire; the text says which."""


class Late(Exception):
    """The deadline passed before the frame was whole."""


class Gone(Exception):
    """The player has closed its end."""


def decode(body: bytes) -> dict[str, Any]:
    """One frame's content as plain JSON. Raises Broken for everything that strict JSON is not."""
    _weigh(body)
    try:
        content = json.loads(
            body.decode("utf-8"), object_pairs_hook=_no_key_twice, parse_constant=_refuse_constant, parse_float=_finite
        )
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except Broken:
        raise
    except (ValueError, RecursionError) as error:
        raise Broken(f"not strict JSON: {type(error).__name__}") from None
    if not isinstance(content, dict):
        raise Broken("not a JSON object")
    return content


def _weigh(body: bytes) -> None:
    """Depth and length of numbers, before the parser sees them."""
    depth = 0
    for found in _TOKENS.finditer(body):
        token = found.group()
        if token in (b"[", b"{"):
            depth += 1
            if depth > _DEEPEST:
                raise Broken("nested too deeply")
        elif token in (b"]", b"}"):
            depth -= 1
        elif token[0] != 0x22 and len(token) > _LONGEST_NUMBER:
            raise Broken("a number too long")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Broken("a key twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise Broken(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Broken("a number too large")
    return value


class Wire:
    """Frames to and from one player. `idle` is called while it waits, to drain what the player prints."""

    def __init__(self, end: socket.socket, wait: Callable[[float], bool]) -> None:
        self._end = end
        self._wait = wait
        self._held = b""

    def send(self, frame: dict[str, Any]) -> None:
        body = json.dumps(frame, ensure_ascii=True).encode()
        try:
            self._end.sendall(_LENGTH.pack(len(body)) + body)
        except OSError:
            raise Gone from None

    def read(self, deadline: float) -> dict[str, Any]:
        """The next frame. Raises Late, Gone or Broken."""
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size, deadline))
        if length > LARGEST_FRAME:
            raise Broken(f"a frame of {length} bytes; {LARGEST_FRAME} are allowed")
        return decode(self._exactly(length, deadline))

    def silent(self) -> bool:
        """Whether nothing has come that was not asked for."""
        if self._held:
            return False
        try:
            return not self._end.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except (BlockingIOError, OSError):
            return True

    def _exactly(self, count: int, deadline: float) -> bytes:
        while len(self._held) < count:
            left = deadline - time.monotonic()
            if left <= 0 or not self._wait(left):
                raise Late
            try:
                part = self._end.recv(65_536)
            except OSError:
                raise Gone from None
            if not part:
                raise Gone
            self._held += part
        taken, self._held = self._held[:count], self._held[count:]
        return taken
