"""The rules of the state, in a module of their own."""

import sys


def dedupe(old, new):
    merged = list(old or [])
    merged += [item for at, item in enumerate(new or []) if item not in merged and item not in new[:at]]
    return merged


def better(old, new):
    return new if old is None else old if new is None else old if old >= new else new


def last(count, old, new):
    both = (old or []) + (new or [])
    return both[max(0, len(both) - count) :]
