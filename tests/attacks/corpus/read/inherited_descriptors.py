"""Reads from the start of every descriptor that it has, and says where each leads."""

REFUSED = ["secret_read"]
NEEDS = 1
TOLD = {}

import os


def run_bare(names):
    told = []
    for number in range(3, 1024):
        for look in (lambda n: os.readlink(f"/proc/self/fd/{n}"), lambda n: os.pread(n, 4_000, 0).decode("latin-1")):
            try:
                told.append(look(number))
            except OSError:
                pass
    return told
