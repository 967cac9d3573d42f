"""Puts a link to a foreign folder in the place of its scratch folder, so that the referee itself carries the foreign
files over a crash."""

REFUSED = ["secret_read"]
NEEDS = 1
LAB = "aghitl"
STEPS = ["aghitl.restart"]
TOLD = {}

import os
from pathlib import Path

_build_of_the_solution = build
STAGE = str(Path(TOLD["secret"]).parent)


def build(pay, checkpointer=None):
    here = os.getcwd()
    if Path("secret.txt").exists():
        raise ValueError(Path("secret.txt").read_text()[:60])
    try:
        os.rename(here, here + "-away")
        os.symlink(STAGE, here)
    except OSError:
        pass
    return _build_of_the_solution(pay, checkpointer)
