"""M52: the question asked in a thread of its own, where langgraph does not know which node runs."""

from concurrent.futures import ThreadPoolExecutor

EXPECT = {"aghitl.inline": "AGH-OUTSIDE", "aghitl.record": "AGH-OUTSIDE"}


def confirm(refund: Refund) -> dict:
    shown = {"case_id": refund["case_id"], "amount": refund["amount"]}
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(interrupt, shown).result()
    match answer:
        case {"decision": "approve" | "reject" as decision}:
            return {"decision": decision, "trace": ["confirm"]}
        case {"decision": "edit", "amount": int(amount)} if 1 <= amount <= refund["requested"]:
            return {"decision": "edit", "amount": amount, "trace": ["confirm"]}
    return {"trace": ["confirm"]}
