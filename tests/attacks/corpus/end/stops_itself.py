"""Stops itself by SIGSTOP, so that it neither answers nor ends."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import os
import signal


def run_bare(names):
    os.kill(os.getpid(), signal.SIGSTOP)
    return [names[0]]
