"""Leaves a named pipe outside, on which a reader would wait for ever."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.mkfifo(TOLD["mark"])
    return names
