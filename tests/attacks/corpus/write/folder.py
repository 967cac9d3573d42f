"""Makes a folder in the results."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.mkdir(TOLD["results"] + "/me")
    return names
