"""`add` where each source should stand once."""

EXPECT = {"agstate.dedupe": "AGS-ONLY-APPENDS"}
MAY = ["agstate.decisions"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, add]
    sources: Annotated[list, add]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
