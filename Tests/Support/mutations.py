"""Replies that differ a little from the odd ones: each is made from a seed and a number alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from Support.http_replies import ODD_REPLIES

#: Longer replies change too little to be worth their time.
MAXIMUM_BYTES = 4096

BASES = [odd.data for odd in ODD_REPLIES if len(odd.data) <= MAXIMUM_BYTES] + [
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n",
    b'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="r"\r\nContent-Length: 0\r\n\r\n',
    b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\nX: y\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
]

LINES = [
    b" Date: x",
    b"\tfolded",
    b" ",
    b"",
    b":",
    b": x",
    b"X",
    b"X:",
    b"X : y",
    b"X: " + b"y" * 2000,
    b"Connection: close",
    b"Connection: keep-alive",
    b"Content-Encoding: gzip, br",
    b"Content-Length: 0",
    b"Content-Length: 5",
    b"Content-Length: 18446744073709551617",
    b"Content-Range: bytes 0-4/5",
    b"HTTP/1.1 100 Continue",
    b"HTTP/1.1 200 OK",
    b"Location: /elsewhere",
    b"Set-Cookie: a=b; Domain=localhost; Max-Age=9",
    b"Strict-Transport-Security: max-age=9",
    b'Alt-Svc: h2=":443"',
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip, chunked",
    b"Upgrade: h2c",
    b'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"',
]

TOKENS = [b"\r", b"\n", b"\r\n", b"\r\n\r\n", b" ", b"\t", b"\0", b":", b";"]
TOKENS += [b"0\r\n\r\n", b"\xff", b"ffffffff\r\n"]


def _cut(source: random.Random, data: bytes) -> bytes:
    return data[: source.randrange(len(data) + 1)]


def _token(source: random.Random, data: bytes) -> bytes:
    at = source.randrange(len(data) + 1)
    return data[:at] + source.choice(TOKENS) + data[at:]


def _byte(source: random.Random, data: bytes) -> bytes:
    at = source.randrange(len(data) + 1)
    return data[:at] + bytes([source.randrange(256)]) + data[at + 1 :]


def _removed(source: random.Random, data: bytes) -> bytes:
    at = source.randrange(len(data) + 1)
    return data[:at] + data[at + source.randrange(1, 9) :]


def _line(source: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\r\n")
    lines.insert(min(source.randrange(6), len(lines)), source.choice(LINES))
    return b"\r\n".join(lines)


def _indented(source: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\r\n")
    at = source.randrange(len(lines))
    lines[at] = source.choice([b" ", b"\t"]) + lines[at]
    return b"\r\n".join(lines)


def _repeated(source: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\r\n")
    at = source.randrange(len(lines))
    lines[at:at] = [lines[at]] * source.choice([1, 2, 50])
    return b"\r\n".join(lines)


def _swapped(source: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\r\n")
    source.shuffle(lines)
    return b"\r\n".join(lines)


def _spliced(source: random.Random, data: bytes) -> bytes:
    return _cut(source, data) + _cut(source, source.choice(BASES))


def _preceded(source: random.Random, data: bytes) -> bytes:
    return source.choice(BASES) + data


def _other_ends(source: random.Random, data: bytes) -> bytes:
    return data.replace(b"\r\n", source.choice([b"\n", b"\r", b"\n\r"]), source.randrange(1, 9))


MUTATIONS: list[Callable[[random.Random, bytes], bytes]] = [
    *(_cut, _token, _byte, _removed, _line, _line, _indented, _indented),
    *(_repeated, _swapped, _spliced, _preceded, _other_ends),
]


@dataclass(frozen=True)
class Mutant:
    """A reply, how many pieces it is sent in, and whether the connection ends after it."""

    data: bytes
    pieces: int
    closes: bool


def mutant(seed: int, number: int) -> Mutant:
    source = random.Random(f"{seed}:{number}")
    data = source.choice(BASES)
    for _ in range(source.choice([0, 1, 1, 1, 2, 2, 3, 5])):
        data = source.choice(MUTATIONS)(source, data)[: 4 * MAXIMUM_BYTES]
    # What could go on is left waiting now and then only: each time costs a time limit.
    return Mutant(data, source.choice([1, 1, 1, 2, 5]), source.random() < 0.7)
