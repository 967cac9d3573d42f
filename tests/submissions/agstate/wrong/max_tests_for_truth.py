"""A keep-max that takes an old 0.0 for nothing."""

EXPECT = {"agstate.maximum": "AGS-FALSY-OLD"}
MAY = ["agstate.decisions"]


def keep_max(old, new):
    if not old:
        return new
    if new is None:
        return old
    return max(old, new)
