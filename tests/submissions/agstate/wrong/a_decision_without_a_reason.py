"""A reason that says nothing."""

EXPECT = {"agstate.decisions": "AGS-DECISION-WHY"}


DECISIONS = {
    "question": ("overwrite", "One run answers one question; the newest one is the one being asked."),
    "doc_ref": ("overwrite", "It points at the document of this run, and an old pointer would mislead."),
    "answer": ("overwrite", "A later draft replaces an earlier one; the customer reads a single reply."),
    "memo": ("overwrite", "because"),
    "trace": ("append", "It is the log after an accident, so no line may get lost."),
    "sources": ("dedupe", "Several nodes find the same page, and a reader wants to see it once."),
    "best_score": ("max", "A worse later attempt must not hide the best one so far."),
    "notes": ("window", "They go into every prompt, which has to stay short however long the talk gets."),
    "used_calls": ("sum", "Each node knows its own cost only; the budget is about all of them together."),
}
