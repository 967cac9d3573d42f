"""Has the database of the standard library make a file outside."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import sqlite3


def run_bare(names):
    sqlite3.connect(TOLD["mark"]).execute("create table t (x)")
    return names
