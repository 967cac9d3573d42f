"""Ends with exit code 0 while it is imported."""

REFUSED = ["verdict_changed"]
NEEDS = 1
ALONE = True
TOLD = {}

import sys

sys.exit(0)
