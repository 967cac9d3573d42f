"""A learner's folder: where the files lie, when they were saved, what was passed, and copies of what was replaced.

Never runs learner code, and never writes over a learner's file without a backup.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.model import Json, Lab, StepResult, Verdict
from grader.referee.source import NoSource, Source, read_folder

_CHECKOUT = Path(__file__).resolve().parent.parent
_STARTERS = Path(__file__).resolve().parent / "labs"


class NoWorkspace(Exception):
    """There is no folder with the labs; the text says where it was looked for."""


@dataclass(frozen=True)
class Workspace:
    """The folder that holds `labs/`. Notes about progress and backups lie in `.lab/` in it."""

    root: Path

    @staticmethod
    def here(start: Path | None = None) -> Workspace:
        """The nearest folder above `start` (the current one) that holds `labs/lab.py`; else the grader's own checkout.

        Raises NoWorkspace where there is neither.
        """
        begin = (start or Path.cwd()).resolve()
        for folder in (begin, *begin.parents, _CHECKOUT):
            if (folder / "labs" / "lab.py").is_file():
                return Workspace(folder)
        raise NoWorkspace(f"There is no folder `labs` in {begin} or above it. Start in the folder of the course.")

    @property
    def labs(self) -> Path:
        return self.root / "labs"

    def file(self, lab: Lab) -> Path:
        return self.labs / lab.file

    def source(self, lab: Lab) -> Source:
        """The saved modules of a lab. Raises NoSource."""
        try:
            return read_folder(self.labs, lab.file)
        except NoSource:
            raise NoSource(
                f'There is no file `labs/{lab.file}`. Get the one you started with by reset("{lab.slug}").'
            ) from None

    def solution(self, lab: Lab) -> str | None:
        """The text of the solution, where this checkout has it."""
        file = self.root / "solutions" / lab.file
        return file.read_text(encoding="utf-8") if file.is_file() else None

    def reset(self, lab: Lab) -> Reset:
        """Put the starters of a lab back. What stood there before lies in the backup. Raises OSError."""
        backup = self.root / ".lab" / "backups" / time.strftime("%Y-%m-%d-%H%M%S") / lab.slug
        restored: list[str] = []
        for starter in sorted((_STARTERS / lab.slug / "starter").iterdir()):
            if not starter.is_file():
                continue
            target, fresh = self.labs / lab.slug / starter.name, starter.read_bytes()
            if target.is_file():
                old = target.read_bytes()
                if old == fresh:
                    continue
                _write(_unused(backup / starter.name), old)
            _write(target, fresh)
            restored.append(f"labs/{lab.slug}/{starter.name}")
        kept = backup.relative_to(self.root).as_posix() if backup.is_dir() else None
        return Reset(restored, kept)

    def progress(self) -> Progress:
        return Progress.read(self.root / ".lab" / "progress.json")


@dataclass(frozen=True)
class Reset:
    """Which files were put back, and the folder that holds what stood there before (None: nothing did)."""

    restored: Sequence[str]
    backup: str | None


@dataclass
class Progress:
    """What a learner did so far, by step. Written for the learner alone: never the base of a grade."""

    file: Path
    steps: dict[str, dict[str, Json]] = field(default_factory=dict)

    @staticmethod
    def read(file: Path) -> Progress:
        """The notes in `file`; none where there is none yet, or where it can no longer be read."""
        try:
            noted = json.loads(file.read_text(encoding="utf-8"))["steps"]
            return Progress(file, {str(step): dict(note) for step, note in noted.items()})
        except FileNotFoundError:
            return Progress(file)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            if file.is_file():
                file.replace(file.with_suffix(".unreadable.json"))
            return Progress(file)

    def note(self, step: str) -> Mapping[str, Json]:
        return self.steps.get(step, {})

    def record(self, result: StepResult, digest: str) -> None:
        """Remember a verdict, the files that it is about, and the seed to try first next time."""
        passed = result.verdict is Verdict.PASSED
        failing = (
            None if passed else result.seed if result.verdict is Verdict.NEEDS_WORK else self.failing_seed(result.step)
        )
        note = {"verdict": str(result.verdict), "digest": digest, "failing_seed": failing}
        if passed:
            note["passed_digest"] = digest
        self.steps[result.step] = {**self.note(result.step), **note}

    def failing_seed(self, step: str) -> str | None:
        seed = self.note(step).get("failing_seed")
        return seed if isinstance(seed, str) else None

    def state_of(self, step: str, digest: str) -> str:
        """`passed`, `changed since it passed`, another verdict (and `passed before`), or `not checked yet`."""
        if self.passed(step):
            return "passed" if self.note(step).get("digest") == digest else "changed since it passed"
        verdict = str(self.note(step).get("verdict", "not checked yet"))
        return f"{verdict}, passed before" if self.ever_passed(step) else verdict

    def passed(self, step: str) -> bool:
        """Whether the last check of the step passed, also when the file was changed since."""
        return self.note(step).get("verdict") == str(Verdict.PASSED)

    def rungs(self, step: str) -> int:
        """How many rungs of the hint ladder were shown."""
        shown = self.note(step).get("hints")
        return shown if isinstance(shown, int) else 0

    def climb(self, step: str, rung: int) -> None:
        self.steps[step] = {**self.note(step), "hints": max(rung, self.rungs(step))}

    def ever_passed(self, step: str) -> bool:
        return "passed_digest" in self.note(step)

    def save(self) -> bool:
        """Write the notes; False where the folder cannot be written, which must not stop a check."""
        try:
            _write(self.file, json.dumps({"steps": self.steps}, ensure_ascii=False, indent=1).encode())
        except OSError:
            return False
        return True


def _write(target: Path, content: bytes) -> None:
    """Write a whole file or nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _unused(place: Path) -> Path:
    """`place`, or the same with a number where two resets fall into one second."""
    number, free = 1, place
    while free.exists():
        number += 1
        free = place.with_name(f"{place.stem}-{number}{place.suffix}")
    return free
