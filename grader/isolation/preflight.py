"""The grader attacks its own walls, and says what it saw: a canary player, a secret, two listeners, a look at its user."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.isolation.levels import ASPECTS, isolation_of
from grader.isolation.outer import Walls
from grader.model import Isolation, Observation, Saw
from grader.player.limits import MEMORY
from grader.referee.player import Player
from grader.referee.source import Source
from grader.referee.zygote import NoPlayers, Zygote

_CANARY = Path(__file__).with_name("canary.py")


@dataclass(frozen=True)
class _Stage:
    """What the canary goes for, and what can be seen of it from outside."""

    secret: Path
    mark: Path
    tcp: socket.socket
    udp: socket.socket

    @property
    def told(self) -> dict[str, object]:
        return {
            "secret": str(self.secret),
            "mark": str(self.mark),
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "referee": os.getpid(),
            "memory": MEMORY + (64 << 20),
        }

    def touched(self) -> set[str]:
        """What arrived outside, whatever the canary says of itself."""
        found = {"write_outside"} if self.mark.exists() else set()
        with contextlib.suppress(OSError):
            self.tcp.accept()[0].close()
            found.add("network")
        with contextlib.suppress(OSError):
            self.udp.recv(64)
            found.add("network")
        return found


def look(zygote: Zygote, walls: Walls) -> Isolation:
    """Send the canary through one player of this zygote. Raises NoPlayers where it cannot even be asked."""
    with _stage() as stage:
        player = Player(zygote, "agstart")
        try:
            observation = player.load(_canary(stage), "canary")
            possible = _said(player, observation) | stage.touched()
            if _user(zygote) == 0:
                possible.add("root")
        finally:
            player.end()
    observed = {name: "possible" if name in possible else "refused" for name in ASPECTS}
    return isolation_of(observed, walls.how)


def _said(player: Player, observation: Observation) -> set[str]:
    printed, _ = player.printed()
    if not isinstance(observation, Saw):
        raise NoPlayers(
            f"A first, harmless check of the grader's own did not come back ({type(observation).__name__.lower()}: "
            f"{printed.strip()[-300:] or observation}). Run `python3 start.py doctor`, and report this."
        )
    return set(json.loads(printed.strip().splitlines()[-1]))


def _canary(stage: _Stage) -> Source:
    text = _CANARY.read_text(encoding="utf-8").replace("] = {}", f"] = {stage.told!r}")
    return Source("canary.py", {"canary.py": text.encode()}, "the canary")


@contextlib.contextmanager
def _stage() -> Iterator[_Stage]:
    with (
        tempfile.TemporaryDirectory(prefix="canary-") as folder,
        socket.socket() as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
    ):
        for listener in (tcp, udp):
            listener.bind(("127.0.0.1", 0))
            listener.settimeout(0)
        tcp.listen()
        place = Path(folder)
        place.chmod(0o777)  # Whoever a player is: what keeps it out has to be a wall, not a mode.
        secret = place / "secret"
        secret.write_text(secrets.token_hex(16), encoding="utf-8")
        yield _Stage(secret, place / "mark", tcp, udp)


def _user(zygote: Zygote) -> int:
    """The user that a player is for the kernel outside, whatever its own namespace calls it."""
    if sys.platform != "linux":
        return os.geteuid()
    last = zygote.pid
    while children := _children(last):
        last = children[-1]
    try:
        lines = Path(f"/proc/{last}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return os.geteuid()
    return next((int(line.split()[1]) for line in lines if line.startswith("Uid:")), os.geteuid())


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return []
