"""One request as a scripted origin received it, and the means to answer it well or badly."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

Headers = Iterable[tuple[str, str]]

REASONS = {200: "OK", 302: "Found", 401: "Unauthorized", 404: "Not Found"}


@dataclass
class Request:
    """A request as it came over the wire."""

    connection: int
    method: str
    target: str
    version: str
    headers: list[tuple[str, str]]
    raw_head: bytes
    body: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name: str) -> str | None:
        found = self.all(name)
        return found[0] if found else None

    @property
    def authorization(self) -> str | None:
        return self.header("Authorization")


@dataclass
class Connection:
    """One accepted connection: its number and every byte that came over it."""

    number: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    received: bytearray = field(default_factory=bytearray)
    open: bool = True

    async def read_until(self, separator: bytes) -> bytes:
        data = await self.reader.readuntil(separator)
        self.received += data
        return data

    async def read_exactly(self, count: int) -> bytes:
        data = await self.reader.readexactly(count)
        self.received += data
        return data

    async def read_some(self) -> bytes:
        data = await self.reader.read(1 << 16)
        self.received += data
        return data


def head(status: int, headers: Headers = (), reason: str | None = None) -> bytes:
    """A status line and header fields, as they are, with the empty line."""
    phrase = REASONS.get(status, "Status") if reason is None else reason
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1")


class Exchange:
    """What a script gets: the request, and ways to write, stall, close or reset."""

    def __init__(self, connection: Connection, request: Request) -> None:
        self.connection = connection
        self.request = request

    async def read_body(self) -> bytes:
        """Reads what the framing fields announce; says `100 Continue` first when asked to."""
        request = self.request
        if (request.header("Expect") or "").lower() == "100-continue":
            await self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        if (request.header("Transfer-Encoding") or "").lower() == "chunked":
            body = b""
            while size := int((await self.connection.read_until(b"\r\n")).split(b";")[0], 16):
                body += (await self.connection.read_exactly(size + 2))[:-2]
            await self.connection.read_until(b"\r\n")
            request.body = body
        else:
            request.body = await self.connection.read_exactly(int(request.header("Content-Length") or 0))
        return request.body

    async def send(self, data: bytes) -> None:
        self.connection.writer.write(data)
        await self.connection.writer.drain()

    async def respond(
        self, status: int, headers: Headers = (), body: bytes = b"", reason: str | None = None
    ) -> None:
        """A whole, honest reply that keeps the connection open."""
        fields = [*headers, ("Content-Length", str(len(body)))]
        await self.send(head(status, fields, reason) + (b"" if self.request.method == "HEAD" else body))

    async def close(self) -> None:
        self.connection.open = False
        self.connection.writer.close()

    async def reset(self) -> None:
        """Ends the connection with a TCP reset instead of an orderly close."""
        self.connection.open = False
        endpoint = self.connection.writer.get_extra_info("socket")
        endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.writer.transport.abort()

    async def until_peer_leaves(self) -> None:
        """Says nothing more until the other side has closed."""
        while await self.connection.read_some():
            pass
        self.connection.open = False


Script = Callable[[Exchange], Awaitable[None]]
