"""An origin that answers with mutants, many at once: `/SEED/NUMBER` names the one that is wanted."""

from __future__ import annotations

import asyncio

from Support import loopback
from Support.mutations import mutant

#: Any other path gets its own name as an honest answer.
HONEST = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b"


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._received = b""
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received and not self._transport.is_closing():
            head, _, self._received = self._received.partition(b"\r\n\r\n")
            self._answer(head.split(b" ")[1].decode("ascii"))

    def _answer(self, path: str) -> None:
        parts = path.strip("/").split("/")
        if len(parts) != 2:
            self._transport.write(HONEST % (len(path), path.encode()))
            return
        wanted = mutant(int(parts[0]), int(parts[1]))
        size = max(1, -(-len(wanted.data) // wanted.pieces))
        self._send([wanted.data[at : at + size] for at in range(0, len(wanted.data), size)], wanted.closes)

    def _send(self, pieces: list[bytes], closes: bool) -> None:
        """A piece in each turn of the loop, so that they arrive one by one."""
        if self._transport.is_closing():
            return
        if pieces:
            self._transport.write(pieces[0])
        if len(pieces) > 1:
            asyncio.get_running_loop().call_soon(self._send, pieces[1:], closes)
        elif closes:
            self._transport.close()


class MutatingOrigin:
    """Listens on a loopback port of its own, on the running loop."""

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(_Connection, loopback.HOST, 0, backlog=1024)
        self.port = int(self._server.sockets[0].getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://{loopback.HOST}:{self.port}"

    def stop(self) -> None:
        self._server.close()
