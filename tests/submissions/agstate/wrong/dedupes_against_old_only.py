"""A dedupe that looks for doubles between old and new only."""

EXPECT = {"agstate.dedupe": "AGS-DEDUPE-INSIDE"}
MAY = ["agstate.decisions"]


def merge_sources(old, new):
    old = old or []
    return [*old, *[source for source in new or [] if source not in old]]
