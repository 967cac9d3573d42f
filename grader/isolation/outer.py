"""Which walls this machine can have, and the command line that starts a zygote behind them.

The outer wall is bubblewrap: a file system of nothing but Python and the player's side of the grader, no network, its own
process numbers. The inner ones are built by each player (`grader/player/walls.py`).
"""

from __future__ import annotations

import functools
import json
import os
import platform
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from grader.isolation.levels import LIMITED, SEALED, WALLED
from grader.player.landlock import version as landlock_version
from grader.player.seccomp import available as seccomp_available
from grader.player.walls import Plan

_GRADER = Path(__file__).resolve().parent.parent
ENTRY = _GRADER / "player" / "__main__.py"
NOBODY = 65_534
"""The user that a player is where the referee is root; it owns nothing."""
_SOMEBODY = 1_000
_TRY_SECONDS = 20

_SYSTEM = (
    *("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/etc/localtime"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
)


@dataclass(frozen=True)
class Walls:
    """What can be had here: the plan for the zygote, bubblewrap's own arguments, and in words how it is made."""

    plan: Plan
    wrap: Sequence[str] = ()
    how: Sequence[str] = ()

    def command(self, descriptor: str, environment: dict[str, str], scratch: str) -> list[str]:
        """The zygote's command line; its scratch folders lie below `scratch` unless the outer wall has a place for them."""
        plan = replace(self.plan, scratch=_INSIDE if self.plan.outer else scratch)
        python = [sys.executable, "-s", "-X", "utf8", str(ENTRY), descriptor, json.dumps(asdict(plan))]
        if not self.wrap:
            return python
        settings = [part for name, value in environment.items() for part in ("--setenv", name, value)]
        return [*self.wrap, "--clearenv", *settings, "--", *python]


_INSIDE = "/scratch"


@functools.cache
def best(highest: int = SEALED) -> Walls:
    """The strongest walls that can be built here, at most those of level `highest`. Each is tried, not guessed."""
    if highest <= LIMITED or not (landlock_version() and seccomp_available()):
        return Walls(Plan(), how=("limits of one process",))
    inner = Plan(inner=True, readable=readable())
    how = (f"Landlock (version {landlock_version()})", f"seccomp ({platform.machine()})", "limits of one process")
    if highest >= SEALED and (bwrap := shutil.which("bwrap")):
        for user in (NOBODY, None) if os.geteuid() == 0 else (None,):
            walls = Walls(
                replace(inner, outer=True, become=user), _wrap(bwrap, user), ("bubblewrap", "namespaces", *how)
            )
            if _works(walls):
                return walls
    if os.geteuid() == 0:
        walls = Walls(replace(inner, become=NOBODY), how=how)
        if _works(walls):
            return walls
    walls = Walls(inner, how=how)
    return walls if highest >= WALLED and _works(walls) else Walls(Plan(), how=("limits of one process",))


def readable() -> tuple[str, ...]:
    """What a player may read: Python, its packages, the system's libraries, and its own side of the grader."""
    paths = sysconfig.get_paths()
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, paths["stdlib"], paths["platstdlib"], paths["purelib"]]
    python += [*site.getsitepackages(), str(Path(sys.executable).resolve().parent)]
    acts = [file for name in ("acts", "predict_acts") for file in _GRADER.glob(f"labs/*/{name}.py")]
    wanted = [*map(Path, (*python, *_SYSTEM)), _GRADER / "player", *acts]
    there = [path for path in wanted if path.exists()]
    # By its own name and by the one that links lead to: Python looks under the first, the kernel under the second.
    return tuple(_outermost(_without_the_whole_machine({str(path) for path in (*there, *map(Path.resolve, there))})))


def _outermost(paths: list[str]) -> list[str]:
    """The paths that lie below no other one of them."""
    kept: list[str] = []
    for path in sorted(paths):
        if not any(path.startswith(f"{other}/") for other in kept):
            kept.append(path)
    return kept


def _without_the_whole_machine(paths: set[str]) -> list[str]:
    """`/usr` is a prefix of many Pythons, and holds nothing secret; `/` or a home folder as one would open everything."""
    forbidden = {"/", "/root", "/home", str(Path.home()), str(_GRADER.parent), tempfile.gettempdir()}
    return [path for path in paths if path not in forbidden]


def _wrap(bwrap: str, user: int | None) -> list[str]:
    """bubblewrap's arguments. As root it starts without a user namespace, and the zygote becomes `user` by itself.

    `--die-with-parent` is left out on purpose: it would follow the thread that starts the zygote, not the process. The
    zygote ends when the referee's end of its line is closed.
    """
    who = (
        ["--unshare-user", "--uid", str(_SOMEBODY), "--gid", str(_SOMEBODY)]
        if user is None
        else ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    )
    spaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    binds = [part for path in _parents(readable()) for part in ("--perms", "0755", "--dir", path)]
    binds += [part for path in readable() for part in _bind(path)]
    devices = ["--proc", "/proc", "--dev", "/dev", "--perms", "0777", "--dir", _INSIDE, "--chdir", "/"]
    return [bwrap, *who, *spaces, "--new-session", *binds, *devices]


def _parents(paths: Sequence[str]) -> list[str]:
    """The folders above them, which anybody may pass through: a Python below a closed home folder is found as well."""
    return sorted({str(parent) for path in paths for parent in Path(path).parents} - {"/"})


def _bind(path: str) -> list[str]:
    if Path(path).is_symlink():
        return ["--symlink", str(Path(path).readlink()), path]
    return ["--ro-bind", path, path]


def _works(walls: Walls) -> bool:
    """Whether a process can go behind these walls; what it could still do there is for the preflight to see."""
    try:
        tried = subprocess.run(
            walls.command("-", {}, tempfile.gettempdir()),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_TRY_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0
