"""Carries bytes between the daemon and an origin, and can stop to, as a network does that is cut."""

from __future__ import annotations

import contextlib
import socket
import threading


class Relay:
    """`https://localhost:PORT` in front of a port of this host."""

    def __init__(self, port: int, listen: int = 0) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", listen))
        self.port: int = self._listener.getsockname()[1]
        #: Connections so far.
        self.connections = 0
        self._swallowed = 0
        self._first = 0
        self._goes = threading.Event()
        self._goes.set()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def swallow(self) -> None:
        """Carries nothing any more over the connections that there are; those that come later work."""
        self._swallowed = self.connections

    def hold(self, after: int) -> None:
        """Keeps what the origin sends behind so many answers until `release`."""
        self._first = after
        self._goes.clear()

    def release(self) -> None:
        self._goes.set()

    def stop(self) -> None:
        # Wakes the thread that accepts: the port is free after that.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.release()
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._open += [near, far]
                self.connections += 1
                for source, target in [(near, far), (far, near)]:
                    threading.Thread(
                        target=self._carry,
                        args=(source, target, self.connections, target is near),
                        daemon=True,
                    ).start()

    def _carry(self, source: socket.socket, target: socket.socket, number: int, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if is_answer and self._first > 0:
                    self._first -= 1
                elif is_answer:
                    self._goes.wait()
                if number > self._swallowed:
                    target.sendall(data)
            target.shutdown(socket.SHUT_WR)
