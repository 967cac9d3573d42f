"""The canary: code of ours that is loaded into a player like a submission, and tries what a submission must not do.

Never imported here: its text is sent. It prints what was possible, and the referee looks from outside as well.
"""

import json
import os
import socket
from pathlib import Path
from typing import Any

TOLD: dict[str, Any] = {}


def connects(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=1).close()


def sends(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"the canary was here", ("127.0.0.1", port))


def starts_a_process() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


ATTEMPTS = (
    ("read_outside", lambda: Path(TOLD["secret"]).read_bytes()),
    ("sizes_outside", lambda: Path(TOLD["secret"]).stat()),
    ("write_outside", lambda: Path(TOLD["mark"]).write_bytes(b"the canary was here")),
    ("network", lambda: connects(TOLD["tcp"])),
    ("network", lambda: sends(TOLD["udp"])),
    ("other_processes", lambda: os.kill(TOLD["referee"], 0)),
    ("other_processes", lambda: os.kill(os.getppid() or TOLD["referee"], 0)),
    ("new_processes", starts_a_process),
    ("memory", lambda: bytearray(TOLD["memory"])),
)

possible = set()
for name, attempt in ATTEMPTS:
    try:
        attempt()
    except (OSError, MemoryError):
        continue
    possible.add(name)
print(json.dumps(sorted(possible)))
