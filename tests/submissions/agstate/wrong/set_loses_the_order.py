"""set() for dedupe: the order is lost."""

EXPECT = {"agstate.dedupe": "AGS-SET-ORDER"}
MAY = ["agstate.decisions"]


def merge_sources(old, new):
    merged = []
    for source in sorted([*(old or []), *(new or [])], key=repr):
        if source not in merged:
            merged.append(source)
    return merged
