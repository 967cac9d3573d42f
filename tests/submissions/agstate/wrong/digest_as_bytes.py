"""The raw bytes of the digest."""

EXPECT = {"agstate.pointer": "AGS-NOT-HEX"}


def submit(app, store, question, text, config):
    doc_ref = sha256(text.encode("utf-8")).digest()
    store[doc_ref] = text
    return app.invoke({"question": question, "doc_ref": doc_ref}, config)
