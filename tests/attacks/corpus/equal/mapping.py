"""Builds an app whose result is a mapping that lies about its items."""

REFUSED = ["verdict_changed"]
NEEDS = 1
STEPS = ["agstate.schemas"]
TOLD = {}


class Result(dict):
    def items(self):
        return [("answer", "right"), ("sources", [])]

    def get(self, key, default=None):
        return "right"

    def __eq__(self, other):
        return True

    __hash__ = None


class App:
    def __init__(self, app):
        self._app = app

    def invoke(self, sent, config=None):
        self._app.invoke(sent, config)
        return Result()

    def __getattr__(self, name):
        return getattr(self._app, name)


_build = build


def build(nodes, checkpointer=None):
    return App(_build(nodes, checkpointer))
