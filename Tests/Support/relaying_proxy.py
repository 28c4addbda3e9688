"""A forward proxy that carries requests on, if its judge lets them through; it remembers what it was sent."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from Support import loopback


@dataclass(frozen=True)
class ProxyRequest:
    """The head of a request as the proxy received it."""

    connection: int
    method: str
    target: str
    fields: list[tuple[str, str]]
    #: How many bytes of a body came with it.
    body: int
    raw: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.fields if key.lower() == name.lower()), None)

    @property
    def authorization(self) -> str | None:
        return self.header("Proxy-Authorization")


@dataclass(frozen=True)
class Verdict:
    """Whether a request goes through, and the fields of the response that says so."""

    passes: bool
    fields: tuple[tuple[str, str], ...] = ()


Judge = Callable[[ProxyRequest], Verdict]


def every_request(request: ProxyRequest) -> Verdict:
    return Verdict(True)


class RelayingProxy:
    """Listens on a loopback port, with a thread for each connection."""

    def __init__(
        self,
        judge: Judge = every_request,
        agreement: bytes = b"HTTP/1.1 200 Connection established\r\n\r\n",
        hook: Callable[[ProxyRequest, socket.socket], bool] | None = None,
        port: int = 0,
    ) -> None:
        """`agreement` answers CONNECT; `hook` may answer a request itself, and says whether it did."""
        self._judge = judge
        self.agreement = agreement
        self._hook = hook
        self._listener = socket.create_server((loopback.HOST, port), backlog=1024)
        self.port: int = self._listener.getsockname()[1]
        self.requests: list[ProxyRequest] = []
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://{loopback.HOST}:{self.port}"

    @property
    def connections(self) -> int:
        return len(self._connections)

    def stop(self) -> None:
        # Without `shutdown` the thread that waits in `accept` would keep the port open.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                number = len(self._connections)
                self._connections.append(connection)
                threading.Thread(target=self._serve, args=(connection, number), daemon=True).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException), connection:
            reader = connection.makefile("rb")
            while True:
                received = self._receive(reader, number)
                if received is None:
                    return
                request, body = received
                with self._lock:
                    self.requests.append(request)
                if self._hook is not None and self._hook(request, connection):
                    continue
                verdict = self._judge(request)
                if not verdict.passes:
                    connection.sendall(response(407, verdict.fields, b"the proxy's page"))
                elif request.method == "CONNECT":
                    connection.sendall(with_fields(self.agreement, verdict.fields))
                    return self._tunnel(connection, request.target)
                else:
                    connection.sendall(self._forward(request, body, verdict.fields))

    def _receive(self, reader: BinaryIO, number: int) -> tuple[ProxyRequest, bytes] | None:
        raw = b""
        while not raw.endswith(b"\r\n\r\n"):
            line = reader.readline()
            if not line:
                return None
            raw += line
        first, *lines = raw.decode("latin-1").split("\r\n")[:-2]
        method, target, _ = first.split(" ")
        fields = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        length = next((int(value) for name, value in fields if name.lower() == "content-length"), 0)
        body = reader.read(length) if length else b""
        return ProxyRequest(number, method, target, fields, len(body), raw), body

    def _tunnel(self, connection: socket.socket, target: str) -> None:
        host, _, port = target.rpartition(":")
        origin = socket.create_connection((host.strip("[]"), int(port)))
        with origin:
            threading.Thread(target=pump, args=(origin, connection), daemon=True).start()
            pump(connection, origin)

    def _forward(self, request: ProxyRequest, body: bytes, fields: tuple[tuple[str, str], ...]) -> bytes:
        authority, _, path = request.target.removeprefix("http://").partition("/")
        origin = http.client.HTTPConnection(authority, timeout=30)
        hop = ("connection", "proxy-connection", "proxy-authorization", "content-length")
        others = {name: value for name, value in request.fields if name.lower() not in hop}
        origin.request(request.method, "/" + path, body or None, others)
        answer = origin.getresponse()
        content = answer.read()
        kept = [
            (name, value)
            for name, value in answer.getheaders()
            if name.lower() not in ("content-length", "transfer-encoding", "connection")
        ]
        origin.close()
        return response(answer.status, (*kept, *fields), content)


def response(status: int, fields: tuple[tuple[str, str], ...], content: bytes) -> bytes:
    head = f"HTTP/1.1 {status} Status\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields)
    return head.encode("latin-1") + b"Content-Length: %d\r\n\r\n" % len(content) + content


def with_fields(head: bytes, fields: tuple[tuple[str, str], ...]) -> bytes:
    """The head with these fields behind its status line; no head stays none."""
    if not head:
        return b""
    status, _, rest = head.partition(b"\r\n")
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return status + b"\r\n" + lines.encode("latin-1") + rest


def pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def wants(authorization: str, challenge: str) -> Judge:
    """Lets requests with exactly this `Proxy-Authorization` through."""

    def judge(request: ProxyRequest) -> Verdict:
        passes = request.authorization == authorization
        return Verdict(passes, () if passes else (("Proxy-Authenticate", challenge),))

    return judge
