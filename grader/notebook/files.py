"""`fresh` and `reset`: the learner's modules as they are saved now, and as they were at the start."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from importlib.machinery import SourceFileLoader
from types import CodeType, ModuleType

from grader import catalog
from grader.notebook.session import answering
from grader.notebook.shown import Told
from grader.render.panel import Line, Panel
from grader.render.rows import ago
from grader.workspace import Workspace


class _AsSaved(SourceFileLoader):
    """Reads the source each time: a compiled copy may be older than a file that was saved twice within a second."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def fresh(name: str) -> ModuleType:
    """Import a module of the labs (`agstate.state`) as it is saved now, and say when that was.

    Raises what the module raises, and ModuleNotFoundError where there is none.
    """
    labs = Workspace.here().labs
    file = labs.joinpath(*name.split(".")).with_suffix(".py")
    if not file.is_file():
        known = ", ".join(lab.module for lab in catalog.labs())
        raise ModuleNotFoundError(f"There is no file {name.replace('.', '/')}.py in the folder labs. Modules: {known}.")
    package = name.partition(".")[0]
    # Modules beside it may have changed as well.
    for loaded in [each for each in sys.modules if each == package or each.startswith(f"{package}.")]:
        del sys.modules[loaded]
    if str(labs) not in sys.path:
        sys.path.insert(0, str(labs))
    importlib.invalidate_caches()
    print(f"labs/{file.relative_to(labs).as_posix()}, saved {ago(max(0.0, time.time() - file.stat().st_mtime))} ago")
    spec = importlib.util.spec_from_file_location(name, file, loader=_AsSaved(name, str(file)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@answering
def reset(name: str) -> Told:
    """Put the starter of a lab (`agstate`) back. What you had is kept in a backup, whose place is told."""
    lab = catalog.lab_of(name)
    if name != lab.slug:
        raise catalog.UnknownName(f'A reset puts back a whole lab, not one step: reset("{lab.slug}").')
    done = Workspace.here().reset(lab)
    if not done.restored:
        return Told(Panel(f"{lab.slug} · nothing to put back: the files are as you got them"))
    lines = [Line("restored", ", ".join(done.restored))]
    kept = f"What you had lies in {done.backup}." if done.backup else "Nothing: no file stood there."
    lines.append(Line("kept", kept))
    lines.append(Line("next", "If the file is open in an editor tab: File, then Reload Python File from Disk."))
    return Told(Panel(f"{lab.slug} · the starter is back", lines))
