"""Ends at once with exit code 0 while it is imported."""

REFUSED = ["verdict_changed"]
NEEDS = 1
ALONE = True
TOLD = {}

import os

os._exit(0)
