"""What was graded already: a record beside the reports for each learner, so that a killed run goes on where it was."""

from __future__ import annotations

import functools
import hashlib
import json
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from grader.cohort.grade import Submission
from grader.cohort.result import Result, as_plain, from_plain
from grader.cohort.write import HALF, whole
from grader.model import Json, Lab

FOLDER = ".journal"
LOCK = ".lock"
_GRADER = Path(__file__).resolve().parent.parent
_DEPENDED_ON = ("langgraph", "langgraph-checkpoint", "langgraph-checkpoint-sqlite", "langchain-core")


class Busy(Exception):
    """Another run is writing to the same folder of reports."""


class Journal:
    """The records of one folder of reports, for one seed and one list of labs.

    A record is written after the reports it speaks of, and holds their digests: reports that were changed, lost or only
    half replaced are graded again. So are submissions that changed, those that were held apart less than `lowest` asks
    for, and everything when the grader itself changed.
    """

    def __init__(self, out: Path, labs: Sequence[Lab], seed: str, lowest: int) -> None:
        self._out = out
        self._lowest = lowest
        self._asked = [grader_version(), [lab.slug for lab in labs], seed]

    def has(self, learner: str) -> bool:
        """Whether it is worth reading the submission to see if it was graded already."""
        return self._record(learner).is_file()

    def kept(self, submission: Submission) -> Result | None:
        """The result of an earlier run, where grading again would give the same. Its reports are on disk."""
        try:
            record = json.loads(self._record(submission.learner).read_text(encoding="utf-8"))
            if record["key"] != self._key(submission) or record["result"]["level"] < self._lowest:
                return None
            reports = self._out / submission.learner
            if any(_digest((reports / name).read_bytes()) != was for name, was in record["files"].items()):
                return None
            return from_plain(record["result"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def forget(self) -> None:
        """Grade everything anew; a run that is killed then goes on with what it graded itself."""
        for record in (self._out / FOLDER).glob("*.json"):
            record.unlink()

    def write(self, submission: Submission, result: Result) -> None:
        """The reports of one learner, and then the record. Raises OSError."""
        reports = self._out / result.learner
        reports.mkdir(parents=True, exist_ok=True)
        for name, text in result.pages.items():
            whole(reports / name, text)
        if result.line.faulty:
            return  # A fault of ours is no result: the next run tries again.
        files = {name: _digest((reports / name).read_bytes()) for name in result.pages}
        content: dict[str, Json] = {"key": self._key(submission), "files": files}
        content["result"] = as_plain(result) | {"pages": {}}
        record = self._record(result.learner)
        record.parent.mkdir(exist_ok=True)
        whole(record, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def _record(self, learner: str) -> Path:
        return self._out / FOLDER / f"{learner}.json"

    def _key(self, submission: Submission) -> str:
        return _digest(json.dumps([*self._asked, submission.digest]).encode())


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Hold a folder of reports for this run alone, and sweep away what a killed one left half-written. Raises Busy."""
    import fcntl  # Not on Windows, where nothing is graded yet, but this module has to be importable.

    with (out / LOCK).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy from None
        for half in (*out.glob(f".*{HALF}"), *out.glob(f"*/.*{HALF}")):
            half.unlink(missing_ok=True)
        yield


@functools.cache
def grader_version() -> str:
    """A digest of all that decides verdicts beside the submission: our own files, Python's version, langgraph's."""
    total = hashlib.sha256(json.dumps([platform.python_version(), *map(_version, _DEPENDED_ON)]).encode())
    for file in sorted(_GRADER.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            total.update(f"{file.relative_to(_GRADER).as_posix()}\0{_digest(file.read_bytes())}\0".encode())
    return total.hexdigest()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
