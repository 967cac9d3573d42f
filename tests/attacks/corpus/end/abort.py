"""Aborts."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import os


def run_bare(names):
    os.abort()
