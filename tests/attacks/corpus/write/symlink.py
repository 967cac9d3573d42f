"""Leaves a link outside its scratch folder."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    os.symlink("/etc/passwd", TOLD["mark"])
    return names
