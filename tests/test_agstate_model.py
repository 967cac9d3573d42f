"""The referee's model of lab 1 against langgraph itself: judges know no langgraph, so their model has to be measured."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from grader.draw import Luck
from grader.labs.agstate import acts, draws, judges, rules
from grader.model import Saw
from grader.player.learner import Learner
from grader.player.wire import plain
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def solution() -> Iterator[Learner]:
    forget_the_learners_modules()
    sys.path.insert(0, str(ROOT / "solutions"))
    try:
        yield Learner("agstate.state")
    finally:
        sys.path.remove(str(ROOT / "solutions"))
        forget_the_learners_modules()


def forget_the_learners_modules() -> None:
    """Other tests may have imported a learner's file under the same name."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "agstate"]:
        del sys.modules[name]
    importlib.invalidate_caches()


FLOWS = [draws.append_flows, draws.dedupe_flows, draws.maximum_flows, draws.window_flows, draws.budget_flows]


@pytest.mark.parametrize("draw", FLOWS, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("seed", range(8))
def test_the_model_of_a_run_gives_what_langgraph_gives(draw: Any, seed: int, solution: Learner) -> None:
    for inputs in draw(Luck(str(seed))):
        rule, zero = judges.REDUCERS[inputs["key"]]
        seen = plain(acts.flow(solution, inputs, None))
        assert rules.run_of(rule, zero, inputs) == [run["values"] for run in seen["runs"]]


@pytest.mark.parametrize("seed", range(4))
def test_the_model_of_what_checkpoints_weigh_gives_what_langgraph_stores(seed: int, solution: Learner) -> None:
    for inputs in draws.growths(Luck(str(seed))):
        assert judges.sized(inputs, Saw(plain(acts.sizes(solution, inputs, None)))) is None


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=40), inner, max_size=20),
    max_leaves=30,
)


@settings(max_examples=200, deadline=None)
@given(PLAIN)
def test_the_model_of_a_packed_value_has_the_length_that_the_serializer_writes(value: Any) -> None:
    _, packed = JsonPlusSerializer().dumps_typed(value)
    if value is not None:  # A bare None is stored as nothing, under a type of its own.
        assert rules.packed_size(value) == len(packed)
