"""Dedupe that goes through the new items first."""

EXPECT = {"agstate.dedupe": "AGS-BACKWARDS"}
MAY = ["agstate.decisions"]


def merge_sources(old, new):
    merged = []
    for source in [*(new or []), *(old or [])]:
        if source not in merged:
            merged.append(source)
    return merged
