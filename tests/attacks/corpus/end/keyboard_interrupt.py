"""Raises what Ctrl-C raises."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}


def run_bare(names):
    raise KeyboardInterrupt
