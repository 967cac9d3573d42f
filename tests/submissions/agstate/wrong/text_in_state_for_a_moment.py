"""Text put in the state for a moment."""

EXPECT = {"agstate.pointer": "AGS-TEXT-IN-STATE"}


def submit(app, store, question, text, config):
    doc_ref = sha256(text.encode("utf-8")).hexdigest()
    store[doc_ref] = text
    app.update_state(config, {"memo": text})
    app.update_state(config, {"memo": ""})
    return app.invoke({"question": question, "doc_ref": doc_ref}, config)
