"""The zygote: has imported langgraph and run one warm-up graph, and forks one player per request.

It never sees a submission. Its control socket carries ids and descriptors from the referee, and ends with it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from typing import Any

from grader.player import player

LARGEST_REQUEST = 65_536


def serve(control: socket.socket, acts: player.Acts) -> None:
    """Answer `fork` and `end` until the referee is gone; then end every player that is left."""
    alive: dict[int, int] = {}
    _say(control, {"ready": True})
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, LARGEST_REQUEST, 2)
        if not request:
            break
        asked = json.loads(request)
        if asked["do"] == "fork":
            pid = _fork(control, asked["scratch"], descriptors, acts)
            alive[asked["id"]] = pid
            _say(control, {"pid": pid})
        else:
            _say(control, _end(alive.pop(asked["id"]), asked["patience"]))
    for pid in alive.values():
        _end(pid)


def _fork(control: socket.socket, scratch: str, descriptors: list[int], acts: player.Acts) -> int:
    line, output = descriptors
    pid = os.fork()
    if pid:
        os.close(line)
        os.close(output)
        return pid
    status = 1
    try:
        os.setsid()
        control.close()
        _only_with_parent()
        player.play(socket.socket(fileno=line), output, scratch, acts)
        status = 0
    finally:
        # No clean-up of the zygote's may run in a player: it ends here, whatever learner code registered.
        os._exit(status)


def _only_with_parent() -> None:
    """On Linux a player ends with its zygote, also when that one is killed."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def _end(pid: int, patience: float = 0.0) -> dict[str, Any]:
    """Kill the player's whole session and say how it ended. One that had ended by itself keeps its own status.

    `patience` is for one that has hung up: its line closes some milliseconds before its status can be had.
    """
    until = time.monotonic() + patience
    while not (found := os.wait4(pid, os.WNOHANG))[0] and time.monotonic() < until:
        time.sleep(0.002)
    finished, status, usage = found
    _kill_group(pid)
    if not finished:
        _, status, usage = os.wait4(pid, 0)
    return {
        "alive": not finished,
        "code": os.waitstatus_to_exitcode(status),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "peak_kb": usage.ru_maxrss,
    }


def _kill_group(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        except PermissionError:  # macOS says so of a group whose only process is already dead.
            continue


def _say(control: socket.socket, content: dict[str, Any]) -> None:
    control.sendall(json.dumps(content).encode() + b"\n")
