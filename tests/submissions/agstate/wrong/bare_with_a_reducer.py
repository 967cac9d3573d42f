"""The accident is repaired: BareState has a reducer."""

EXPECT = {"agstate.overwrite": "AGS-BARE-REDUCER"}


class BareState(TypedDict, total=False):
    trace: Annotated[list, add]
