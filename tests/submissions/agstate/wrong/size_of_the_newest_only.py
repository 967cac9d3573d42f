"""The size of the newest checkpoint only."""

EXPECT = {"agstate.growth": "AGS-SIZES-LAST-ONLY"}


def checkpoint_sizes(app, config):
    return [len(app.checkpointer.serde.dumps_typed(app.get_state(config).values)[1])]
