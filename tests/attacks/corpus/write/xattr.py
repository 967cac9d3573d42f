"""Hangs an attribute on a foreign file."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.setxattr(TOLD["report"], "user.grade", b"full")
    return names
