"""What learner code prints: drained for as long as it comes, kept only at its beginning and its end."""

from __future__ import annotations

import os

KEPT = 2_000
"""Bytes kept from each end of what one player prints."""


class Output:
    """The reading end of a player's standard output and error."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        os.set_blocking(descriptor, False)
        self._head = b""
        self._tail = b""
        self.total = 0

    def drain(self) -> bool:
        """Take what is there; False once the other end is closed."""
        while True:
            try:
                part = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return True
            if not part:
                return False
            self.total += len(part)
            room = KEPT - len(self._head)
            self._head += part[:room]
            self._tail = (self._tail + part[room:])[-KEPT:] if room < len(part) else self._tail

    def take(self) -> tuple[str, int]:
        """What was printed since the last call, and its number of bytes; a cut says how much is left out."""
        self.drain()
        left_out = self.total - len(self._head) - len(self._tail)
        middle = f"\n... {left_out:,} bytes left out ...\n".encode() if left_out > 0 else b""
        text, total = (self._head + middle + self._tail).decode("utf-8", "replace"), self.total
        self._head, self._tail, self.total = b"", b"", 0
        return text, total
