"""Gives the report of somebody else to another user."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.chown(TOLD["report"], 12345, 12345)
    return names
