"""New entries in front of the old ones."""

EXPECT = {"agstate.append": "AGS-BACKWARDS"}
MAY = ["agstate.decisions"]


def newest_first(old, new):
    return new + old


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, newest_first]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
