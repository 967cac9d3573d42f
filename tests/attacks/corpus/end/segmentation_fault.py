"""Reads at address 0."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import ctypes


def run_bare(names):
    return ctypes.string_at(0)
