"""What a scripted origin demands before it serves: Basic, Bearer or Digest, checked on this side."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import unquote

from Support.exchange import Exchange, Request, Script


class Guard(Protocol):
    """Judges requests; whatever does not pass gets the challenges."""

    def passes(self, request: Request) -> bool: ...

    def challenges(self, request: Request) -> list[str]: ...

    def fields_of_success(self, request: Request) -> list[tuple[str, str]]: ...


@dataclass
class BasicGuard:
    """One user and password over Basic."""

    realm: str
    user: str
    password: str
    parameters: str = ""
    refused: int = 0

    def passes(self, request: Request) -> bool:
        given = request.authorization
        expected = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        if given == f"Basic {expected}":
            return True
        self.refused += given is not None
        return False

    def challenges(self, request: Request) -> list[str]:
        return [f'Basic realm="{self.realm}"{self.parameters}']

    def fields_of_success(self, request: Request) -> list[tuple[str, str]]:
        return []


@dataclass
class BearerGuard:
    """One token over Bearer."""

    realm: str
    token: str

    def passes(self, request: Request) -> bool:
        return request.authorization == f"Bearer {self.token}"

    def challenges(self, request: Request) -> list[str]:
        error = ', error="invalid_token"' if request.authorization else ""
        return [f'Bearer realm="{self.realm}", scope="read"{error}']

    def fields_of_success(self, request: Request) -> list[tuple[str, str]]:
        return []


def digest(algorithm: str, text: str, encoding: str = "utf-8") -> str:
    name = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}[algorithm.removesuffix("-sess")]
    return hashlib.new(name, text.encode(encoding)).hexdigest()


def parameters_of(field_value: str) -> dict[str, str]:
    """The parameters of an `Authorization: Digest` field; a name that comes twice is a fault."""
    found: dict[str, str] = {}
    pattern = r'\s*([!#$%&\'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)'
    position = len("Digest ")
    while position < len(field_value):
        match = re.compile(pattern).match(field_value, position)
        if match is None or match[1].lower() in found:
            raise ValueError(f"not a list of parameters: {field_value}")
        quoted, plain = match[2], match[3]
        found[match[1].lower()] = plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        position = match.end()
    return found


@dataclass
class DigestGuard:
    """RFC 7616 (and RFC 2069 without `qop`), one user; every nonce and count is remembered."""

    realm: str
    user: str
    password: str
    algorithm: str = "MD5"
    qop: str | None = "auth"
    userhash: bool = False
    opaque: str | None = None
    #: How texts are hashed; with latin-1, characters below U+0100 stand for octets, as in header fields here.
    encoding: str = "utf-8"
    nonce_prefix: str = ""
    charset: str | None = None
    domain: str | None = None
    uses_per_nonce: int | None = None
    #: Whether a nonce beyond its uses is called stale, as RFC 7616 has it.
    says_stale: bool = True
    #: Whether a nonce dies with the first count that is not the next one.
    in_order: bool = False
    next_nonce_after: int | None = None
    rspauth: str | None = "right"
    #: The `qop` of `Authentication-Info`, instead of the request's.
    claimed_qop: str | None = None
    issued: dict[str, int] = field(default_factory=dict)
    counts: set[tuple[str, int]] = field(default_factory=set)
    first_cnonce: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    #: Wrong responses: each is a bad login.
    refused: int = 0
    passed: int = 0
    #: Right responses that were refused for their nonce or count.
    disliked: int = 0

    def new_nonce(self) -> str:
        nonce = self.nonce_prefix + secrets.token_hex(12)
        self.issued[nonce] = 0
        return nonce

    def challenge(self, stale: bool = False) -> str:
        parts = [f'realm="{self.realm}"', f'nonce="{self.new_nonce()}"', f"algorithm={self.algorithm}"]
        if self.qop is not None:
            parts.append(f'qop="{self.qop}"')
        if self.opaque is not None:
            parts.append(f'opaque="{self.opaque}"')
        if self.domain is not None:
            parts.append(f'domain="{self.domain}"')
        if self.userhash:
            parts.append("userhash=true")
        if self.charset is not None:
            parts.append(f"charset={self.charset}")
        if stale:
            parts.append("stale=true")
        return "Digest " + ", ".join(parts)

    def challenges(self, request: Request) -> list[str]:
        return [self.challenge(self.says_stale and self._is_stale(request))]

    def passes(self, request: Request) -> bool:
        if not (request.authorization or "").startswith("Digest "):
            return False
        given = parameters_of(request.authorization or "")
        nonce = given.get("nonce", "")
        problem = self._problem(given, request)
        if problem is not None:
            self.faults.append(problem)
        if problem is not None or given.get("response") != self._expected(given, request, request.method):
            self.refused += 1
            return False
        if self._is_stale(request) or self._is_out_of_order(given):
            self.disliked += 1
            return False
        self.issued[nonce] += 1
        self.passed += 1
        return True

    def fields_of_success(self, request: Request) -> list[tuple[str, str]]:
        given = parameters_of(request.authorization or "")
        parts = []
        if self.rspauth is not None and self.qop is not None:
            value = self._expected(given, request, "")
            parts.append(f'rspauth="{value if self.rspauth == "right" else "0" * len(value)}"')
            quality = self.claimed_qop or given["qop"]
            parts.append(f'cnonce="{given["cnonce"]}", nc={given["nc"]}, qop={quality}')
        if self.next_nonce_after is not None and self.issued[given["nonce"]] >= self.next_nonce_after:
            parts.append(f'nextnonce="{self.new_nonce()}"')
        return [("Authentication-Info", ", ".join(parts))] if parts else []

    def _digest(self, text: str) -> str:
        return digest(self.algorithm, text, self.encoding)

    def _is_stale(self, request: Request) -> bool:
        if not (request.authorization or "").startswith("Digest "):
            return False
        nonce = parameters_of(request.authorization or "").get("nonce", "")
        return self.uses_per_nonce is not None and self.issued.get(nonce, 0) >= self.uses_per_nonce

    def _is_out_of_order(self, given: dict[str, str]) -> bool:
        nonce = given["nonce"]
        if not self.in_order or int(given["nc"], 16) == self.issued[nonce] + 1:
            return False
        self.issued[nonce] = 1 << 32
        return True

    def _problem(self, given: dict[str, str], request: Request) -> str | None:
        nonce = given.get("nonce", "")
        if nonce not in self.issued:
            return f"unknown nonce {nonce!r}"
        if given.get("realm") != self.realm or given.get("uri") != request.target:
            return f"wrong realm or uri: {given}"
        if given.get("opaque") != self.opaque:
            return f"wrong opaque: {given}"
        user = self._digest(f"{self.user}:{self.realm}") if self.userhash else self.user
        named = given.get("username") or unquote(given.get("username*", "").removeprefix("UTF-8''"))
        if named == user and self.qop is not None:
            count = int(given["nc"], 16)
            if len(given["nc"]) != 8 or (nonce, count) in self.counts:
                return f"count {given['nc']} of nonce {nonce} is malformed or came twice"
            self.counts.add((nonce, count))
        return None

    def _expected(self, given: dict[str, str], request: Request, method: str) -> str:
        """The response value (RFC 7616 §3.4.1), or `rspauth` when the method is empty (RFC 7616 §3.5)."""
        first = self._digest(f"{self.user}:{self.realm}:{self.password}")
        nonce, cnonce, qop = given.get("nonce", ""), given.get("cnonce", ""), given.get("qop")
        if self.algorithm.endswith("-sess"):
            first = self._digest(f"{first}:{nonce}:{self.first_cnonce.setdefault(nonce, cnonce)}")
        second = f"{method}:{given.get('uri')}"
        if qop == "auth-int":
            name = self.algorithm.removesuffix("-sess")
            hashed = hashlib.new({"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}[name])
            hashed.update(request.body if method else self.served)
            second += f":{hashed.hexdigest()}"
        second = self._digest(second)
        if qop is None:
            return self._digest(f"{first}:{nonce}:{second}")
        return self._digest(f"{first}:{nonce}:{given.get('nc')}:{cnonce}:{qop}:{second}")

    #: The body that follows a success, for `rspauth` under auth-int.
    served: bytes = b""


def guarded(
    guard: Guard,
    body: bytes = b"the watchword is known\n",
    also: tuple[str, ...] = (),
    proved: bytes | None = None,
    fields: tuple[tuple[str, str], ...] = (),
) -> Script:
    """Serves `body` to requests that pass, challenges the others; `also` are further challenges, first.

    `proved` is the body that `rspauth` is computed from under auth-int, when it is not the one served;
    `fields` go with the body.
    """

    async def script(exchange: Exchange) -> None:
        request = exchange.request
        if guard.passes(request):
            if isinstance(guard, DigestGuard):
                guard.served = body if proved is None else proved
            await exchange.respond(200, [*guard.fields_of_success(request), *fields], body)
        else:
            offered = [("WWW-Authenticate", value) for value in (*also, *guard.challenges(request))]
            await exchange.respond(401, offered, b"who goes there?")

    return script


def silent(guard: Guard, status: int) -> Script:
    """A page of a server that never asks: without the credential it denies the page, or its existence."""

    async def script(exchange: Exchange) -> None:
        if guard.passes(exchange.request):
            await exchange.respond(200, [], b"the watchword is known\n")
        else:
            await exchange.respond(status, [], b"there is no such page\n")

    return script
