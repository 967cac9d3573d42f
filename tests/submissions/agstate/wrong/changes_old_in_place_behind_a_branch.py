"""A reducer that changes `old` in place: seen behind a branch, where it counts twice."""

EXPECT = {"agstate.window": "AGS-IN-PLACE"}
MAY = ["agstate.decisions"]


def keep_recent(old, new):
    old = [] if old is None else old
    old.extend(new or [])
    del old[: max(len(old) - WINDOW, 0)]
    return old
