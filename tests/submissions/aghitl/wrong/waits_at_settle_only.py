"""M44: a pause inside a node is not seen, for `outcome` asks for the gate before `settle`."""

EXPECT = {"aghitl.inline": "AGH-ONE-PAUSE"}


def outcome(app: CompiledStateGraph, config: dict, result: Mapping | None) -> Literal["done", "waiting", "lost"]:
    if not app.checkpointer:
        return "done" if result and result.get("record") else "lost"
    thread = app.get_state(config)
    if "settle" in thread.next:
        return "waiting"
    return "done" if thread.values.get("record") else "lost"
