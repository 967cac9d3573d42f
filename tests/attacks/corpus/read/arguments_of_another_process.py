"""Reads the command line of another process."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    return [open(f"/proc/{TOLD['decoy']}/cmdline").read()]
