"""A relay to a TLS 1.2 server that holds what a client presents until it is told to let it through."""

from __future__ import annotations

import contextlib
import socket
import threading

from Support import loopback


class HeldHandshake:
    """The first connection stops before the client's second flight; later ones pass."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._released = threading.Event()
        #: The client has said who it is.
        self.presented = threading.Event()
        self._listener = socket.create_server((loopback.HOST, 0))
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self._listener.getsockname()[1]}/"

    def release(self) -> None:
        self._released.set()

    def stop(self) -> None:
        self._released.set()
        self._listener.close()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection((loopback.HOST, self._port))
                threading.Thread(target=self._pass, args=(server, client), daemon=True).start()
                threading.Thread(target=self._hold, args=(client, server), daemon=True).start()

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def _hold(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            server.sendall(client.recv(65536))
            data = client.recv(65536)
            self.presented.set()
            self._released.wait()
            server.sendall(data)
        self._pass(client, server)
