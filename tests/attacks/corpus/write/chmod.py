"""Opens the report of somebody else to everybody."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.chmod(TOLD["report"], 0o777)
    return names
