"""The last name is given back, and no graph is built."""

EXPECT = {"agstate.overwrite": "AGS-NO-GRAPH"}


def run_bare(names):
    return [names[-1]]
