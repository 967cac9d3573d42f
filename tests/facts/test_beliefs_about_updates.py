"""Wrong beliefs about what nodes get and return (M02, M09, M14 to M22), each refuted by a run on the installed version."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import add
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import EmptyInputError, InvalidUpdateError
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from pydantic import BaseModel, ValidationError, field_validator
from tiny_graphs import THREAD, Log, branch, chain, fan, one, schema, writes

# ---------------------------------------------------------------- what is returned


def test_returning_the_whole_state_writes_bystanders() -> None:
    """M02: returning the whole state is not harmless: InvalidUpdateError on a key nobody changed."""
    nodes = {name: lambda state: {**state, "trace": []} for name in "ab"}
    with pytest.raises(InvalidUpdateError, match="At key 'bystander': Can receive only one value per step"):
        fan(schema(bystander=str, trace=Annotated[list, add]), nodes).invoke({"bystander": "b"})


def test_two_parallel_subgraphs_write_bystanders_too() -> None:
    """M02: same for two parallel subgraphs."""
    shape = schema(bystander=str, trace=Annotated[list, add])
    inner = {name: one(shape, writes(trace=[name])) for name in "ab"}
    with pytest.raises(InvalidUpdateError, match="At key 'bystander'"):
        fan(shape, inner).invoke({"bystander": "b"})


def test_an_undeclared_key_is_dropped_silently() -> None:
    """M14: not any key I return is stored: dropped silently (node, input, `update_state`)."""
    app = one(Log, writes(trcae=["a"], trace=["b"]), InMemorySaver())
    assert app.invoke({"trcae": ["a"], "trace": []}, THREAD) == {"trace": ["b"]}
    app.update_state(THREAD, {"trcae": ["a"]})
    assert app.get_state(THREAD).values == {"trace": ["b"]}


def test_an_input_without_a_known_key_runs_and_none_does_not() -> None:
    """M14: input with no known key runs. None input: EmptyInputError."""
    app = one(Log, writes(trace=["ran"]))
    assert app.invoke({"trcae": 1}) == app.invoke({}) == {"trace": ["ran"]}
    with pytest.raises(EmptyInputError):
        app.invoke(None)


async def coroutine() -> None:
    """Never awaited."""


@pytest.mark.parametrize("answer", ["route", ["a"], ("a",), 7], ids=["str", "list", "tuple", "number"])
def test_a_node_returns_a_mapping(answer: Any) -> None:
    """M15: a node does not return the value or a route name: InvalidUpdateError "Expected dict, got …" for str, list,
    tuple, number."""
    with pytest.raises(InvalidUpdateError, match="Expected dict, got"):
        one(Log, lambda state: answer).invoke({"trace": []})


def test_a_sync_node_does_not_hand_back_a_coroutine() -> None:
    """M15: sync node handing back a coroutine: InvalidUpdateError "Expected dict, got …"."""
    made = coroutine()
    with pytest.raises(InvalidUpdateError, match="Expected dict, got"):
        one(Log, lambda state: made).invoke({"trace": []})
    made.close()


@pytest.mark.parametrize("nothing", [None, {}])
def test_a_node_may_return_nothing(nothing: Any) -> None:
    """M15: None and `{}` accepted."""
    assert one(Log, lambda state: nothing).invoke({"trace": [1]}) == {"trace": [1]}


def shout(state: Any) -> None:
    state["trace"].append("shout")


def test_an_edit_in_place_seems_to_work_without_a_saver() -> None:
    """M16: state is no shared object: without a saver it "works" and even alters the caller's dict."""
    sent: dict[str, list] = {"trace": []}
    assert one(schema(trace=list), shout).invoke(sent) == {"trace": ["shout"]}
    assert sent == {"trace": ["shout"]}


def test_an_edit_in_place_is_not_in_the_checkpoint() -> None:
    """M16: with a saver the result shows it, the checkpoint does not."""
    app = one(schema(trace=list), shout, InMemorySaver())
    assert app.invoke({"trace": []}, THREAD) == {"trace": ["shout"]}
    assert app.get_state(THREAD).values == {"trace": []}


# ---------------------------------------------------------------- defaults and models


class Defaults(BaseModel):
    trace: Annotated[list, add] = ["default"]
    plain: str = "default"


@dataclass
class Dated:
    trace: Annotated[list, add] = field(default_factory=lambda: ["default"])
    plain: str = "default"


@pytest.mark.parametrize("shape", [Defaults, Dated])
def test_defaults_do_not_initialise_the_state(shape: Any) -> None:
    """M09: reducer keys start at the type's zero; plain pydantic/dataclass defaults reach nodes but not the output."""
    seen: list[Any] = []
    result = one(shape, lambda state: seen.append((state.trace, state.plain))).invoke({"trace": []})
    assert (seen, result) == ([([], "default")], {"trace": []})


class Assigned(TypedDict, total=False):
    plain: str


Assigned.plain = "default"  # type: ignore[attr-defined]


def test_a_typed_dict_has_no_defaults() -> None:
    """M09: TypedDict raises KeyError."""
    with pytest.raises(KeyError, match="plain"):
        one(Assigned, lambda state: {"plain": state["plain"]}).invoke({})


class Scored(BaseModel):
    score: int = 0
    name: str = ""

    @field_validator("name")
    @classmethod
    def lower(cls, name: str) -> str:
        return name.lower()


BAD: Any = {"bad": writes(score="no number")}


def test_the_bad_value_of_the_last_node_is_returned() -> None:
    """M19: the model does not validate every update: last node's bad value returned; result is a dict."""
    assert chain(Scored, BAD).invoke({"score": 1}) == {"score": "no number"}


def test_the_bad_value_of_a_middle_node_fails_in_the_next() -> None:
    """M19: middle one raises ValidationError on entering the next node."""
    with pytest.raises(ValidationError):
        chain(Scored, {**BAD, "next": writes(name="N")}).invoke({"score": 1})


def test_the_change_of_a_validator_is_seen_and_not_stored() -> None:
    """M19: validator changes are seen by nodes but not stored."""
    seen: list[str] = []
    app = one(Scored, lambda state: seen.append(state.name))
    assert (app.invoke({"name": "ADA"}), seen) == ({"name": "ADA"}, ["ada"])


class Items(BaseModel):
    items: Annotated[list, add] = []


@dataclass
class DatedItems:
    items: Annotated[list, add] = field(default_factory=list)


def edited(state: Items) -> Items:
    state.items.append(5)
    return state


def test_returning_the_model_doubles_its_lists() -> None:
    """M20: handing back the state object doubles its lists: `[1]` becomes `[1, 1, 5]`; `dataclasses.replace`
    likewise."""
    assert one(Items, edited).invoke({"items": [1]}) == {"items": [1, 1, 5]}
    replaced = one(DatedItems, lambda state: replace(state, items=[*state.items, 5]))
    assert replaced.invoke({"items": [1]}) == {"items": [1, 1, 5]}


# ---------------------------------------------------------------- who sees what


class State(TypedDict, total=False):
    question: str
    early: str
    late: str


class Late(TypedDict, total=False):
    late: str


def test_the_annotation_of_a_node_narrows_what_it_sees() -> None:
    """M18: not everyone sees everything: node annotation narrows."""
    seen: list[Any] = []

    def narrow(state: Late) -> None:
        seen.append(dict(state))

    chain(State, {"a": writes(early="e", late="l"), "narrow": narrow}).invoke({"question": "?"})
    assert seen == [{"late": "l"}]


def routed(route: Any) -> None:
    def narrow(state: Late) -> Any:
        return {"late": "l"}

    graph = branch(State, {"narrow": narrow, "after": writes()}, route, ["after"])
    graph.compile().invoke({"question": "?", "early": "e"})


def test_the_annotation_of_a_router_decides_and_an_untyped_one_stays_narrow() -> None:
    """M18: router: its own annotation decides, an untyped one stays narrow."""
    seen: list[Any] = []

    def typed(state: State) -> str:
        seen.append(dict(state))
        return "after"

    def untyped(state):  # type: ignore[no-untyped-def]
        seen.append(dict(state))
        return "after"

    routed(typed)
    routed(untyped)
    assert seen == [{"question": "?", "early": "e", "late": "l"}, {"late": "l"}]


# ---------------------------------------------------------------- messages


def test_the_same_id_replaces_in_place_and_no_id_always_appends() -> None:
    """M21: `add_messages` does not compare text: same id replaces in place, no id always appends."""
    shape = schema(messages=Annotated[list, add_messages])
    sent = {"messages": [HumanMessage("one", id="1"), HumanMessage("two", id="2")]}

    def texts(*new: Any) -> list[Any]:
        return [each.content for each in one(shape, writes(messages=list(new))).invoke(sent)["messages"]]

    assert texts(HumanMessage("edited", id="1")) == ["edited", "two"]
    assert texts(HumanMessage("one")) == ["one", "two", "one"]


def test_one_message_object_returned_twice_is_one_message() -> None:
    """M21: a fake model that returns the same object twice leaves one message."""
    reply = writes(messages=[AIMessage("again")])
    same = AIMessage("again")
    shape = schema(messages=Annotated[list, add_messages])
    twice = chain(shape, {"a": lambda state: {"messages": [same]}, "b": lambda state: {"messages": [same]}})
    assert len(twice.invoke({})["messages"]) == 1
    assert len(chain(shape, {"a": reply}).invoke({})["messages"]) == 1


def test_under_add_a_remove_message_is_stored_as_an_item() -> None:
    """M22: removal does not work under any reducer: under `add` the marker is stored as an item."""
    app = one(schema(messages=Annotated[list, add]), writes(messages=[RemoveMessage(id="1")]))
    kinds = [each.type for each in app.invoke({"messages": [HumanMessage("one", id="1")]})["messages"]]
    assert kinds == ["human", "remove"]


def test_removing_an_unknown_id_is_an_error_and_removing_all_is_not() -> None:
    """M22: unknown id ValueError "Attempting to delete a message with an ID that doesn't exist"."""
    shape = schema(messages=Annotated[list, add_messages])
    sent = {"messages": [HumanMessage("one", id="1")]}
    with pytest.raises(ValueError, match="Attempting to delete a message with an ID that doesn't exist"):
        one(shape, writes(messages=[RemoveMessage(id="9")])).invoke(sent)
    assert one(shape, writes(messages=[RemoveMessage(id=REMOVE_ALL_MESSAGES)])).invoke(sent) == {"messages": []}
