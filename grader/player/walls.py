"""The walls round a player, in the order in which they are built. What was asked for and cannot be built raises OSError:

a player is never loaded behind fewer walls than the preflight has seen.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.player import kernel, landlock, namespaces, seccomp

_CAPABILITIES = 64
_DROP_FROM_BOUND, _NO_NEW_PRIVILEGES, _DUMPABLE = 24, 38, 4
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION = 0x20080522
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


@dataclass(frozen=True)
class Plan:
    """What the referee wants built. `outer`: we are inside its outer wall, and may make namespaces."""

    inner: bool = False
    outer: bool = False
    become: int | None = None
    scratch: str = ""
    readable: Sequence[str] = field(default=())

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Plan:
        return cls(**told)


def settle(plan: Plan) -> None:
    """Called once, by the zygote, before it imports anything large."""
    if plan.become is not None:
        namespaces.become(plan.become)
    if plan.outer:
        namespaces.enter()
    if plan.inner and not (landlock.version() and seccomp.available()):
        raise OSError("this kernel has no Landlock or no seccomp")


def warm(plan: Plan) -> None:
    """Called once, by the zygote, when everything is imported."""
    if plan.outer:
        namespaces.cover_processes()


def confine(plan: Plan, scratch: Path) -> None:
    """Called by a player, right after the fork and before it reads a question. There is no way back."""
    if not plan.inner:
        return
    _drop_capabilities()
    kernel.prctl(_DUMPABLE, 0)
    kernel.prctl(_NO_NEW_PRIVILEGES, 1)
    landlock.restrict(plan.readable, [str(scratch)], _DEVICES)
    seccomp.restrict(os.getpid())


def _drop_capabilities() -> None:
    """Every capability, and the way to get one back by starting a program."""
    for number in range(_CAPABILITIES):
        try:
            kernel.prctl(_DROP_FROM_BOUND, number)
        except OSError:
            break  # Beyond the last one that this kernel knows; or there is nothing that we could drop.
    header = struct.pack("Ii", _CAPABILITY_VERSION, 0)
    kernel.syscall(_CAPSET[os.uname().machine], header, struct.pack("6I", *[0] * 6))
