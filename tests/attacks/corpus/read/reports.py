"""Reads the report of somebody else."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    return [open(TOLD["report"]).read()]
