"""Start a zygote: `python -s grader/player/__main__.py FD PLAN`. Run as a file, so that no installed grader is used.

`PLAN` is JSON, the walls that the referee wants (`walls.Plan`). Without a descriptor (`-`) it only tries the walls.

The only part of the grader that can be imported from here on is this folder and each lab's acts: neither judges nor
solutions can be reached by `import`, for learner code is forked from this process.
"""

from __future__ import annotations

import gc
import importlib
import importlib.machinery
import importlib.util
import json
import socket
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

_GRADER = Path(__file__).resolve().parent.parent
_ACTS = ("acts", "predict_acts")


class OnlyThePlayersSide(MetaPathFinder):
    """Finds `grader.player.*` and `grader.labs.<slug>.acts` in this checkout, and refuses the rest of the grader."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        parts = name.split(".")
        if parts[0] != "grader":
            return None
        folder = _GRADER.joinpath(*parts[1:])
        if name in ("grader", "grader.labs") or (parts[1:2] == ["labs"] and len(parts) == 3 and folder.is_dir()):
            return importlib.machinery.ModuleSpec(name, None, is_package=True)
        if name == "grader.player":
            return importlib.util.spec_from_file_location(
                name, folder / "__init__.py", submodule_search_locations=[str(folder)]
            )
        if parts[1:2] == ["player"] or (parts[1:2] == ["labs"] and parts[-1] in _ACTS):
            return importlib.util.spec_from_file_location(name, folder.with_suffix(".py"))
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _hide_the_project() -> None:
    """Take this checkout off the import path, also where it was installed in place (`pip install -e .`)."""
    hidden = (_GRADER.parent, _GRADER / "player")
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() not in hidden]
    sys.meta_path[:] = [finder for finder in sys.meta_path if "__editable__" not in getattr(finder, "__module__", "")]
    sys.meta_path.insert(0, OnlyThePlayersSide())


def _acts() -> dict[str, ModuleType]:
    """Every lab's acts, by `slug/acts` and `slug/predict_acts`."""
    found = sorted(file for name in _ACTS for file in (_GRADER / "labs").glob(f"*/{name}.py"))
    return {
        f"{file.parent.name}/{file.stem}": importlib.import_module(f"grader.labs.{file.parent.name}.{file.stem}")
        for file in found
    }


def _warm_up() -> None:
    """Run one small graph with everything that acts use, so that no player pays for a first use."""
    from grader.player import kit

    kit.warm_up()


def main() -> None:
    _hide_the_project()
    from grader.player import walls

    plan = walls.Plan.of(json.loads(sys.argv[2]))
    walls.settle(plan)
    from grader.player import zygote

    if sys.argv[1] == "-":
        # Behind these walls Python and its packages have to be readable still.
        sys.exit(importlib.util.find_spec("langgraph") is None)
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    acts = _acts()
    _warm_up()
    # Without this, the first full collection in every player walks, and so copies, all that it shares with us.
    gc.collect()
    gc.freeze()
    zygote.Nursery(control, plan, acts).serve()


if __name__ == "__main__":
    main()
