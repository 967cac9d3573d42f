"""[-0:] keeps everything."""

EXPECT = {"agstate.window": "AGS-MINUS-ZERO"}


def keep_recent(old, new):
    return [*(old or []), *(new or [])][-WINDOW:]
