"""A window over new notes in front of old ones."""

EXPECT = {"agstate.window": "AGS-BACKWARDS"}
MAY = ["agstate.decisions"]


def keep_recent(old, new):
    notes = [*(new or []), *(old or [])]
    return notes[max(len(notes) - WINDOW, 0) :]
