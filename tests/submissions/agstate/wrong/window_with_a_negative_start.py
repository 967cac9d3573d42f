"""A start that is counted without a floor."""

EXPECT = {"agstate.window": "AGS-NEGATIVE-START"}


def keep_recent(old, new):
    both = [*(old or []), *(new or [])]
    return both[len(both) - WINDOW :]
