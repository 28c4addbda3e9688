"""An HTTPS origin that takes clients of one authority only, and lets the others finish what they say."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from pathlib import Path
from typing import BinaryIO

from Support import loopback
from Support.certificates import Identity


def _read_body(stream: BinaryIO, headers: dict[bytes, bytes]) -> bytes:
    if headers.get(b"transfer-encoding") != b"chunked":
        return stream.read(int(headers.get(b"content-length", b"0")))
    body = b""
    while size := int(stream.readline(), 16):
        body += stream.read(size)
        stream.readline()
    stream.readline()
    return body


class RefusingOrigin:
    """Keeps the bodies of the requests that it has taken, which it answers with 200."""

    def __init__(self, identity: Identity, clients: Path, version: ssl.TLSVersion) -> None:
        self.bodies: list[bytes] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(identity.certificate, identity.key)
        self._context.minimum_version = self._context.maximum_version = version
        self._context.verify_mode = ssl.CERT_REQUIRED
        self._context.load_verify_locations(clients)
        self._listener = socket.create_server((loopback.HOST, 0))
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self._listener.getsockname()[1]}/"

    def stop(self) -> None:
        self._listener.close()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # The descriptor stays this one's: a refused handshake would close it, and what was not read yet would
        # make that a reset, which takes the alert away.
        with connection, contextlib.suppress(OSError):
            try:
                tls = self._context.wrap_socket(connection.dup(), server_side=True)
            except ssl.SSLError:
                while connection.recv(65536):
                    pass
                return
            with tls, tls.makefile("rb") as stream:
                stream.readline()
                headers = {}
                while line := stream.readline().strip():
                    name, _, value = line.partition(b":")
                    headers[name.lower()] = value.strip()
                self.bodies.append(_read_body(stream, headers))
                tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
