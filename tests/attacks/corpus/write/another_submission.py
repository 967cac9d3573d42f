"""Spoils the submission of somebody else."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["sibling"], "w") as file:
        file.write("raise SystemExit")
    return names
