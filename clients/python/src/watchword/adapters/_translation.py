"""What both libraries' requests have to lose before they are ours, and what a body can be."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from http.client import responses
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

__all__ = ["READ_BYTES", "HeldBody", "phrase", "request_fields", "request_url", "seconds_of", "sort_body"]

#: Fields that frame a message or belong to a hop: the daemon's to set, and refused from a caller.
FRAMING = frozenset(
    (
        "connection", "content-length", "expect", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    )
)  # fmt: skip
#: A body of known length up to this is held, so that it can be sent again after a 401; a larger one is streamed once.
LARGEST_HELD_BODY = 1 << 20
#: What one read from a body or pipe takes at most: the size of a pipe.
READ_BYTES = 1 << 16
#: The seconds that the daemon takes as a timeout; the libraries have no such limits.
SHORTEST_TIMEOUT, LONGEST_TIMEOUT = 0.001, 315_360_000.0

HeldBody = Any


def user_and_password(user: Any, password: Any) -> tuple[str, str | bytes] | None:
    """What a library's ``DigestAuth`` has, as ``auth`` of a fetch takes it; None for what no user can be."""
    try:
        return user.decode() if isinstance(user, bytes) else str(user), password
    except UnicodeDecodeError:
        return None


def environment_proxies(url: str) -> dict[str, str] | str | None:
    """``proxies`` of a fetch by curl's variables, for a URL; None where they name no proxy at all."""
    named = getproxies_environment()
    if not named.keys() & {"http", "https", "all"}:
        return None
    parts = urlsplit(url)
    proxy = named.get(parts.scheme) or named.get("all")
    if not proxy or proxy_bypass_environment(parts.netloc.rpartition("@")[2], named):
        return "none"
    return proxies_of(proxy)


def proxies_of(proxy: str) -> dict[str, str]:
    """``proxies`` of a fetch that goes through this one."""
    return {"all": proxy if "://" in proxy else f"http://{proxy}"}


def request_url(url: str) -> str:
    """The URL without userinfo, which the library above has made a header field of, and without fragment."""
    head, mark, rest = url.partition("://")
    end = min((place for place in map(rest.find, "/?#") if place >= 0), default=len(rest))
    return f"{head}{mark}{rest[:end].rpartition('@')[2]}{rest[end:]}".partition("#")[0]


def request_fields(fields: Iterable[tuple[Any, Any]], url: str) -> list[tuple[str, str | bytes]]:
    """The header fields that are the caller's; a Host that only repeats the URL's is the daemon's again."""
    try:
        host = urlsplit(url).netloc.lower()
    except ValueError:  # the daemon will say what is wrong with it
        host = ""
    pairs = [(_text(name), value if isinstance(value, bytes) else str(value)) for name, value in fields]
    return [
        (name, value)
        for name, value in pairs
        if not ((folded := name.lower()) in FRAMING or (folded == "host" and _text(value).lower() == host))
    ]


def _text(part: Any) -> str:
    if not isinstance(part, bytes):
        return str(part)
    try:
        return part.decode()
    except UnicodeDecodeError:
        return part.decode("latin-1")


def seconds_of(timeout: Any) -> float | None:
    """A timeout as the daemon takes one, which is the nearest one to the library's. None is none."""
    if not isinstance(timeout, (int, float)):
        return None
    return min(max(timeout, SHORTEST_TIMEOUT), LONGEST_TIMEOUT)


def phrase(status: int) -> str:
    """The usual reason phrase; the daemon does not tell the server's."""
    return responses.get(status, "")


def sort_body(body: Any, length: str | None) -> tuple[HeldBody, Iterator[bytes] | None]:
    """A body that can be handed over as it is, or else its pieces, to be streamed."""
    if body is None or isinstance(body, (str, bytes, bytearray, memoryview, io.BytesIO, io.TextIOBase)):
        return (None, None) if body is None else (body, None)
    if _has_descriptor(body):
        return body, None
    pieces = _pieces(body)
    if fits(length):
        return b"".join(pieces), None
    return None, pieces


def fits(length: str | None) -> bool:
    """Whether a Content-Length promises a body that is small enough to be held."""
    return length is not None and length.isascii() and length.isdigit() and int(length) <= LARGEST_HELD_BODY


def _has_descriptor(body: Any) -> bool:
    try:
        return isinstance(body.fileno(), int)
    except (AttributeError, OSError, ValueError):
        return False


def _pieces(body: Any) -> Iterator[bytes]:
    if hasattr(body, "read"):
        while piece := body.read(READ_BYTES):
            yield _bytes(piece)
    else:
        for piece in body:
            yield _bytes(piece)


def _bytes(piece: Any) -> bytes:
    return piece.encode() if isinstance(piece, str) else bytes(piece)
