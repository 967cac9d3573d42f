"""Has the traceback machinery of the standard library read the secret."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import linecache


def run_bare(names):
    return [linecache.getline(TOLD["solution"], 1)]
