"""An origin whose pages are large, coded, cut, slow or silent."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import threading
import zlib
from typing import Any

LARGE = bytes(range(256)) * 4096


def octets(text: str) -> str:
    """What ``send_header`` makes the UTF-8 of the text of."""
    return text.encode().decode("latin-1")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Pages

    def do_GET(self) -> None:
        if self.path == "/redirect":
            self.give(
                302, b"away", [("Location", "/echo"), ("Set-Cookie", "a=1; Path=/"), ("Set-Cookie", "b=2; Path=/")]
            )
        elif self.path == "/beyond-ascii":
            self.give(302, b"", [("Location", octets("/š")), ("X-Name", octets("café")), ("Set-Cookie", octets("a=é"))])
        elif self.path == "/large":
            self.give(200, LARGE)
        elif self.path == "/gzip":
            self.give(200, gzip.compress(LARGE), [("Content-Encoding", "gzip")])
        elif self.path == "/cut":
            self.give(200, LARGE[:1000], [], length=len(LARGE))
            self.close_connection = True
        elif self.path == "/slow":
            self.give(200, b"first ", [], length=12)
            self.server.go_on.wait(20)
            self.wfile.write(b"second")
        elif self.path in ("/lines", "/lines.gz"):
            self.lines(zlib.compressobj(wbits=31) if self.path.endswith("gz") else None)
        elif self.path == "/silent":
            self.server.go_on.wait(20)
            self.close_connection = True
        else:
            self.give(200, repr(sorted(self.headers.items())).encode())

    do_HEAD = do_GET

    def lines(self, coder: Any) -> None:
        """Two lines in two chunks: the second comes when the first one was read."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        if coder is not None:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.chunk(b"one\n" if coder is None else coder.compress(b"one\n") + coder.flush(zlib.Z_SYNC_FLUSH))
        self.server.go_on.wait(20)
        self.chunk(b"two\n" if coder is None else coder.compress(b"two\n") + coder.flush())
        self.chunk(b"")

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def do_POST(self) -> None:
        digest = hashlib.sha256()
        size = 0
        if self.headers.get("Transfer-Encoding") == "chunked":
            while count := int(self.rfile.readline(), 16):
                digest.update(self.rfile.read(count))
                size += count
                self.rfile.readline()
            self.rfile.readline()
        else:
            size = int(self.headers["Content-Length"])
            digest.update(self.rfile.read(size))
        self.give(200, f"{size} {digest.hexdigest()}".encode())

    def give(self, status: int, body: bytes, fields: Any = (), length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


class Pages(http.server.ThreadingHTTPServer):
    go_on: threading.Event
