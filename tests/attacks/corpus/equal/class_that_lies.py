"""Returns an object that says of itself that it is a list, and a dict."""

REFUSED = ["verdict_changed"]
NEEDS = 1
TOLD = {}


class Liar:
    __class__ = dict

    def __iter__(self):
        return iter(["$type"])

    def __eq__(self, other):
        return True

    __hash__ = None


def run_bare(names):
    return Liar()
