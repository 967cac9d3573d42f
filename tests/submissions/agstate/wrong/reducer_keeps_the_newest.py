"""A reducer that gives back what is new."""

EXPECT = {"agstate.dedupe": "AGS-KEEPS-NEWEST"}
MAY = ["agstate.decisions"]


def merge_sources(old, new):
    merged = []
    for source in new or []:
        if source not in merged:
            merged.append(source)
    return merged
