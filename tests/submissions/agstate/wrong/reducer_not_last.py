"""The reducer is not last in Annotated."""

EXPECT = {"agstate.append": "AGS-NOT-LAST"}
MAY = ["agstate.decisions"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, add, "the log"]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
