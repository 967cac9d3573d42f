"""Deletes another submission."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.unlink(TOLD["sibling"])
    return names
