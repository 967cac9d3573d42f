"""The window is put on new items only."""

EXPECT = {"agstate.window": "AGS-NEW-ONLY"}
MAY = ["agstate.decisions"]


def keep_recent(old, new):
    new = list(new or [])
    return [*(old or []), *new[max(len(new) - WINDOW, 0) :]]
