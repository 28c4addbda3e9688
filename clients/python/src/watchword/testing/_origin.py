"""A scripted origin: what it answers, whom it lets in, what it has received."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .._errors import InvalidArgument
from .._response import Headers

__all__ = ["ProtectedOrigin", "ReceivedRequest", "protected_origin"]

#: A larger request body is not kept.
LARGEST_BODY = 64 << 20


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as it came, and the status that answered it. ``headers`` has what was sent, also the secrets."""

    method: str
    path: str
    headers: Headers = field(repr=False)
    body: bytes = field(repr=False)
    status: int


@dataclass
class Page:
    """What answers requests of a path; the next page of the path follows after ``times`` of them."""

    body: bytes
    status: int
    headers: Mapping[str, str]
    times: int | None
    lock: Lock | None = None


@dataclass(frozen=True)
class Lock:
    """Who may have a page."""

    method: str
    realm: str
    user: str
    password: str = field(repr=False)
    nonce: str = field(default_factory=lambda: secrets.token_hex(8), repr=False)

    def challenge(self) -> str:
        realm = self.realm.replace("\\", "\\\\").replace('"', '\\"')
        if self.method == "digest":
            return f'Digest realm="{realm}", qop="auth", algorithm=SHA-256, nonce="{self.nonce}"'
        return f'{self.method.capitalize()} realm="{realm}"'

    def opens(self, method: str, target: str, authorization: str) -> bool:
        scheme, _, given = authorization.partition(" ")
        if scheme.lower() != self.method:
            return False
        if self.method == "bearer":
            return hmac.compare_digest(given.encode(), self.password.encode())
        if self.method == "basic":
            wanted = base64.b64encode(f"{self.user}:{self.password}".encode())
            return hmac.compare_digest(given.encode(), wanted)
        return self._has_answered(method, target, given)

    def _has_answered(self, method: str, target: str, given: str) -> bool:
        """RFC 7616 §3.4.1."""
        parts = {name.lower(): quoted or token for name, quoted, token in _PARAMETER.findall(given)}
        if (parts.get("username"), parts.get("nonce"), parts.get("uri")) != (self.user, self.nonce, target):
            return False
        owner = _sha(f"{self.user}:{self.realm}:{self.password}")
        request = _sha(f"{method}:{target}")
        rest = ":".join(parts.get(name, "") for name in ("nonce", "nc", "cnonce", "qop"))
        return hmac.compare_digest(parts.get("response", "").encode(), _sha(f"{owner}:{rest}:{request}").encode())


_PARAMETER = re.compile(r'(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]*))')


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class ProtectedOrigin(ThreadingHTTPServer):
    """An http server on a loopback port of its own. Paths without a page are 404."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        #: Everything that came, in order.
        self.requests: list[ReceivedRequest] = []
        self._pages: dict[str, list[Page]] = {}
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def serve(
        self, path: str, body: bytes = b"", *, status: int = 200, headers: Mapping[str, str] | None = None,
        times: int | None = None,
    ) -> str:  # fmt: skip
        """Answers a path, after what it was told before has been used up; its URL."""
        return self._add(path, Page(body, status, headers or {}, times))

    def protect(
        self,
        path: str,
        method: str = "basic",
        *,
        user: str = "",
        password: str | None = None,
        token: str | None = None,
        realm: str = "test",
        body: bytes = b"",
    ) -> str:
        """A page for a user and a password, or with ``bearer`` for a token; its URL."""
        if method not in ("basic", "digest", "bearer"):
            raise InvalidArgument("an origin asks for basic, digest or bearer")
        secret = token if token is not None else password
        if secret is None or (password is not None and token is not None):
            raise InvalidArgument("protect() needs a password, or a token")
        if token is not None and method != "bearer":
            raise InvalidArgument("a token is for bearer")
        return self._add(path, Page(body, 200, {}, None, Lock(method, realm, user, secret)))

    def _add(self, path: str, page: Page) -> str:
        with self._lock:
            self._pages.setdefault(path, []).append(page)
        return self.url + path

    def page(self, path: str) -> Page | None:
        """The page for the next request."""
        with self._lock:
            pages = self._pages.get(path, [])
            while pages and pages[0].times == 0:
                pages.pop(0)
            if not pages:
                return None
            if pages[0].times is not None:
                pages[0].times -= 1
            return pages[0]


class _Handler(BaseHTTPRequestHandler):
    server: ProtectedOrigin
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _answer(self) -> None:
        page = self.server.page(self.path.partition("?")[0])
        length = self.headers.get("Content-Length", "0")
        body = self.rfile.read(min(int(length), LARGEST_BODY)) if length.isdigit() else b""
        if page is None:
            page = Page(b"", 404, {}, None)
        elif page.lock is not None and not self._is_let_in(page.lock):
            page = Page(b"", 401, {"WWW-Authenticate": page.lock.challenge()}, None)
        received = ReceivedRequest(self.command, self.path, Headers(self.headers.items()), body, page.status)
        self.server.requests.append(received)
        self.send_response(page.status)
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page.body)

    def _is_let_in(self, lock: Lock) -> bool:
        return lock.opens(self.command, self.path, self.headers.get("Authorization", ""))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _answer

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing: a test looks at ``requests``."""


@contextmanager
def protected_origin() -> Iterator[ProtectedOrigin]:
    """Serves until the end of the block."""
    with ProtectedOrigin() as origin:
        thread = threading.Thread(target=origin.serve_forever, args=(0.01,), name="watchword-origin", daemon=True)
        thread.start()
        try:
            yield origin
        finally:
            origin.shutdown()
            thread.join()
