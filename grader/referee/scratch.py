"""Carry the files of one player's scratch folder to another's: plain files at the top of it, within caps, no links."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

LARGEST = 4_000_000
"""Bytes of one file that is carried."""
MOST = 20
"""Files that are carried."""


def read(folder: Path) -> dict[str, bytes]:
    """The plain files in a scratch folder, by name. What cannot be read, or is beyond a cap, is left behind."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.iterdir()):
        content = _plain_file(path)
        if content is not None and len(found) < MOST:
            found[path.name] = content
    return found


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _plain_file(path: Path) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        seen = os.fstat(descriptor)
        return file.read() if stat.S_ISREG(seen.st_mode) and seen.st_size <= LARGEST else None
