"""Catches every signal that can be caught, and loops."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import signal


def run_bare(names):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, lambda *told: None)
    while True:
        pass
