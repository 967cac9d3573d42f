"""A reducer that returns None: list.extend."""

EXPECT = {"agstate.window": "AGS-RETURNS-NONE"}
MAY = ["agstate.decisions"]


def keep_recent(old, new):
    return list(old or []).extend(new or [])
