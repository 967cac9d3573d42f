"""A pointer that is not the SHA-256 of the text."""

EXPECT = {"agstate.pointer": "AGS-DIGEST"}


def submit(app, store, question, text, config):
    doc_ref = sha256(text.encode("utf-8")).hexdigest()[:16]
    store[doc_ref] = text
    return app.invoke({"question": question, "doc_ref": doc_ref}, config)
