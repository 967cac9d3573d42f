"""Leaves a file in /var/tmp."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["vartmp"], "w") as file:
        file.write("here")
    return names
