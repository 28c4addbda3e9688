"""Ready-made scripts for scripted origins: honest replies, and everything real servers do not do."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable

from Support.exchange import Exchange, Headers, Script, head
from Support.scripted_origin import Gate

OK_BODY = b"the watchword is known\n"
TEXT = ("Content-Type", "text/plain")


def reply(
    status: int = 200, body: bytes = OK_BODY, headers: Headers = (), reason: str | None = None
) -> Script:
    fields = list(headers)

    async def script(exchange: Exchange) -> None:
        await exchange.respond(status, fields, body, reason)

    return script


def challenged(*fields: str, status: int = 401, body: bytes = b"who goes there?") -> Script:
    """A 401 with one `WWW-Authenticate` line per field value."""
    return reply(status, body, [("WWW-Authenticate", value) for value in fields])


def redirect(location: str, status: int = 302, headers: Headers = ()) -> Script:
    return reply(status, b"moved", [("Location", location), *headers])


def raw(data: bytes, close: bool = True) -> Script:
    """Sends the bytes as they are."""

    async def script(exchange: Exchange) -> None:
        await exchange.send(data)
        if close:
            await exchange.close()

    return script


def byte_by_byte(data: bytes) -> Script:
    """Sends every byte in a packet of its own."""

    async def script(exchange: Exchange) -> None:
        for index in range(len(data)):
            await exchange.send(data[index : index + 1])
            await asyncio.sleep(0)

    return script


def reset_after(data: bytes) -> Script:
    """Sends the bytes and then resets the connection."""

    async def script(exchange: Exchange) -> None:
        await exchange.send(data)
        await exchange.reset()

    return script


def stall_after(data: bytes = b"") -> Script:
    """Sends the bytes, then says nothing until the other side leaves."""

    async def script(exchange: Exchange) -> None:
        if data:
            await exchange.send(data)
        await exchange.until_peer_leaves()

    return script


def held(gate: Gate, script: Script) -> Script:
    """Answers when the gate opens."""

    async def waiting(exchange: Exchange) -> None:
        await gate.opened()
        await script(exchange)

    return waiting


def endless(headers: Headers = (), chunk: bytes = bytes(1 << 16), status: int = 200) -> Script:
    """A body that never ends, in chunked coding."""
    fields = [*headers, ("Transfer-Encoding", "chunked")]

    async def script(exchange: Exchange) -> None:
        await exchange.send(head(status, fields))
        framed = b"%x\r\n%b\r\n" % (len(chunk), chunk)
        while True:
            await exchange.send(framed)

    return script


def endless_headers() -> Script:
    """A head that never ends."""

    async def script(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\n")
        number = 0
        while True:
            await exchange.send(b"".join(b"X-Fill-%d: %064d\r\n" % (number + i, 0) for i in range(256)))
            number += 256

    return script


def coded(coding: str, body: bytes) -> Script:
    """A body with its `Content-Encoding`."""
    return reply(body=body, headers=[TEXT, ("Content-Encoding", coding)])


def gzip_bomb(size: int) -> bytes:
    """Zeros, a thousand times smaller on the wire."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()


def zstd_raw(body: bytes) -> bytes:
    """A zstd frame whose only block is stored (RFC 8878 §3.1.1.2); at most 128 KiB."""
    block = ((len(body) << 3) | 1).to_bytes(3, "little") + body
    return b"\x28\xb5\x2f\xfd" + b"\x00\x58" + block


def zstd_bomb(size: int) -> bytes:
    """A zstd frame of run-length blocks: four bytes each for 128 KiB."""
    run = 1 << 17
    count = size // run
    blocks = b"".join(
        ((run << 3) | (1 << 1) | (index == count - 1)).to_bytes(3, "little") + b"\0" for index in range(count)
    )
    return b"\x28\xb5\x2f\xfd" + b"\x00\x58" + blocks


def brotli_raw(body: bytes) -> bytes:
    """A brotli stream with one stored meta-block (RFC 7932 §9.2); at most 64 KiB."""
    # WBITS 16 (bit 0), ISLAST 0, MNIBBLES 4 (00), MLEN - 1 in 16 bits, ISUNCOMPRESSED 1, then padding.
    bits = (0 << 0) | (0 << 1) | (0 << 2) | ((len(body) - 1) << 4) | (1 << 20)
    return bits.to_bytes(3, "little") + body + b"\x03"


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli_raw,
    "zstd": zstd_raw,
}
