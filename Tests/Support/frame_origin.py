"""An origin that speaks HTTP/2 by hand: each request is answered with the frames that a test makes."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass

from Support import http2_frames, loopback
from Support.certificates import Identity
from Support.http2_frames import (
    ACK,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADER_BYTES,
    HEADERS,
    PREFACE,
    SETTINGS,
    frame,
)


@dataclass(frozen=True)
class FrameRequest:
    """A whole request of a client; `stream` is 0 for a request of HTTP/1.1."""

    connection: int
    stream: int


#: The bytes to send for a request.
Answer = Callable[[FrameRequest], bytes]


def success(stream: int) -> bytes:
    return frame(HEADERS, http2_frames.STATUS_200, stream, END_HEADERS | END_STREAM)


class FrameOrigin:
    """Listens on a loopback port of its own, with a thread for each connection."""

    def __init__(self, identity: Identity, answer: Answer, protocols: tuple[str, ...] = ("h2",)) -> None:
        self._answer = answer
        self.requests: list[FrameRequest] = []
        self._connections: list[socket.socket] = []
        self._streams: dict[int, ssl.SSLSocket] = {}
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(identity.certificate, identity.key)
        self._context.set_alpn_protocols(list(protocols))
        self._listener = socket.create_server((loopback.HOST, 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self._listener.getsockname()[1]}"

    def stop(self) -> None:
        self._listener.close()
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def end(self, request: FrameRequest, aborts: bool) -> None:
        """Ends the connection of a request: as a peer that has left, or in the middle of everything."""
        connection = self._streams[request.connection]
        if aborts:
            linger = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            connection.close()
        else:
            connection.sendall(http2_frames.goaway(request.stream))
            connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._connections.append(connection)
                arguments = (connection, len(self._connections))
                threading.Thread(target=self._serve, args=arguments, daemon=True).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError), self._context.wrap_socket(connection, server_side=True) as stream:
            self._streams[number] = stream
            speaks_http2 = stream.selected_alpn_protocol() == "h2"
            serve = self._serve_frames if speaks_http2 else self._serve_http1
            serve(stream, number)

    def _serve_frames(self, stream: ssl.SSLSocket, number: int) -> None:
        received = b""
        position = len(PREFACE)
        stream.sendall(http2_frames.settings() + frame(SETTINGS, flags=ACK))
        while data := stream.recv(65_536):
            received += data
            while len(received) >= position + HEADER_BYTES:
                length = int.from_bytes(received[position : position + 3], "big")
                if len(received) < position + HEADER_BYTES + length:
                    break
                kind, flags = received[position + 3], received[position + 4]
                identifier = int.from_bytes(received[position + 5 : position + HEADER_BYTES], "big")
                position += HEADER_BYTES + length
                # Not before: libcurl 7.88 may wait for ever then (CTransport/README.md).
                if kind in (DATA, HEADERS) and flags & END_STREAM:
                    stream.sendall(self._respond(FrameRequest(number, identifier)))

    def _serve_http1(self, stream: ssl.SSLSocket, number: int) -> None:
        received = b""
        while data := stream.recv(65_536):
            received += data
            if b"\r\n\r\n" in received:
                self.requests.append(FrameRequest(number, 0))
                stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                received = b""

    def _respond(self, request: FrameRequest) -> bytes:
        self.requests.append(request)
        return self._answer(request)
