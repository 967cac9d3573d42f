"""Moves a report away."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.rename(TOLD["report"], TOLD["report"] + ".old")
    return names
