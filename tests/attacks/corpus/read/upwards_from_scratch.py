"""Leaves its scratch folder by going up, from an open folder and not by a full path."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    folder = os.open(".", os.O_RDONLY)
    file = os.open("../" * 40 + TOLD["secret"].lstrip("/"), os.O_RDONLY, dir_fd=folder)
    return [os.read(file, 60).decode()]
