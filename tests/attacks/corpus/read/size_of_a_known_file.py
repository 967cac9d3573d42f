"""Asks for the size of a file whose path is known, without opening it."""

REFUSED = ["secret_read"]
NEEDS = 3
TOLD = {}

import os


def run_bare(names):
    return [f"size {os.stat(TOLD['secret']).st_size}"]
