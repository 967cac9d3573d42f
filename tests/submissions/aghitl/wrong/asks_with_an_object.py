"""M54: an object in the question, which no checkpointer can keep."""

from threading import Lock

EXPECT = {"aghitl.inline": "AGH-OBJECT", "aghitl.record": "AGH-OBJECT"}


def confirm(refund: Refund) -> dict:
    shown = {"case_id": refund["case_id"], "amount": refund["amount"], "answered": Lock()}
    match interrupt(shown):
        case {"decision": "approve" | "reject" as decision}:
            return {"decision": decision, "trace": ["confirm"]}
        case {"decision": "edit", "amount": int(amount)} if 1 <= amount <= refund["requested"]:
            return {"decision": "edit", "amount": amount, "trace": ["confirm"]}
    return {"trace": ["confirm"]}
