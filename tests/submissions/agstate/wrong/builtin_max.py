"""The builtin max as a reducer."""

EXPECT = {"agstate.maximum": "AGS-BUILTIN"}
MAY = ["agstate.append", "agstate.dedupe", "agstate.maximum", "agstate.window", "agstate.budget", "agstate.schemas", "agstate.pointer", "agstate.decisions"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, add]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float | None, max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]
