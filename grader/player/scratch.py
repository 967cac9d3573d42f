"""A player's scratch folder: made for it, its plain files carried to the next player where a lab asks for it, removed.

The zygote does this, for it stands inside the walls and runs no learner's code.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

LARGEST = 4_000_000
"""Bytes of all files that are carried."""
MOST = 20
"""Files that are carried."""


def read(folder: Path) -> dict[str, bytes]:
    """The plain files at the top of a scratch folder, by name. What cannot be read, or is beyond a cap, is left behind."""
    found: dict[str, bytes] = {}
    room = LARGEST
    for path in sorted(folder.iterdir()):
        content = _plain_file(path, room) if len(found) < MOST else None
        if content is not None and _is_text(path.name):
            found[path.name] = content
            room -= len(content)
    return found


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _plain_file(path: Path, room: int) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        seen = os.fstat(descriptor)
        return file.read() if stat.S_ISREG(seen.st_mode) and seen.st_size <= room else None


def _is_text(name: str) -> bool:
    """Whether the name survives the way to the referee: learner code may have made any bytes."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
