"""A reducer with a third argument."""

EXPECT = {"agstate.dedupe": "AGS-SIGNATURE"}
MAY = ["agstate.append", "agstate.dedupe", "agstate.maximum", "agstate.window", "agstate.budget", "agstate.schemas", "agstate.pointer", "agstate.decisions"]


def merge_sources(old, new, seen=None):
    merged = list(old or [])
    for source in new or []:
        if source not in merged:
            merged.append(source)
    return merged
