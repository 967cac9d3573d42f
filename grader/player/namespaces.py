"""What the zygote does inside the outer wall: it stops being root, and gives each player a small disk of its own.

Runs before langgraph is imported, in a process with one thread, and never with a learner's code in it.
"""

from __future__ import annotations

import os
from pathlib import Path

from grader.player import kernel

DISK_BYTES = 16 * 1024 * 1024
"""Room in a player's scratch folder."""
DISK_NAMES = 512
"""Files and folders that fit into it."""

_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_PRIVATE, _NO_SETUID, _NO_DEVICES, _NO_PROGRAMS, _READ_ONLY = 0x44000, 2, 4, 8, 1
_DUMPABLE = 4


def become(user: int) -> None:
    """Be another user from here on, with no group but its own. Raises OSError."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    # The kernel hides /proc/self of a process that has changed its user; `enter` needs it once.
    kernel.prctl(_DUMPABLE, 1)


def enter() -> None:
    """Go into a user and a mount namespace of one's own, in which disks can be made. Raises OSError."""
    user, group = os.getuid(), os.getgid()
    kernel.unshare(_NEW_USER | _NEW_MOUNTS)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    kernel.mount("none", "/", "none", _PRIVATE)


def cover_processes() -> None:
    """Lay an empty folder over /proc: not even the existence of other processes can be asked for."""
    kernel.mount("none", "/proc", "tmpfs", _READ_ONLY | _NO_SETUID | _NO_DEVICES | _NO_PROGRAMS, "size=4k,mode=555")


def new_disk(place: Path) -> None:
    """A disk in memory, laid over an empty folder."""
    flags = _NO_SETUID | _NO_DEVICES | _NO_PROGRAMS
    kernel.mount("none", str(place), "tmpfs", flags, f"size={DISK_BYTES},nr_inodes={DISK_NAMES},mode=700")


def drop_disk(place: Path) -> None:
    kernel.unmount(str(place))
