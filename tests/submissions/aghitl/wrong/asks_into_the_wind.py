"""The answer is thrown away: the node asks, and reads the decision from the state."""

EXPECT = {"aghitl.inline": "AGH-NO-EAR", "aghitl.record": "AGH-NO-EAR"}


def confirm(refund: Refund) -> dict:
    interrupt({"case_id": refund["case_id"], "amount": refund["amount"]})
    return {"trace": ["confirm"]}
