"""Leaves a file in the temporary folder of everybody, for a later submission to find."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["posted"], "w") as file:
        file.write("here")
    return names
