"""No reducer."""

EXPECT = {"agstate.append": "AGS-OVERWRITE"}
MAY = ["agstate.decisions"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: list
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
