"""The few calls to the Linux kernel that Python's library has no function for, by ctypes. Errors are OSError.

Own code and no package: the bindings of Landlock, seccomp and prctl that can be had are unmaintained, before their first
release, or several times slower (each player pays this once), and each of them would be read by nobody here.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

LINUX = sys.platform == "linux"

_libc = ctypes.CDLL(None, use_errno=True) if LINUX else None


def syscall(number: int, *args: Any) -> int:
    """One system call by its number. Raises OSError."""
    assert _libc is not None
    return _checked(_libc.syscall(ctypes.c_long(number), *args))


def prctl(option: int, *args: int) -> int:
    assert _libc is not None
    padded = [ctypes.c_ulong(value) for value in (*args, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(ctypes.c_int(option), *padded))


def unshare(flags: int) -> None:
    """Leave namespaces for new ones (`os.unshare` exists from Python 3.12 only)."""
    assert _libc is not None
    _checked(_libc.unshare(ctypes.c_int(flags)))


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    assert _libc is not None
    _checked(_libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode()))


def unmount(target: str) -> None:
    """Take the mount away now, and free it once nobody uses it."""
    assert _libc is not None
    detach = 2
    _checked(_libc.umount2(target.encode(), ctypes.c_int(detach)))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(result)
