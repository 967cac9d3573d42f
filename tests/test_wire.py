"""The wire: what a player may send, and that everything else is refused without harm."""

from __future__ import annotations

import contextlib
import json
import math
import select
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.player.wire import plain
from grader.referee.wire import LARGEST_FRAME, Broken, Gone, Late, Wire, decode

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_what_is_plain_comes_through_unchanged(content: dict[str, Any]) -> None:
    clean = plain(content)
    assert decode(json.dumps(clean).encode()) == clean


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_an_object_or_are_refused(body: bytes) -> None:
    with contextlib.suppress(Broken):
        assert isinstance(decode(body), dict)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[1]",
        b'"text"',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": 1e999}',
        b'{"a": 1, "a": 2}',
        b'{"a": "\xff"}',
        b'{"a": "\\ud800"}',
        b'{"a": ' + b"9" * 50 + b"}",
        b'{"a": ' + b"[" * 100 + b"]" * 100 + b"}",
        b'{"a": 1} {"b": 2}',
        b"{'a': 1}",
        b"[" * 60_000,
    ],
    ids=lambda body: repr(body[:20]),
)
def test_what_strict_json_is_not_is_refused(body: bytes) -> None:
    with pytest.raises(Broken):
        decode(body)


@pytest.fixture
def ends() -> Iterator[tuple[Wire, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Wire(ours, lambda seconds: bool(select.select([ours], [], [], seconds)[0])), theirs


def test_a_frame_longer_than_allowed_is_refused_before_it_is_read(ends: tuple[Wire, socket.socket]) -> None:
    wire, theirs = ends
    theirs.sendall(struct.pack(">I", LARGEST_FRAME + 1))
    with pytest.raises(Broken, match=str(LARGEST_FRAME + 1)):
        wire.read(time.monotonic() + 1)


def test_half_a_frame_is_late_and_a_closed_line_is_gone(ends: tuple[Wire, socket.socket]) -> None:
    wire, theirs = ends
    theirs.sendall(struct.pack(">I", 10) + b"{")
    with pytest.raises(Late):
        wire.read(time.monotonic() + 0.05)
    theirs.close()
    with pytest.raises(Gone):
        wire.read(time.monotonic() + 1)


def test_what_nobody_asked_for_is_noticed(ends: tuple[Wire, socket.socket]) -> None:
    wire, theirs = ends
    assert wire.silent()
    theirs.sendall(b"x")
    assert select.select([wire._end], [], [], 1)[0]
    assert not wire.silent()


class _Sly(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class _Loud:
    def __repr__(self) -> str:
        raise SystemExit("no repr")


@pytest.mark.parametrize(
    "value", [_Sly("a"), _Loud(), {1: 2}, {1, 2}, (1, 2), math.inf, math.nan, 2**64, object(), b"a"]
)
def test_what_is_not_plain_crosses_as_a_description_that_equals_nothing(value: object) -> None:
    told = plain(value)
    assert set(told) == {"$type", "text"}
    assert decode(json.dumps({"told": told}).encode())["told"] == told


def test_a_value_that_holds_itself_ends() -> None:
    knot: list[Any] = []
    knot.append(knot)
    assert len(json.dumps(plain(knot))) < 1_000
