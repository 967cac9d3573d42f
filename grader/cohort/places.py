"""Where submissions lie, looked at without unpacking: a folder or a zip of many, and what belongs to one learner of it."""

from __future__ import annotations

import io
import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from grader.referee.trees import LARGEST_FILE, LARGEST_ZIP, MOST_NAMES, MOST_NAMES_OF_ALL, Folder, Tree, Unreadable, Zip

MOST_ZIPS = 5
"""Zip files within one submission that are opened."""


@dataclass(frozen=True)
class Child:
    """What lies directly in a folder of a place."""

    name: str
    folder: bool
    link: bool = False


class Place(Protocol):
    """Names are relative, with forward slashes; that of a folder ends with one, and the empty name is the place itself."""

    shown: str

    def children(self, folder: str = "") -> list[Child]: ...

    def tree(self, folder: str) -> Tree: ...

    def read(self, file: str, most: int = LARGEST_FILE) -> bytes:
        """The bytes of one file. Raises OSError, with a reason in words, for what must not be read."""
        ...


class FolderPlace:
    """A folder on disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.shown = root.name

    def children(self, folder: str = "") -> list[Child]:
        with os.scandir(self.root / folder) as found:
            children = [Child(each.name, each.is_dir(follow_symlinks=False), each.is_symlink()) for each in found]
        return sorted(children, key=_by_name)

    def tree(self, folder: str) -> Tree:
        return Folder(self.root / folder)

    def read(self, file: str, most: int = LARGEST_FILE) -> bytes:
        return Folder(self.root).read(file, most)


class ZipPlace:
    """A zip file, opened once for all who are in it. Raises Unreadable."""

    def __init__(self, path: Path) -> None:
        self._zip = Zip(path, most=MOST_NAMES_OF_ALL)
        self.shown = path.stem
        self._below: dict[str, dict[str, Child]] = {"": {}}
        self._files: dict[str, list[str]] = {}
        for name in self._zip.everything():
            *folders, file = name.split("/")
            for depth, part in enumerate(folders):
                self._below.setdefault(_folder(folders[:depth]), {})[part] = Child(part, True)
            self._below.setdefault(_folder(folders), {})[file] = Child(file, False)
        for name in self._zip.names(""):
            folders = name.split("/")[:-1]
            for depth in range(len(folders) + 1):
                self._files.setdefault(_folder(folders[:depth]), []).append(name)

    def children(self, folder: str = "") -> list[Child]:
        return sorted(self._below.get(folder, {}).values(), key=_by_name)

    def tree(self, folder: str) -> Tree:
        return _Below(self._zip, folder, self._files.get(folder, []))

    def read(self, file: str, most: int = LARGEST_FILE) -> bytes:
        return self._zip.read(file, most)


class _Below:
    """A folder within a zip file."""

    def __init__(self, tree: Tree, folder: str, names: Sequence[str]) -> None:
        self.shown = folder.rstrip("/").rpartition("/")[2]
        self._tree = tree
        self._folder = folder
        self._names = names

    def names(self, kind: str = ".py") -> list[str]:
        names = [name[len(self._folder) :] for name in self._names if name.lower().endswith(kind)]
        return names[:MOST_NAMES]

    def read(self, name: str, most: int = LARGEST_FILE) -> bytes:
        return self._tree.read(self._folder + name, most)

    def saved(self, name: str) -> float | None:
        return None


@dataclass(frozen=True)
class Part:
    """A folder, zip or file of a place, and where it goes in the submission (`agstate/`, `state.py`, or the top)."""

    name: str
    goes_to: str = ""


class Gathered:
    """All parts of one submission as one tree. Zips among them are opened, one level deep, in memory.

    `flat` are the files of labs (`agstate/state.py`) that a `state.py` at the top stands for. `left_out` says in one line
    each what was not taken. Raises Unreadable where nothing could be read.
    """

    def __init__(self, shown: str, place: Place, parts: Sequence[Part], flat: Sequence[str] = ()) -> None:
        self.shown = shown
        self.left_out: list[str] = []
        self._zips = 0
        self._found: dict[str, tuple[Tree | Place, str]] = {}
        for part in parts:
            if part.name.endswith("/") or part.name == "":
                self._take(place.tree(part.name), part.goes_to)
            elif part.name.lower().endswith(".zip"):
                self._open(place, part.name, part.goes_to)
            else:
                self._put(part.goes_to, place, part.name)
        if self.left_out and not self._found:
            raise Unreadable(self.left_out[0].rstrip("."))
        self._put_in_place(flat)

    def names(self, kind: str = ".py") -> list[str]:
        return sorted(name for name in self._found if name.lower().endswith(kind))[:MOST_NAMES]

    def read(self, name: str, most: int = LARGEST_FILE) -> bytes:
        tree, inside = self._found[name]
        return tree.read(inside, most)

    def saved(self, name: str) -> float | None:
        return None

    def _take(self, tree: Tree, goes_to: str) -> None:
        for name in tree.names():
            self._put(goes_to + name, tree, name)
        for name in tree.names(".zip"):
            folder = name[: -len(PurePosixPath(name).name)]
            self._open(tree, name, goes_to + folder)

    def _open(self, tree: Tree | Place, name: str, goes_to: str) -> None:
        """What is in a zip lies where the zip lay."""
        shown = PurePosixPath(name).name
        self._zips += 1
        if self._zips > MOST_ZIPS:
            self.left_out.append(f"`{shown}` was left out: there are more than {MOST_ZIPS} zip files.")
            return
        try:
            inside = _zip(tree, name)
        except Unreadable as broken:
            self.left_out.append(f"{broken}: `{shown}`.")
            return
        except OSError as error:
            self.left_out.append(f"the zip file cannot be opened ({error.strerror or error}): `{shown}`.")
            return
        for file in inside.names():
            self._put(goes_to + file, inside, file)

    def _put(self, name: str, tree: Tree | Place, inside: str) -> None:
        if name in self._found:
            self.left_out.append(f"`{name}` is there more than once: the first was taken.")
        else:
            self._found[name] = (tree, inside)

    def _put_in_place(self, flat: Sequence[str]) -> None:
        """Modules that were handed in without their folder go into it, and the helpers beside them with them."""
        tops = {name.lower(): name for name in self._found if "/" not in name}
        there = {name.lower() for name in self._found}
        mains = {file: tops.pop(file.rpartition("/")[2].lower(), None) for file in flat if file.lower() not in there}
        placed = {file: name for file, name in mains.items() if name}
        for file, main in placed.items():
            folder = file.rpartition("/")[0]
            self._found |= {f"{folder}/{name}": self._found[name] for name in tops.values()}
            self._found[file] = self._found[main]
        for name in (*placed.values(), *(tops.values() if placed else ())):
            del self._found[name]


def _folder(parts: Sequence[str]) -> str:
    return "".join(f"{part}/" for part in parts)


def _zip(tree: Tree | Place, name: str) -> Zip:
    """A zip on disk is read where it lies, whatever its size; one in a zip in memory. Raises OSError or Unreadable."""
    if not isinstance(tree, Folder | FolderPlace):
        return Zip(io.BytesIO(tree.read(name, LARGEST_ZIP)), PurePosixPath(name).name)
    path = tree.root / name
    if path.is_symlink() or not path.is_file():
        raise OSError("it is no plain file")
    return Zip(path)


def _by_name(child: Child) -> str:
    return unicodedata.normalize("NFC", child.name)
