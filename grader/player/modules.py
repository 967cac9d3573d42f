"""Import a learner's modules from the bytes that the referee sent: no file of the submission is opened here."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any


class SentModules(MetaPathFinder, InspectLoader):
    """Finds modules among sent files. `agstate/helper.py` is `agstate.helper`, and `helper` beside `agstate/state.py`.

    A folder is a package with or without `__init__.py`, as it is for a learner who runs the notebook beside it.
    """

    def __init__(self, files: Mapping[str, bytes], lab: str) -> None:
        self._files = files
        self._lab = lab

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        place = self._place(name)
        if place is None:
            return None
        file, package = place
        spec = ModuleSpec(name, self, origin=file, is_package=package)
        spec.has_location = True
        return spec

    def is_package(self, fullname: str) -> bool:
        place = self._place(fullname)
        return place is not None and place[1]

    def get_source(self, fullname: str) -> str:
        place = self._place(fullname)
        source = self._files.get(place[0], b"") if place else b""
        return importlib.util.decode_source(source)

    def get_code(self, fullname: str) -> CodeType:
        place = self._place(fullname)
        if place is None:
            raise ImportError(fullname)
        file = place[0]
        # compile() is given bytes: it honours a BOM, a coding cookie and every kind of line end.
        return compile(self._files.get(file, b""), file, "exec", dont_inherit=True)

    def _place(self, name: str) -> tuple[str, bool] | None:
        stem = name.replace(".", "/")
        for base in (stem, f"{self._lab}/{stem}"):
            if f"{base}.py" in self._files:
                return f"{base}.py", False
            if any(file.startswith(f"{base}/") for file in self._files):
                return f"{base}/__init__.py", True
        return None


def install(files: Mapping[str, bytes], lab: str) -> None:
    """Make the sent files importable, before anything that is installed under the same name."""
    sys.meta_path.insert(0, SentModules(files, lab))
