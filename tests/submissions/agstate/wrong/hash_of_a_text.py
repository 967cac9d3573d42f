"""sha256 of a text that is not encoded."""

EXPECT = {"agstate.pointer": "AGS-NOT-ENCODED"}


def submit(app, store, question, text, config):
    doc_ref = sha256(text).hexdigest()
    store[doc_ref] = text
    return app.invoke({"question": question, "doc_ref": doc_ref}, config)
