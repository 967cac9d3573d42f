"""Makes another submission look as if it had been handed in too late."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.utime(TOLD["sibling"], (4_000_000_000, 4_000_000_000))
    return names
