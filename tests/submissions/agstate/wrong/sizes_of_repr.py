"""Sizes of `repr`."""

EXPECT = {"agstate.growth": "AGS-SIZES-REPR"}


def checkpoint_sizes(app, config):
    return [len(repr(shot.values)) for shot in app.get_state_history(config)][::-1]
