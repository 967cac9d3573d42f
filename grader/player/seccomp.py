"""seccomp: a filter of system calls that the kernel asks before each call of a player, for good.

The key idea is to refuse new processes and programs. One submission is then one process, so that the plain limits hold
for all of it, nothing outlives it, and no group of processes has to be counted. Refused calls fail with EPERM, which
Python raises as PermissionError: an honest submission that tries one is told so, and the referee sees the reason.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Sequence

from grader.player import kernel
from grader.player.syscalls import DENIED, RULED

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of the table, and the number by which the kernel calls the architecture."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE, _NO_SUCH_CALL = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_OTHER_TABLE = 0x40000000  # x32: other numbers for the same calls

_A_THREAD = 0x00010000
_OWNERS_OF_FILES = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX
_TYPING_FOR_OTHERS = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_GUARDS = (1, 4, 35, 47, 0x59616D61)  # PR_SET_PDEATHSIG, _DUMPABLE, _MM, PR_CAP_AMBIENT, PR_SET_PTRACER

Line = tuple[int, int, int, int]
"""Code, jump if true, jump if false, constant: one instruction of the kernel's filter machine."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def available() -> bool:
    """Whether this kernel takes filters, and its machine is one whose numbers are known."""
    get_seccomp = 21
    if not kernel.LINUX or platform.machine() not in _MACHINES:
        return False
    try:
        return kernel.prctl(get_seccomp) in (0, 2)
    except OSError:
        return False


def restrict(pid: int) -> None:
    """Put the filter on this process, whose number (in its own namespace) is `pid`. Needs `no_new_privs`."""
    lines = program(platform.machine(), pid)
    packed = b"".join(struct.pack("HBBI", *line) for line in lines)
    set_seccomp, filter_mode = 22, 2
    loaded = _Program(len(lines), packed)
    kernel.prctl(set_seccomp, filter_mode, ctypes.addressof(loaded))


def program(machine: str, pid: int) -> list[Line]:
    """The filter for one process on `x86_64` or `aarch64`."""
    column, architecture = _MACHINES[machine]
    numbers = {name: known[column] for name, known in RULED.items()}
    lines: list[Line] = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    lines += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _OTHER_TABLE), (_RETURN, 0, 0, _REFUSE)]
    for calls in DENIED.values():
        for known in calls.values():
            if (number := known[column]) is not None:
                lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    lines += [(_EQUAL, 0, 1, numbers["clone3"] or 0), (_RETURN, 0, 0, _NO_SUCH_CALL)]
    lines += _only(numbers["clone"], 0, [(_ANY_BIT, _A_THREAD)])
    for name, argument, allowed in (
        ("kill", 0, (pid,)),
        ("tgkill", 0, (pid,)),
        ("prlimit64", 0, (0, pid)),
        ("setpriority", 1, (0,)),
        ("sched_setaffinity", 0, (0,)),
        ("socketpair", 0, (1,)),  # AF_UNIX: event loops talk to themselves
    ):
        lines += _only(numbers[name], argument, [(_EQUAL, value) for value in allowed])
    lines += _not(numbers["fcntl"], 1, _OWNERS_OF_FILES)
    lines += _not(numbers["ioctl"], 1, _TYPING_FOR_OTHERS)
    lines += _not(numbers["prctl"], 0, _GUARDS)
    return [*lines, (_RETURN, 0, 0, _ALLOW)]


def _only(number: int | None, argument: int, tests: Sequence[tuple[int, int]]) -> list[Line]:
    """The call passes if one of the tests holds for its argument, and is refused otherwise."""
    body: list[Line] = [(_LOAD, 0, 0, _FIRST_ARGUMENT + 8 * argument)]
    for place, (code, value) in enumerate(tests):
        body.append((code, len(tests) - place, 0, value))
    return _for(number, [*body, (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)])


def _not(number: int | None, argument: int, refused: Sequence[int]) -> list[Line]:
    """The call is refused if its argument is one of these, and passes otherwise."""
    body: list[Line] = [(_LOAD, 0, 0, _FIRST_ARGUMENT + 8 * argument)]
    for place, value in enumerate(refused):
        body.append((_EQUAL, len(refused) - place, 0, value))
    return _for(number, [*body, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)])


def _for(number: int | None, body: list[Line]) -> list[Line]:
    """The lines for one call. They end it, so the number is still loaded for the calls behind them."""
    return [] if number is None else [(_EQUAL, 0, len(body), number), *body]
