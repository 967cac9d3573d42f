"""A dedupe that drops falsy items."""

EXPECT = {"agstate.dedupe": "AGS-FALSY"}


def merge_sources(old, new):
    merged = list(old or [])
    for source in new or []:
        if source and source not in merged:
            merged.append(source)
    return merged
