"""An output schema that inherits the internal keys."""

EXPECT = {"agstate.schemas": "AGS-OUTPUT-INHERITS"}


class OutputState(State, total=False):
    pass
