"""The window is read at import."""

EXPECT = {"agstate.window": "AGS-WINDOW-FROZEN"}
MAY = ["agstate.decisions"]


KEPT = 3


def keep_recent(old, new):
    notes = [*(old or []), *(new or [])]
    return notes[max(len(notes) - KEPT, 0) :]
