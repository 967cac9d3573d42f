"""Shows its own environment and arguments, as Python and as the kernel hold them."""

REFUSED = ["secret_read"]
NEEDS = 1
TOLD = {}

import os
import sys


def run_bare(names):
    told = [repr(dict(os.environ)), repr(sys.argv), repr(sys.orig_argv)]
    for name in ("environ", "cmdline"):
        try:
            with open(f"/proc/self/{name}") as file:
                told.append(file.read())
        except OSError as error:
            told.append(str(error))
    return told
