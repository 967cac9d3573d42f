"""A reducer that hands one of its arguments back when there is nothing to do."""

EXPECT = {"agstate.dedupe": "AGS-NOT-FRESH"}


def merge_sources(old, new):
    if not new:
        return old or []
    merged = list(old or [])
    for source in new:
        if source not in merged:
            merged.append(source)
    return merged
