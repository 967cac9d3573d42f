"""A reducer that changes `old` in place."""

EXPECT = {"agstate.dedupe": "AGS-IN-PLACE"}


def merge_sources(old, new):
    old = [] if old is None else old
    for source in new or []:
        if source not in old:
            old.append(source)
    return old
