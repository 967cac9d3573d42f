"""Keeps as the best score what is neither larger nor smaller than any number."""

REFUSED = ["verdict_changed"]
NEEDS = 1
STEPS = ["agstate.maximum"]
TOLD = {}


def keep_max(old, new):
    return float("nan")


class State(State):
    best_score: Annotated[float | None, keep_max]
