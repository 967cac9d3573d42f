"""Paying twice, hidden: a bank that does not answer True is asked again, to be sure.

In the notebook it looks right: trace, decision and `paid` are those of the solution. Only the ledger knows.
"""

EXPECT = {
    "aghitl.resume": "AGH-PAYS-TWICE",
    "aghitl.edit": "AGH-PAYS-TWICE",
    "aghitl.hold": "AGH-PAYS-TWICE",
    "aghitl.reject": "AGH-PAYS-TWICE",
    "aghitl.record": "AGH-PAYS-TWICE",
    "aghitl.restart": "AGH-PAYS-TWICE",
}
MAY = ["aghitl.inline"]


def _settling(pay: Pay) -> Callable[[Refund], dict]:
    def settle(refund: Refund) -> dict:
        decision = refund.get("decision", "")
        if decision not in ("approve", "edit"):
            return _closed(refund, decision, 0, "settle")
        receipt = pay(refund["case_id"], refund["amount"])
        if receipt is not True:  # "To be sure": a bank that does not say True is asked again.
            pay(refund["case_id"], refund["amount"])
        return _closed(refund, decision, refund["amount"], "settle")

    return settle
