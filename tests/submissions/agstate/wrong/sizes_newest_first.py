"""Sizes in the wrong order."""

EXPECT = {"agstate.growth": "AGS-SIZES-REVERSED"}


def checkpoint_sizes(app, config):
    return [len(app.checkpointer.serde.dumps_typed(shot.values)[1]) for shot in app.get_state_history(config)]
