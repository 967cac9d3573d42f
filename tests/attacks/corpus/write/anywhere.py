"""Makes a file outside its scratch folder."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["mark"], "w") as file:
        file.write("here")
    return names
