"""What stands around an attack: a secret, listeners, a results folder, a decoy process. All of it is the runner's own.

Everything is told to the attacker, for a wall that holds only as long as nobody knows a path is none.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CANARY = f"canary-{secrets.token_hex(12)}"
"""Stands in every place that must not be read; whatever shows it afterwards was read."""

VARIABLE = "LAB_ATTACK_SECRET"
"""An environment variable that holds the canary, in the referee and in the decoy."""

_DECOY = "import sys, time; held = sys.argv[1] * 9; print('up', flush=True); time.sleep(600)"
_USERSOCK = 2
_ADD_KEY, _KEYCTL, _SEARCH, _UNLINK, _USER_KEYRING = 248, 250, 10, 9, -4


@dataclass
class Stage:
    """One attack's surroundings. `told` is what the attacker knows."""

    folder: Path
    told: dict[str, Any]
    decoy: subprocess.Popen[bytes]
    listeners: dict[str, socket.socket]
    heard: dict[str, bytes] = field(default_factory=dict)
    _open: bool = True

    @property
    def watched(self) -> list[Path]:
        """Files and folders that nobody but the runner may change, or make."""
        names = ("secret", "solution", "sibling", "results", "mark", "shm", "vartmp", "posted", "dump")
        return [Path(self.told[name]) for name in names]

    def listen(self) -> None:
        """Take what has arrived at the listeners; a connection alone counts as much as bytes."""
        for name, listener in self.listeners.items():
            with contextlib.suppress(OSError):
                while True:
                    if name in ("tcp", "unix", "abstract"):
                        line, _ = listener.accept()
                        with line:
                            line.settimeout(0.2)
                            self.heard[name] = self.heard.get(name, b"") + b"a connection: " + _all_of(line)
                    else:
                        self.heard[name] = self.heard.get(name, b"") + listener.recv(65_536)

    def visit(self) -> None:
        """Come by at the port that the attacker was told to listen at, until the stage is closed."""
        while self._open:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.told["free"]), 0.2):
                self.heard["free"] = b"somebody listens there"
            time.sleep(0.05)

    def close(self) -> None:
        self._open = False


@contextlib.contextmanager
def staged(folder: Path, zygote: int) -> Iterator[Stage]:
    """Build the stage below `folder`, and take down everything that it or an attacker has left."""
    name = f"atk{secrets.token_hex(5)}"
    listeners, addresses = _listeners(folder, name)
    decoy = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _DECOY, CANARY],
        stdout=subprocess.PIPE,
        env={VARIABLE: CANARY},
        start_new_session=True,
    )
    assert decoy.stdout is not None
    decoy.stdout.readline()
    told = {
        **_files(folder),
        **addresses,
        "name": name,
        "variable": VARIABLE,
        "key": f"lab:{name}",
        "shm": f"/dev/shm/{name}",
        "vartmp": f"/var/tmp/{name}",
        "posted": str(Path(tempfile.gettempdir(), f"post-{name}")),
        "referee": os.getpid(),
        "zygote": zygote,
        "decoy": decoy.pid,
    }
    stage = Stage(folder, told, decoy, listeners)
    visitor = threading.Thread(target=stage.visit, daemon=True)
    visitor.start()
    try:
        yield stage
    finally:
        stage.close()
        visitor.join()
        decoy.send_signal(signal.SIGKILL)
        decoy.wait()
        decoy.stdout.close()
        for listener in listeners.values():
            listener.close()
        for place in (told["shm"], told["vartmp"], told["posted"], told["unix"]):
            Path(place).unlink(missing_ok=True)
        keyed(told["key"], forget=True)


def keyed(description: str, *, forget: bool = False) -> bool:
    """Whether the user's own keyring in the kernel holds a key of this name."""
    if sys.platform != "linux":
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    found = call(_KEYCTL, _SEARCH, _USER_KEYRING, b"user", description.encode(), 0)
    if found > 0 and forget:
        call(_KEYCTL, _UNLINK, found, _USER_KEYRING)
    return int(found) > 0


def _files(folder: Path) -> dict[str, Any]:
    """The files of an instructor's machine; the secret's size is drawn, so that telling it proves a look at it."""
    secret = folder / "secret.txt"
    secret.write_text(CANARY + " " * secrets.choice(range(100_000, 900_000)), encoding="utf-8")
    solution = folder / "solutions" / "agstate" / "state.py"
    sibling = folder / "submissions" / "b" / "agstate" / "state.py"
    report = folder / "results" / "b.json"
    for path in (solution, sibling, report):
        path.parent.mkdir(parents=True)
        path.write_text(f"# {CANARY}\n", encoding="utf-8")
    (folder / "dump").mkdir()
    (folder / "submissions" / f"{CANARY}.txt").touch()
    return {
        "secret": str(secret),
        "solution": str(solution),
        "sibling": str(sibling),
        "siblings": str(folder / "submissions"),
        "results": str(report.parent),
        "report": str(report),
        "mark": str(folder / "mark"),
        "dump": str(folder / "dump"),
    }


def _listeners(folder: Path, name: str) -> tuple[dict[str, socket.socket], dict[str, Any]]:
    tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
    unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _USERSOCK)
    path = Path(tempfile.gettempdir(), f"{name}.sock")  # A longer path than 107 bytes is no address.
    for listener, address in (
        (tcp, ("127.0.0.1", 0)),
        (udp, ("127.0.0.1", 0)),
        (unix, str(path)),
        (abstract, f"\0{name}"),
        (netlink, (0, 0)),
    ):
        listener.bind(address)
        listener.setblocking(False)
    for listener in (tcp, unix, abstract):
        listener.listen(16)
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        free = reserved.getsockname()[1]
    made = {"tcp": tcp, "udp": udp, "unix": unix, "abstract": abstract, "netlink": netlink}
    addresses = {
        "tcp": tcp.getsockname()[1],
        "udp": udp.getsockname()[1],
        "unix": str(path),
        "abstract": name,
        "netlink": netlink.getsockname()[0],
        "free": free,
    }
    return made, addresses


def _all_of(line: socket.socket) -> bytes:
    """What a connected attacker has sent, at most a megabyte; one that says no more is not waited for."""
    taken = b""
    with contextlib.suppress(OSError):
        while len(taken) < 1_000_000 and (part := line.recv(65_536)):
            taken += part
    return taken
