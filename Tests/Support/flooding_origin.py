"""An origin that answers every request with a flood, until it is told to stop, or has sent enough."""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from Support import http2_frames, loopback
from Support.certificates import Identity
from Support.floods import Flood, Layer
from Support.tls_records import APPLICATION_DATA, RecordWriter, server_secret

#: A flood that is neither stopped nor cut off ends here; generous, for sanitizer builds on a busy machine.
MAXIMUM_SECONDS = 30.0
MAXIMUM_BYTES = 8 << 30

#: So little is under way that what was sent beyond it has been read.
SEND_BUFFER_BYTES = 1 << 16
RECEIVE_BYTES = 1 << 16

#: Records written by hand are read faster than made, so that many are made before the first one is sent.
RECORDS_AHEAD = 50_000
RECORDS_AT_ONCE = 1_000

SETTINGS = http2_frames.settings() + http2_frames.frame(http2_frames.SETTINGS, flags=http2_frames.ACK)

WAITING = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class FloodingOrigin:
    """Listens on a loopback port of its own, with a thread for each connection."""

    def __init__(self, flood: Flood, identity: Identity) -> None:
        self.flood = flood
        self.sent = 0
        #: The flood ended at its own bound, and not because the other side or the test ended it.
        self.exhausted = False
        self.faults: list[Exception] = []
        self._stopped = threading.Event()
        self._changed = threading.Condition()
        self._running = 0
        self._started: float | None = None
        self._directory = tempfile.TemporaryDirectory(prefix="watchword-flood-")
        self._keylog = Path(self._directory.name) / "secrets"
        self._context = None if flood.layer is Layer.CLEAR else self._tls(identity)
        self._listener = socket.create_server((loopback.HOST, 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        port = self._listener.getsockname()[1]
        return f"https://localhost:{port}/" if self._context else f"http://{loopback.HOST}:{port}/"

    def wait_until_felt(self, seconds: float = 40) -> None:
        """Waits until more was sent than fits into the sockets' buffers, or the flood is over."""
        self._wait(lambda: self.sent > 8 * SEND_BUFFER_BYTES or self._is_over, seconds)

    def wait_until_over(self, seconds: float = 40) -> None:
        self._wait(lambda: self._is_over, seconds)

    def stop(self) -> None:
        self._stopped.set()
        self._listener.close()
        self._wait(lambda: self._running == 0, 40)
        self._directory.cleanup()

    @property
    def _is_over(self) -> bool:
        return self._started is not None and self._running == 0

    def _wait(self, condition: Callable[[], bool], seconds: float) -> None:
        with self._changed:
            if not self._changed.wait_for(condition, seconds):
                raise TimeoutError(f"the flood {self.flood.name} has sent {self.sent} bytes")

    def _tls(self, identity: Identity) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(identity.certificate, identity.key)
        context.set_alpn_protocols(["h2" if self.flood.layer is Layer.HTTP2 else "http/1.1"])
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        # The first record after the handshake is the flood's.
        context.num_tickets = 0
        if self.flood.layer is Layer.RECORDS:
            context.keylog_filename = str(self._keylog)
        return context

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with self._changed:
            self._running += 1
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            connection.settimeout(MAXIMUM_SECONDS)
            with contextlib.suppress(OSError), connection:
                self._answer(connection)
        except Exception as fault:
            self.faults.append(fault)
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _answer(self, connection: socket.socket) -> None:
        plain = connection.dup() if self.flood.layer is Layer.RECORDS else None
        stream = self._context.wrap_socket(connection, server_side=True) if self._context else connection
        with stream:
            self._read_request(stream)
            with self._changed:
                self._started = self._started or time.monotonic()
            if plain is None:
                self._send(stream, itertools.chain([self._head()], itertools.repeat(self.flood.block)))
            else:
                with plain, contextlib.closing(RecordWriter(server_secret(self._keylog))) as writer:
                    self._send(plain, self._records(writer))

    def _read_request(self, stream: socket.socket) -> None:
        received = b""
        is_http2 = self.flood.layer is Layer.HTTP2
        while not (http2_frames.request_has_come(received) if is_http2 else b"\r\n\r\n" in received):
            data = stream.recv(RECEIVE_BYTES)
            if not data:
                raise ConnectionError
            received += data

    def _head(self) -> bytes:
        if self.flood.layer is not Layer.HTTP2:
            return self.flood.head
        return SETTINGS + self.flood.head

    def _records(self, writer: RecordWriter) -> Iterator[bytes]:
        assert self.flood.record
        head = writer.record(APPLICATION_DATA, self.flood.head)
        ahead = [self.flood.record(writer) for _ in range(RECORDS_AHEAD)]
        yield head + b"".join(ahead)
        while True:
            yield b"".join(self.flood.record(writer) for _ in range(RECORDS_AT_ONCE))

    def _send(self, stream: socket.socket, blocks: Iterator[bytes]) -> None:
        stream.setblocking(False)
        for block in blocks:
            rest = memoryview(block)
            while rest:
                if self._stopped.is_set() or self._has_sent_enough():
                    return
                try:
                    count = stream.send(rest)
                    rest = rest[count:]
                    self._note(count)
                except WAITING:
                    select.select([stream], [stream], [], 0.1)
                with contextlib.suppress(*WAITING):
                    if not stream.recv(RECEIVE_BYTES):
                        return

    def _note(self, count: int) -> None:
        with self._changed:
            self.sent += count
            self._changed.notify_all()

    def _has_sent_enough(self) -> bool:
        assert self._started
        if self.sent > MAXIMUM_BYTES or time.monotonic() > self._started + MAXIMUM_SECONDS:
            self.exhausted = True
        return self.exhausted
