"""Put on a process's path by the tests: no connection leaves this machine, and none reaches another program on it."""

import socket
from typing import Any


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise OSError("the tests run offline")


class _Offline(socket.socket):
    def connect(self, address: Any) -> None:
        if self.family != getattr(socket, "AF_UNIX", None):
            _refuse()
        super().connect(address)

    def connect_ex(self, address: Any) -> int:
        self.connect(address)
        return 0


socket.socket = _Offline  # type: ignore[misc]
socket.getaddrinfo = _refuse
socket.create_connection = _refuse
