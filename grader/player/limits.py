"""What one player may use: processor time, memory, file size, descriptors. Set in the player, right after the fork."""

from __future__ import annotations

import os
import sys
from pathlib import Path

MEMORY = 512 * 1024 * 1024
"""Bytes of address space that a player may add to what the zygote had when it was forked."""

CPU_SECONDS = 120
"""A second net under the referee's wall clock: no player, of however many steps, may burn more."""

_FILE_BYTES = 8 * 1024 * 1024
_DESCRIPTORS = 128


def apply(size: int) -> None:
    """Lower this process's limits for good. A system that cannot set one of them goes on without it.

    `size` is the address space that the zygote had, in bytes.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits; its level says so.
        return
    _lower(resource.RLIMIT_CPU, CPU_SECONDS)
    _lower(resource.RLIMIT_FSIZE, _FILE_BYTES)
    _lower(resource.RLIMIT_NOFILE, _DESCRIPTORS)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_AS, size + MEMORY)


def _lower(kind: int, value: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (wanted, wanted))
    except (ValueError, OSError):
        return


def address_space() -> int:
    """Bytes of address space of this process; 0 where that cannot be asked. Asked before /proc is covered."""
    if sys.platform != "linux":
        return 0
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
