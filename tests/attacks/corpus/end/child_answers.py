"""Forks: the parent ends with exit code 0, the child goes on as the player."""

REFUSED = ["verdict_changed", "alive_after"]
NEEDS = 1
TOLD = {}

import os


def run_bare(names):
    if os.fork():
        os._exit(0)
    return [names[0], "child"]
