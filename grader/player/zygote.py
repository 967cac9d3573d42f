"""The zygote: has imported langgraph and run one warm-up graph, and forks one player per request.

It never sees a submission. Its control line carries ids, descriptors and scratch files, and it ends with that line.
"""

from __future__ import annotations

import base64
import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from grader.player import control, limits, namespaces, player, scratch, walls

NOT_WALLED_IN = 70
"""Exit status of a player whose walls could not be built: nothing was loaded into it."""


class Nursery:
    """Forks players, each into a scratch folder of its own, and ends them."""

    def __init__(self, line: socket.socket, plan: walls.Plan, acts: player.Acts) -> None:
        self._line = line
        self._plan = plan
        self._acts = acts
        self._alive: dict[int, int] = {}
        self._size = limits.address_space()
        walls.warm(plan)

    def serve(self) -> None:
        """Answer `fork` and `end` until the referee is gone; then end every player that is left."""
        control.send(self._line, {"ready": True})
        try:
            while True:
                asked, descriptors = control.receive(self._line)
                if asked["do"] == "fork":
                    self._alive[asked["id"]] = pid = self._fork(asked["id"], asked["files"], descriptors)
                    control.send(self._line, {"pid": pid})
                else:
                    control.send(self._line, self._end(asked["id"], asked["patience"], asked["carry"]))
        except control.Closed:
            for number in list(self._alive):
                self._end(number)

    def _place(self, number: int) -> Path:
        return Path(self._plan.scratch) / f"player-{number}"

    def _fork(self, number: int, files: dict[str, str], descriptors: list[int]) -> int:
        place = self._place(number)
        place.mkdir(mode=0o700)
        if self._plan.outer:
            namespaces.new_disk(place)
        scratch.write(place, {name: base64.b64decode(content) for name, content in files.items()})
        line, output = descriptors
        pid = os.fork()
        if pid:
            os.close(line)
            os.close(output)
            return pid
        status = NOT_WALLED_IN
        try:
            os.setsid()
            self._line.close()
            _only_with_parent()
            player.settle(output, str(place))
            limits.apply(self._size)
            walls.confine(self._plan, place)
            status = 1
            player.play(socket.socket(fileno=line), self._acts)
            status = 0
        finally:
            # No clean-up of the zygote's may run in a player: it ends here, whatever learner code registered.
            os._exit(status)

    def _end(self, number: int, patience: float = 0.0, carry: bool = False) -> dict[str, Any]:
        """Kill the player's whole session, say how it ended, and remove its scratch folder.

        One that had ended by itself keeps its own status. `patience` is for one that has hung up: its line closes some
        milliseconds before its status can be had. `carry` asks for the files that it left.
        """
        pid = self._alive.pop(number)
        until = time.monotonic() + patience
        while not (found := os.wait4(pid, os.WNOHANG))[0] and time.monotonic() < until:
            time.sleep(0.002)
        finished, status, usage = found
        _kill_group(pid)
        if not finished:
            _, status, usage = os.wait4(pid, 0)
        place = self._place(number)
        files = scratch.read(place) if carry else {}
        if self._plan.outer:
            namespaces.drop_disk(place)
        scratch.remove(place)
        return {
            "alive": not finished,
            "code": os.waitstatus_to_exitcode(status),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "peak_kb": usage.ru_maxrss,
            "files": {name: base64.b64encode(content).decode() for name, content in files.items()},
        }


def _only_with_parent() -> None:
    """On Linux a player ends with its zygote, also when that one is killed."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def _kill_group(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        except PermissionError:  # macOS says so of a group whose only process is already dead.
            continue
