"""The reducer stands inside Optional."""

EXPECT = {"agstate.dedupe": "AGS-IN-OPTIONAL"}
MAY = ["agstate.decisions"]


from typing import Optional


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, add]
    sources: Optional[Annotated[list, merge_sources]]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
