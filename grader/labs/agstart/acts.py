"""What the player does to `agstart/hello.py`: one run of its graph, seen at every superstep. Judges nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.player.kit import thread, watched
from grader.player.learner import Learner


def run_hello(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    app = learner.get("build")()
    return {"said": watched(app, {"said": list(inputs["start"])}, thread("hello"), "said")["values"]}
