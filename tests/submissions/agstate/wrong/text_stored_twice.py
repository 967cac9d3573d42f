"""The text is stored once more, under the question."""

EXPECT = {"agstate.pointer": "AGS-STORED-TWICE"}


def submit(app, store, question, text, config):
    doc_ref = sha256((question + text).encode("utf-8")).hexdigest()
    store[doc_ref] = text
    return app.invoke({"question": question, "doc_ref": doc_ref}, config)
