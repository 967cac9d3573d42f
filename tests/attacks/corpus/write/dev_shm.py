"""Leaves a file in the memory that all processes share."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["shm"], "w") as file:
        file.write("here")
    return names
