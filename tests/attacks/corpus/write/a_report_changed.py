"""Writes full marks into the report of somebody else."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["report"], "w") as file:
        file.write("full marks")
    return names
