"""Writes outside through the root folder of another process."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(f"/proc/{TOLD['decoy']}/root{TOLD['mark']}", "w") as file:
        file.write("here")
    return names
