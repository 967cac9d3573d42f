"""`add` on a key that is to be overwritten."""

EXPECT = {"agstate.schemas": "AGS-ADD-ON-OVERWRITE"}
MAY = ["agstate.decisions"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: Annotated[str, add]
    trace: Annotated[list, add]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
