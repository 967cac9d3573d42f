"""`dumps_typed` gives a pair."""

EXPECT = {"agstate.growth": "AGS-SIZES-PAIR"}


def checkpoint_sizes(app, config):
    return [len(app.checkpointer.serde.dumps_typed(shot.values)) for shot in app.get_state_history(config)][::-1]
