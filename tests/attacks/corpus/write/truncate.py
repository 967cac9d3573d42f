"""Empties the report of somebody else without opening it."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.truncate(TOLD["report"], 0)
    return names
