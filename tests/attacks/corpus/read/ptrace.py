"""Attaches itself to another process as a debugger would, and reads its stack word by word."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import ctypes
import os

ATTACH, PEEK, DETACH = 16, 2, 17


def run_bare(names):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    pid = TOLD["decoy"]
    if libc.ptrace(ATTACH, pid, None, None):
        return ["refused"]
    os.waitpid(pid, 0)
    with open(f"/proc/{pid}/maps") as maps:
        high = int(next(line for line in maps if "[stack]" in line).split()[0].split("-")[1], 16)
    words = [libc.ptrace(PEEK, pid, ctypes.c_void_p(high - 8 * n), None) for n in range(600, 0, -1)]
    libc.ptrace(DETACH, pid, None, None)
    stack = b"".join((word & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little") for word in words)
    return [stack.decode("latin-1").replace(chr(0), " ")]
