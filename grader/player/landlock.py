"""Landlock: from here on a process opens only what it was given. Needs no privilege and no package; Linux 5.13 or later.

Numbers and structures are those of the kernel's own header, linux/landlock.h. What each version (ABI) cannot refuse yet
is left to seccomp: truncating (before 3), TCP (before 4), signals and abstract sockets (before 6).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from grader.player import kernel

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
_MAKE_DEVICES = 1 << 6 | 1 << 11
_IOCTL_DEVICE = 1 << 15
_ALL = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL_LATER = (1 << 16) - 1

READ = _EXECUTE | _READ_FILE | _READ_DIR
_ON_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The kernel's Landlock ABI; 0 where there is none, or where it is switched off."""
    if not kernel.LINUX:
        return 0
    only_the_version = 1
    try:
        return kernel.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(only_the_version))
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], devices: Iterable[str]) -> None:
    """Refuse everything beside these trees and devices to this process, for good. Raises OSError. Needs `no_new_privs`."""
    abi = version()
    everything = _ALL.get(abi, _ALL_LATER)
    rules = _Ruleset(everything, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = kernel.syscall(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for paths, allowed in (
            (readable, READ),
            (writable, everything & ~_MAKE_DEVICES & ~_EXECUTE & ~_IOCTL_DEVICE),
            (devices, _READ_FILE | _WRITE_FILE),
        ):
            for path in paths:
                _allow(ruleset, path, allowed & everything)
        kernel.syscall(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, allowed: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # Nothing there to allow.
    try:
        rights = allowed if Path(path).is_dir() else allowed & _ON_A_FILE
        rule = _Beneath(rights, parent)
        kernel.syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(parent)
