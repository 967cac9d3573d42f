"""The window is kept from the front."""

EXPECT = {"agstate.window": "AGS-FRONT"}
MAY = ["agstate.decisions"]


def keep_recent(old, new):
    return [*(old or []), *(new or [])][:WINDOW]
