"""The line between referee and zygote: frames of JSON behind four bytes of length, descriptors beside the first of them.

Both ends are ours and no learner's code ever holds one; the player's own line is wire.py.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

_LENGTH = struct.Struct(">I")


class Closed(OSError):
    """The other end is gone."""


def send(line: socket.socket, content: dict[str, Any], descriptors: list[int] | None = None) -> None:
    body = json.dumps(content).encode()
    head = _LENGTH.pack(len(body))
    if descriptors:
        socket.send_fds(line, [head], descriptors)
    else:
        line.sendall(head)
    line.sendall(body)


def receive(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next frame and the descriptors that came with it. Raises Closed, or OSError (also when it takes too long)."""
    head, descriptors, _, _ = socket.recv_fds(line, _LENGTH.size, 4)
    (length,) = _LENGTH.unpack(head + _exactly(line, _LENGTH.size - len(head)) if head else _exactly(line, 4))
    content: dict[str, Any] = json.loads(_exactly(line, length))
    return content, list(descriptors)


def _exactly(line: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        part = line.recv(min(count, 1 << 20))
        if not part:
            raise Closed("the other end is gone")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
