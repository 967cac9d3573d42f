"""Makes a link to the secret in its own folder and opens that."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    if not os.path.lexists("mine"):
        os.symlink(TOLD["secret"], "mine")
    with open("mine") as file:
        return [file.read(60)]
