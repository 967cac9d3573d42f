"""A reducer that does not expect None."""

EXPECT = {"agstate.dedupe": "AGS-NONE"}


def merge_sources(old, new):
    return old + [source for at, source in enumerate(new) if source not in old and source not in new[:at]]
