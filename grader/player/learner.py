"""The learner's module as acts see it: names that must be there, constants changed for one act and put back."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class NameIsMissing(Exception):
    """The module has no such name; `near` are the names that look like it."""

    def __init__(self, name: str, near: list[str]) -> None:
        super().__init__(name)
        self.name = name
        self.near = near


class NotWritten(Exception):
    """The name is there, but still as the starter has it; `near` are names that may have been meant for it."""

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        super().__init__(name)
        self.name = name
        self.near = list(near)


class Learner:
    """One loaded submission."""

    def __init__(self, module: str) -> None:
        self.name = module
        self.module: ModuleType = importlib.import_module(module)

    def get(self, name: str) -> Any:
        """The learner's `name`. Raises NameIsMissing where there is none, NotWritten where it is still `...`."""
        try:
            value = getattr(self.module, name)
        except AttributeError:
            near = difflib.get_close_matches(name, [n for n in vars(self.module) if not n.startswith("_")], 2)
            raise NameIsMissing(name, near) from None
        if value is ...:
            raise NotWritten(name)
        return value

    @contextmanager
    def having(self, **constants: Any) -> Iterator[None]:
        """The module with other constants, for one act; None leaves a constant as it is."""
        changed = {name: value for name, value in constants.items() if value is not None}
        before = {name: self.get(name) for name in changed}
        try:
            for name, value in changed.items():
                setattr(self.module, name, value)
            yield
        finally:
            for name, value in before.items():
                setattr(self.module, name, value)
