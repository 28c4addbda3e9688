"""What the tests of proxies share."""

from __future__ import annotations

import base64
import contextlib
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any

from Integration.wire import Json, Peer

PROXY_USER = "courier"
PROXY_PASSWORD = "sentinel-proxy-Wd83"
REFUSAL = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
)

Roots = dict[str, Any]
MakeProxy = Callable[..., "ScriptedProxy"]


def basic(user: str, secret: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()


def open_through(peer: Peer, proxy: Json, *methods: str, **configuration: Json) -> str:
    """A session whose proxies are these, or this one for all origins; the connection takes `methods`."""
    proxies = {"all": proxy} if isinstance(proxy, str) and "://" in proxy else proxy
    return peer.open(
        configuration={"proxies": proxies, **configuration}, delegate={"tasks": list(methods), "session": []}
    )


class ScriptedProxy:
    """Answers each request that it is sent with the next bytes, the last ones for ever.

    `None` closes the connection instead, and `b""` is silence. The connection ends with the answer, unless it
    is a 200.
    """

    def __init__(self, answers: Sequence[bytes | None]) -> None:
        self._answers = list(answers)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        #: The heads of all requests, in order.
        self.heads: list[bytes] = []
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self._listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            received = b""
            while b"\r\n\r\n" not in received:
                piece = connection.recv(65536)
                if not piece:
                    return
                received += piece
            self.heads.append(received)
            answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            if answer is None:
                return
            if answer:
                connection.sendall(answer)
                if not answer.startswith(b"HTTP/1.1 200"):
                    return
            while connection.recv(65536):
                pass
