"""Puts a report of its own into the results folder."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["results"] + "/me.json", "w") as file:
        file.write("full marks")
    return names
