"""The window is a default argument."""

EXPECT = {"agstate.window": "AGS-WINDOW-FROZEN"}
MAY = ["agstate.decisions"]


def keep_recent(old, new, *, window=3):
    notes = [*(old or []), *(new or [])]
    return notes[max(len(notes) - window, 0) :]
