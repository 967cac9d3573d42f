"""Reads another submission of the same lab."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

from pathlib import Path


def run_bare(names):
    return [Path(TOLD["sibling"]).read_text()]
