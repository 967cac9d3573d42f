"""Gives the secret a second name in its own folder and opens that."""

REFUSED = ["secret_read", "wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    if not os.path.exists("mine"):
        os.link(TOLD["secret"], "mine")
    with open("mine") as file:
        return [file.read(60)]
