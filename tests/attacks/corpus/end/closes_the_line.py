"""Closes every descriptor and goes on."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}

import os
import time


def run_bare(names):
    os.closerange(0, 200)
    time.sleep(30)
