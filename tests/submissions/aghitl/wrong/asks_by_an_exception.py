"""M53: a pause by `NodeInterrupt`, which cannot carry an answer."""

from langgraph.errors import NodeInterrupt

EXPECT = {"aghitl.inline": "AGH-NO-EAR", "aghitl.record": "AGH-NO-EAR"}


def confirm(refund: Refund) -> dict:
    if not refund.get("decision"):
        raise NodeInterrupt({"case_id": refund["case_id"], "amount": refund["amount"]})
    return {"trace": ["confirm"]}
