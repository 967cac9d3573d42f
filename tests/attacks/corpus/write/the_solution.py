"""Overwrites the solution."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["solution"], "a") as file:
        file.write("changed")
    return names
