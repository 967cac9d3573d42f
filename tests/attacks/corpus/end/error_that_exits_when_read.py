"""Raises an error whose message ends the process when somebody reads it."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import os


class Trap(Exception):
    def __str__(self):
        os._exit(0)


def run_bare(names):
    raise Trap
