#!/usr/bin/env python3
"""A protected origin for trying things out: an HTTP server on a loopback port of its own.

    /open/...     without a password
    /basic/...    Basic, realm "basic demo"
    /digest/...   Digest (SHA-256 and MD5, qop auth), realm "digest demo"

The user is ``reader``, the password ``open sesame``. Prints its port, then serves until it is stopped.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USER, PASSWORD = "reader", "open sesame"
ALGORITHMS = {"SHA-256": hashlib.sha256, "MD5": hashlib.md5}
REALM = "digest demo"


class Origin(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.nonces: dict[str, int] = {}

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class Handler(BaseHTTPRequestHandler):
    server: Origin
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        place = self.path.split("/")[1].partition("?")[0]
        authorization = self.headers.get("Authorization", "")
        if place == "open":
            self.answer(200, "for everybody\n")
        elif place == "basic":
            if authorized_by_basic(authorization):
                self.answer(200, f"basic: welcome, {USER}\n")
            else:
                self.answer(401, "who are you?\n", ['Basic realm="basic demo", charset="UTF-8"'])
        elif place == "digest":
            verdict = self.judge_digest(authorization)
            if verdict == "accepted":
                self.answer(200, f"digest: welcome, {USER}\n")
            else:
                self.answer(401, "who are you?\n", self.digest_challenges(stale=verdict == "stale"))
        else:
            self.answer(404, "try /open, /basic or /digest\n")

    do_HEAD = do_GET

    def answer(self, status: int, text: str, challenges: list[str] | None = None) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for challenge in challenges or []:
            self.send_header("WWW-Authenticate", challenge)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def digest_challenges(self, stale: bool) -> list[str]:
        nonce = secrets.token_hex(16)
        self.server.nonces[nonce] = 0
        tail = ", stale=true" if stale else ""
        return [
            f'Digest realm="{REALM}", qop="auth", algorithm={algorithm}, nonce="{nonce}"{tail}'
            for algorithm in ALGORITHMS
        ]

    def judge_digest(self, authorization: str) -> str:
        """``accepted``, ``refused``, or ``stale`` for a right answer to a nonce that is not known."""
        scheme, _, rest = authorization.partition(" ")
        pairs = re.findall(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))', rest)
        given = {name.lower(): quoted or bare for name, quoted, bare in pairs}
        algorithm = ALGORITHMS.get(given.get("algorithm", "MD5").upper())
        needed = {"username", "realm", "nonce", "uri", "qop", "nc", "cnonce", "response"}
        if scheme.lower() != "digest" or algorithm is None or not needed <= given.keys():
            return "refused"

        def digest(text: str) -> str:
            return algorithm(text.encode()).hexdigest()

        who = digest(f"{USER}:{REALM}:{PASSWORD}")
        what = digest(f"{self.command}:{self.path}")
        expected = digest(":".join((who, given["nonce"], given["nc"], given["cnonce"], given["qop"], what)))
        right = (given["username"], given["realm"], given["uri"]) == (USER, REALM, self.path)
        if not right or not hmac.compare_digest(expected.encode(), given["response"].encode()):
            return "refused"
        count = int(given["nc"], 16) if re.fullmatch("[0-9a-fA-F]{8}", given["nc"]) else 0
        seen = self.server.nonces.get(given["nonce"])
        if seen is None:
            return "stale"
        if count <= seen:
            return "refused"  # a replay
        self.server.nonces[given["nonce"]] = count
        return "accepted"

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def authorized_by_basic(authorization: str) -> bool:
    scheme, _, token = authorization.partition(" ")
    try:
        given = base64.b64decode(token.strip(), validate=True)
    except ValueError:
        return False
    return scheme.lower() == "basic" and hmac.compare_digest(given, f"{USER}:{PASSWORD}".encode())


def main() -> None:
    origin = Origin(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(origin.port, flush=True)
    try:
        origin.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
