"""Ends at once with exit code 0 when it is asked."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import os


def run_bare(names):
    os._exit(0)
