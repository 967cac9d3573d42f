"""Reads the stack of another process through /proc/PID/mem, where its arguments and environment lie."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    with open(f"/proc/{TOLD['decoy']}/maps") as maps:
        place = next(line for line in maps if "[stack]" in line).split()[0]
    low, high = (int(end, 16) for end in place.split("-"))
    memory = os.open(f"/proc/{TOLD['decoy']}/mem", os.O_RDONLY)
    stack = b"".join(os.pread(memory, 4096, page) for page in range(low, high, 4096))
    at = stack.find(b"canary-")
    return [stack[at : at + 60].decode("latin-1")]
