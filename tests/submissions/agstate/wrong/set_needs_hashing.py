"""set() for dedupe: a source may be unhashable."""

EXPECT = {"agstate.dedupe": "AGS-UNHASHABLE"}


def merge_sources(old, new):
    return list(dict.fromkeys([*(old or []), *(new or [])]))
