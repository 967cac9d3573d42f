"""Find the modules of one lab in a submission and read them as bytes. Nothing is executed, sizes and counts are capped."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.referee.trees import Folder, Tree

MOST_FILES = 100
MOST_BYTES = 4_000_000
"""Files and bytes that one submission may have for one lab; what is beyond is named, and not read."""

_DEEPEST = 8
_NOT_THE_LEARNERS = frozenset({"solutions", "tests", "grader", "benchmarks"})
_NOT_SENT = frozenset({"lab.py", "start.py", "conftest.py", "setup.py"})


class NoSource(Exception):
    """There is nothing to check; the text says what is missing and where it was looked for."""


@dataclass(frozen=True)
class Source:
    """The files of one submission for one lab. `files` are keyed as the lab names them (`agstate/state.py`)."""

    main: str
    files: Mapping[str, bytes]
    shown: str
    """Where the main file lies, in the words of whoever asked."""
    saved: float | None = None
    """When the main file was saved (seconds since the epoch), where it lies in a folder."""
    remarks: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 over names and contents, in hex: two submissions with one digest are the same."""
        total = hashlib.sha256()
        for name in sorted(self.files):
            total.update(f"{name}\0{len(self.files[name])}\0".encode("utf-8", "surrogateescape"))
            total.update(self.files[name])
        return total.hexdigest()

    @property
    def saved_seconds_ago(self) -> float | None:
        return None if self.saved is None else max(0.0, time.time() - self.saved)


def read_folder(root: Path, main: str) -> Source:
    """The modules of the lab whose main file is `main` (`agstate/state.py`), below `root`. Raises NoSource."""
    return read_tree(Folder(root), main)


def read_tree(tree: Tree, main: str) -> Source:
    """Find `main` in a submission, wherever it lies and however it is spelled, and read it with what is beside it."""
    names = tree.names()
    found, remarks = _find(names, main, tree.shown)
    prefix = found[: -len(main)] if found.lower().endswith(main.lower()) else ""
    slug = main.partition("/")[0]
    files: dict[str, bytes] = {}
    for name, sent_as in _belonging(names, found, main, prefix, slug):
        content = _read(tree, name, remarks)
        if content is None:
            continue
        if len(files) == MOST_FILES or sum(map(len, files.values())) + len(content) > MOST_BYTES:
            remarks.append(f"There are more than {MOST_FILES} files or {MOST_BYTES:,} bytes: the rest was not read.")
            break
        files[sent_as] = content
    if main not in files:
        raise NoSource(remarks[-1])
    return Source(main, files, f"{tree.shown}/{found}", tree.saved(found), tuple(remarks))


def _find(names: list[str], main: str, shown: str) -> tuple[str, list[str]]:
    """The name under which the main file lies: in its place, below another folder, in another case, or alone."""
    if main in names:
        return main, []
    inside = [name for name in names if not _NOT_THE_LEARNERS & set(name.split("/")) and name.count("/") <= _DEEPEST]
    nested = [name for name in inside if f"/{name}".lower().endswith(f"/{main}".lower())]
    alone = [name for name in inside if PurePosixPath(name).name.lower() == PurePosixPath(main).name.lower()]
    choices = sorted(nested or alone, key=lambda name: ("labs/" not in f"/{name}", name.count("/"), name))
    if not choices:
        looked = f"its Python files are {_few(names)}" if names else "there is no Python file in it"
        looked = f"the only Python file in it is `{names[0]}`" if len(names) == 1 else looked
        raise NoSource(f"There is no `{main}` in {shown}: {looked}.")
    more = len(choices) - 1
    others = f" ({more} more of that name {'was' if more == 1 else 'were'} left alone)" if more else ""
    if choices == [f"labs/{main}"]:
        return choices[0], []
    return choices[0], [f"`{main}` was found as `{choices[0]}`{others}."]


def _few(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(f"`{name}`" for name in names[:3]) + more


def _belonging(names: list[str], found: str, main: str, prefix: str, slug: str) -> list[tuple[str, str]]:
    """What is sent, under which name: the main file, the modules in its folder, and those beside that folder."""
    folder = found[: -len(PurePosixPath(found).name)]
    sent = [(found, main)]
    for name in names:
        if name == found:
            continue
        if name.startswith(folder) and folder != "":
            sent.append((name, f"{slug}/{name[len(folder) :]}"))
        elif folder == "" and "/" not in name and name not in _NOT_SENT:
            sent.append((name, f"{slug}/{name}"))
        elif "/" not in name[len(prefix) :] and name.startswith(prefix) and PurePosixPath(name).name not in _NOT_SENT:
            sent.append((name, name[len(prefix) :]))
    return sent


def _read(tree: Tree, name: str, remarks: list[str]) -> bytes | None:
    try:
        return tree.read(name)
    except OSError as error:
        remarks.append(f"`{name}` was not read: {error.strerror or error}.")
        return None
