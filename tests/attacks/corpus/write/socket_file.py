"""Leaves a socket outside."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os
import socket


def run_bare(names):
    os.chdir(os.path.dirname(TOLD["mark"]))
    socket.socket(socket.AF_UNIX).bind("mark")
    return names
