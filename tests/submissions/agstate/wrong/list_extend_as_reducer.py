"""`list.extend` as a reducer: it gives None."""

EXPECT = {"agstate.append": "AGS-RETURNS-NONE"}
MAY = ["agstate.schemas", "agstate.decisions"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, list.extend]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
