"""A keep-max that starts at zero: None is taken for 0."""

EXPECT = {"agstate.maximum": "AGS-ZERO-START"}
MAY = ["agstate.decisions"]


def keep_max(old, new):
    return max(old or 0, new or 0)
