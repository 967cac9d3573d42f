"""A keep-max that starts at zero: the type of the key has a zero."""

EXPECT = {"agstate.maximum": "AGS-ZERO-START"}
MAY = ["agstate.decisions"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, add]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
