"""Lists the folder of the other submissions."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    return [sorted(os.listdir(TOLD["siblings"]))]
