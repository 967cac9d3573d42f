"""A submission as a tree of names: a folder on disk or a zip in memory. Nothing is unpacked, no link is followed."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

LARGEST_FILE = 1_000_000
"""Bytes of one module; a larger one is not read."""
LARGEST_ZIP = 50_000_000
"""Bytes of a zip file within another zip, which is opened in memory; a larger one is not opened."""
MOST_NAMES = 5_000
"""Names that are looked at in one submission."""
MOST_NAMES_OF_ALL = 1_000_000
"""Names that are looked at in a zip file with everybody's submission."""

_SKIPPED = frozenset(
    {"__pycache__", ".ipynb_checkpoints", ".git", ".venv", "venv", ".lab", "node_modules", "__MACOSX", "site-packages"}
)


class Unreadable(Exception):
    """The whole submission cannot be read; the text says why in one line."""


class Tree(Protocol):
    """Names of files below a root, with forward slashes, and their bytes."""

    shown: str

    def names(self, kind: str = ".py") -> list[str]: ...

    def read(self, name: str, most: int = LARGEST_FILE) -> bytes:
        """The bytes of one file. Raises OSError, with a reason in words, for what must not be read."""
        ...

    def saved(self, name: str) -> float | None: ...


class Folder:
    """A folder. Links are listed, so that they can be named, and refused when read."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.shown = root.name

    def names(self, kind: str = ".py") -> list[str]:
        found: list[str] = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED)
            found += [
                Path(folder, name).relative_to(self.root).as_posix() for name in files if name.lower().endswith(kind)
            ]
            if len(found) > MOST_NAMES:
                break
        return sorted(found[:MOST_NAMES])

    def read(self, name: str, most: int = LARGEST_FILE) -> bytes:
        path = self.root / name
        if path.is_symlink():
            raise OSError("it is a link, and links are not followed")
        # O_NONBLOCK: opening a named pipe must not wait for somebody to write into it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("it is no plain file")
            return _within(file.read(most + 1), most)

    def saved(self, name: str) -> float | None:
        return (self.root / name).stat().st_mtime


class Zip:
    """A zip file, read member by member; members that are links, too large, encrypted or oddly placed are refused."""

    def __init__(self, file: Path | IO[bytes], shown: str = "", most: int = MOST_NAMES) -> None:
        self.shown = shown or (file.name if isinstance(file, Path) else "")
        try:
            self._zip = zipfile.ZipFile(file)
            members = self._zip.infolist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise Unreadable(f"the zip file cannot be opened ({error})") from None
        if len(members) > most:
            raise Unreadable(f"the zip file holds more than {most:,} files")
        self._members = {self._name(member): member for member in members if not member.is_dir()}

    def everything(self) -> list[str]:
        """All names of files, also of those that nobody should read."""
        return sorted(self._members)

    def names(self, kind: str = ".py") -> list[str]:
        return sorted(
            name
            for name in self._members
            if name.lower().endswith(kind)
            and not name.startswith("/")
            and not {"..", *_SKIPPED} & set(PurePosixPath(name).parts)
        )

    def read(self, name: str, most: int = LARGEST_FILE) -> bytes:
        member = self._members[name]
        if stat.S_ISLNK(member.external_attr >> 16):
            raise OSError("it is a link, and links are not followed")
        if member.flag_bits & 0x1:
            raise OSError("it is locked with a password")
        try:
            with self._zip.open(member) as file:
                content = file.read(most + 1)
        except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise OSError(f"the zip is damaged there: {error}") from None
        except Exception as error:  # noqa: BLE001 - decompressors raise types of their own (zlib.error, LZMAError)
            raise OSError(f"the zip is damaged there: {error}") from None
        return _within(content, most)

    def saved(self, name: str) -> float | None:
        return None

    @staticmethod
    def _name(member: zipfile.ZipInfo) -> str:
        """The member's name; names from zips without the UTF-8 flag are tried as UTF-8 before the old code page."""
        name = member.filename.replace("\\", "/")
        if member.flag_bits & 0x800:
            return name
        try:
            return name.encode("cp437").decode("utf-8")
        except UnicodeError:
            return name


_BINARY = getattr(os, "O_BINARY", 0)


def _within(content: bytes, most: int) -> bytes:
    if len(content) > most:
        raise OSError(f"it is larger than {most:,} bytes")
    return content
