"""Makes a link to a known file and asks for the size of what it leads to."""

REFUSED = ["secret_read"]
NEEDS = 3
TOLD = {}

import os


def run_bare(names):
    if not os.path.lexists("a-link"):
        os.symlink(TOLD["secret"], "a-link")
    return [f"size {os.stat('a-link').st_size}"]
