"""Returns a list that copies itself as another one whenever it is looked at."""

REFUSED = ["verdict_changed"]
NEEDS = 1
STEPS = ["agstate.dedupe"]
TOLD = {}


class Copied(list):
    def __deepcopy__(self, memo):
        return list(dict.fromkeys(self))

    def __iter__(self):
        return iter(list(dict.fromkeys(list.copy(self))))


def merge_sources(old, new):
    return Copied([*(old or []), *(new or [])])


class State(State):
    sources: Annotated[list, merge_sources]
