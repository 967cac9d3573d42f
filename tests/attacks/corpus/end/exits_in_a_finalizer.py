"""Gives an answer whose clean-up ends the process."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import os


class Last(list):
    def __del__(self):
        os._exit(0)


def run_bare(names):
    return Last(names)
