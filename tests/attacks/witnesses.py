"""What an attack has done, seen from outside: bytes and modes of files, listeners, the process table, our own memory.

The attacker's word counts in one place only (`admitted`), for calls that change nothing that anybody else could see.
"""

from __future__ import annotations

import contextlib
import gc
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.attacks.stage import CANARY, Stage, keyed
from tests.conftest import ROOT

MOST_MEMORY = 900_000_000
"""Bytes that one submission's processes may hold together: 512 MB of its own over what it shares with the zygote."""
MOST_PROCESSES = 4
"""Processes below one zygote: a player, the one that watches it, and two of a sandbox."""
MOST_THREADS = 400
MOST_DISK = 64_000_000
MOST_FILES = 2_000
REFEREE_GROWTH = 50_000_000
ADMITS = "the attacker admits it"
"""What an attack prints when a call succeeded that leaves no trace outside."""


def print_of(path: Path) -> Any:
    """Everything about a file or folder that an attacker could change: content, mode, owner, times, attributes."""
    try:
        seen = path.lstat()
    except OSError:
        return None
    kept = (seen.st_mode, seen.st_uid, seen.st_gid, seen.st_size, seen.st_mtime_ns, seen.st_nlink)
    if path.is_symlink():
        return kept
    more = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    if path.is_dir():
        return kept, more, {each.name: print_of(each) for each in path.iterdir()}
    return kept, more, path.read_bytes()


@dataclass
class Before:
    """The state of the world just before an attack."""

    files: dict[Path, Any]
    processes: set[int]
    descriptors: int
    memory: int
    touched: dict[int, Any]

    @classmethod
    def of(cls, stage: Stage) -> Before:
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # The peak counts from here.
        return cls(
            {path: print_of(path) for path in stage.watched},
            set(psutil.pids()),
            len(list(Path("/proc/self/fd").iterdir())),
            _of_status("VmRSS"),
            {stage.told[name]: _handle(stage.told[name]) for name in ("decoy", "zygote", "referee")},
        )


def _of_status(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return 0


def _handle(pid: int) -> Any:
    """How a process may be handled from outside: its nice value, its limits, its processors."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii")
        return process.nice(), limits, sorted(process.cpu_affinity() or [])
    return None


def survivors(stage: Stage, before: Before, zygote: int) -> list[psutil.Process]:
    """Processes that came with the attack and are none of ours: under its name, or a copy of the zygote."""
    found = []
    spared = {os.getpid(), zygote, stage.decoy.pid}
    for pid in set(psutil.pids()) - before.processes - spared:
        with contextlib.suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            if process.status() != psutil.STATUS_ZOMBIE and _is_of(process, stage, zygote):
                found.append(process)
    return found


def _is_of(process: psutil.Process, stage: Stage, zygote: int) -> bool:
    if stage.told["name"] in (process.name(), *process.cmdline()):
        return True
    above = {each.pid for each in process.parents()}
    copy_of_a_zygote = str(ROOT / "grader" / "player") in " ".join(process.cmdline())
    return zygote in above or (copy_of_a_zygote and os.getpid() not in above)


@dataclass
class Peaks:
    """The most that was seen of each thing while the attack went on."""

    stage: Stage
    zygote: Callable[[], int]
    before: Before
    seen: dict[str, int] = field(default_factory=dict)

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(0.05):
                self._look()

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        try:
            yield
        finally:
            ended.set()
            looking.join()

    def _look(self) -> None:
        alive = survivors(self.stage, self.before, self.zygote())
        memory = threads = 0
        for process in alive:
            with contextlib.suppress(psutil.Error, OSError):
                memory += process.memory_info().rss
                threads += process.num_threads()
        disk, files = _scratch_use([Path(self.stage.told["dump"])])
        now = {
            "memory": memory + _segments(),
            "processes": len(alive),
            "threads": threads,
            "disk": disk,
            "files": files,
        }
        self.seen = {name: max(value, self.seen.get(name, 0)) for name, value in now.items()}

    @property
    def exhausted(self) -> list[str]:
        most = {
            "memory": MOST_MEMORY,
            "processes": MOST_PROCESSES,
            "threads": MOST_THREADS,
            "disk": MOST_DISK,
            "files": MOST_FILES,
        }
        return [f"{name}: {self.seen[name]:,}" for name in most if self.seen.get(name, 0) > most[name]]


def _segments() -> int:
    """Bytes of System V shared memory in this namespace."""
    with contextlib.suppress(OSError):
        rows = Path("/proc/sysvipc/shm").read_text(encoding="ascii").splitlines()[1:]
        return sum(int(row.split()[3]) for row in rows)
    return 0


def _scratch_use(folders: list[Path]) -> tuple[int, int]:
    """Bytes and files in the players' scratch folders and in the given ones."""
    disk = files = 0
    waiting = [*folders, *Path(tempfile.gettempdir()).glob("player-*")]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    disk += entry.stat(follow_symlinks=False).st_blocks * 512
                    files += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
    return disk, files


def written(stage: Stage, before: Before) -> list[str]:
    """Which watched places are not as they were; reading a file changes none of what is compared."""
    found = [path.name for path, was in before.files.items() if print_of(path) != was]
    if keyed(stage.told["key"]):
        found.append("a key in the kernel's keyring")
    return found


def shown(stage: Stage, report: Any) -> list[str]:
    """Where the canary, or the drawn size of the secret file, has come to light."""
    size = f"size {Path(stage.told['secret']).stat().st_size}"
    places = {"the report": repr(report), "a listener": repr(stage.heard)}
    for name in ("mark", "results", "dump"):
        path = Path(stage.told[name])
        texts = [each for each in (path.rglob("*") if path.is_dir() else [path]) if each.is_file()]
        known = Path(stage.told["report"])
        places[name] = "".join(each.read_text(encoding="utf-8", errors="replace") for each in texts if each != known)
    return [place for place, text in places.items() if CANARY in text or size in text]


def handled(before: Before) -> list[str]:
    """Processes that live, and were handled by somebody: another nice value, other limits, other processors."""
    return [str(pid) for pid, was in before.touched.items() if _handle(pid) not in (None, was)]


def killed(stage: Stage, zygote_before: int, zygote_now: int) -> list[str]:
    found = []
    if stage.decoy.poll() is not None or psutil.Process(stage.decoy.pid).status() == psutil.STATUS_STOPPED:
        found.append("the decoy")
    if zygote_now != zygote_before or not psutil.pid_exists(zygote_before):
        found.append("the zygote")
    return found


def outliving(stage: Stage, before: Before, zygote: int, seconds: float = 1.0) -> list[str]:
    """Processes of the attack that live on after the check has ended, for a second or more."""
    until = time.monotonic() + seconds
    while (alive := survivors(stage, before, zygote)) and time.monotonic() < until:
        time.sleep(0.05)
    return [f"{each.pid}" for each in alive]


def bury(stage: Stage, before: Before, zygote: int) -> None:
    """End what an attack has left behind: only processes that came with it."""
    for process in survivors(stage, before, zygote):
        with contextlib.suppress(psutil.Error):
            process.kill()


SPARE = 4
"""Descriptors that a thread of the tests' own may hold while they are counted; attacks that send some send hundreds."""


def hurt(before: Before, report: Any) -> list[str]:
    """What the referee itself has suffered: a fault of its own, lost descriptors, memory that it took."""
    found = []
    for _ in range(20):  # Others' descriptors of this process may be on their way out.
        gc.collect()
        open_now = len(list(Path("/proc/self/fd").iterdir()))
        if open_now <= before.descriptors + SPARE:
            break
        time.sleep(0.05)
    if open_now > before.descriptors + SPARE:
        found.append(f"{open_now - before.descriptors} descriptors more")
    if (growth := _of_status("VmHWM") - before.memory) > REFEREE_GROWTH:
        found.append(f"{growth:,} bytes more of memory")
    found += [f"a fault in {result.step}" for result in report.results if str(result.verdict) == "grader fault"]
    return found
