"""Reads a secret file while it is imported, and shows it in the message of an error later."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

with open(TOLD["secret"]) as file:
    FOUND = file.read(60)


def run_bare(names):
    raise ValueError(FOUND)
