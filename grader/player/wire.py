"""The player's end of the wire: frames of JSON, and values made plain before they leave.

A frame is four bytes of length (big endian), then that many bytes of UTF-8 JSON. No learner object ever crosses.
"""

from __future__ import annotations

import json
import math
import re
import socket
import struct
import threading
from collections.abc import Mapping
from typing import Any

LARGEST = 60_000
"""Bytes that one answer may take. The referee refuses more (grader/referee/wire.py)."""

_ADDRESS = re.compile(r" (?:at|@) 0x[0-9a-fA-F]+")
_LENGTH = struct.Struct(">I")
_LONGEST_TEXT = 20_000
_DEEPEST = 40
_LARGEST_INT = 2**63


class Hangup(Exception):
    """The referee has closed the line: there is nothing left to do but to end."""


def plain(value: Any, depth: int = 0) -> Any:
    """`value` as plain JSON; whatever is not plain becomes `{"$type": name, "text": short repr}` and equals nothing."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return _clean(value)
    if kind is int and -_LARGEST_INT <= value < _LARGEST_INT:
        return value
    if kind is float and math.isfinite(value):
        return value
    if depth < _DEEPEST:
        if kind is list:
            return [plain(item, depth + 1) for item in value]
        # A subclass of dict is let through: langgraph has returned one as a run's result.
        if isinstance(value, dict) and all(type(key) is str for key in value):
            return {_clean(key): plain(item, depth + 1) for key, item in dict.items(value)}
    return {"$type": _clean(kind.__name__), "text": _clean(short(value))}


def short(value: Any, limit: int = 200) -> str:
    """The repr of a learner's value, at most `limit` characters; a repr that fails says so instead of raising.

    Without addresses in memory, which differ from run to run.
    """
    try:
        text = _ADDRESS.sub("", str(repr(value)))
    except BaseException:  # noqa: BLE001 - a learner's __repr__ may raise anything, also SystemExit
        return f"<{type(value).__name__} whose repr failed>"
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text) - limit} more characters)"


def _clean(text: str) -> str:
    text = str.encode(text, "utf-8", "backslashreplace").decode("utf-8")
    if len(text) > _LONGEST_TEXT:
        return f"{text[:_LONGEST_TEXT]}... ({len(text) - _LONGEST_TEXT} more characters)"
    return text


class Line:
    """The one descriptor that joins a player to its referee. Threads may call tools; calls wait for one another."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._lock = threading.Lock()
        self.nonce = ""

    def read(self) -> Mapping[str, Any]:
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        frame: Mapping[str, Any] = json.loads(self._exactly(length))
        return frame

    def send(self, frame: Mapping[str, Any]) -> None:
        body = json.dumps(frame, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        self._end.sendall(_LENGTH.pack(len(body)) + body)

    def reply(self, kind: str, content: Any) -> None:
        frame = {"nonce": self.nonce, kind: content}
        if len(json.dumps(frame, ensure_ascii=False).encode()) > LARGEST:
            frame = {"nonce": self.nonce, "toolarge": kind}
        self.send(frame)

    def call(self, tool: str, *args: Any) -> Any:
        """Call a tool that the referee holds and wait for its receipt."""
        with self._lock:
            self.send({"nonce": self.nonce, "call": tool, "args": plain(list(args))})
            return self.read()["receipt"]

    def _exactly(self, count: int) -> bytes:
        parts = []
        while count:
            part = self._end.recv(min(count, 1 << 20))
            if not part:
                raise Hangup
            parts.append(part)
            count -= len(part)
        return b"".join(parts)
