"""Asks to be traced by the zygote and stops: whoever waits for it is told that it stopped, not that it ended."""

REFUSED = ["verdict_changed", "killed"]
NEEDS = 1
TOLD = {}

import ctypes
import os
import signal


def run_bare(names):
    ctypes.CDLL(None).ptrace(0, 0, None, None)
    os.kill(os.getpid(), signal.SIGSTOP)
    return [names[0]]
