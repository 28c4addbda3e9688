"""A daemon of a few lines of asyncio, called by the same caller in C."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from Benchmarks import native
from Benchmarks.callers import Batch, Caller

WORKLOADS = {"RPC1", "RPC8", "RPC64"}

PROGRAM = """
import asyncio, json, sys

class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.pending = transport, b""

    def data_received(self, data):
        *lines, self.pending = (self.pending + data).split(b"\\n")
        for line in lines:
            reply = {"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {}}
            self.transport.write(json.dumps(reply, separators=(",", ":")).encode() + b"\\n")

async def main():
    server = await asyncio.get_running_loop().create_unix_server(Echo, sys.argv[1])
    await server.serve_forever()

asyncio.run(main())
"""


@contextmanager
def calls(clients: int) -> Iterator[Caller[Batch]]:
    with native.serving([sys.executable, "-c", PROGRAM], clients, native.PING, native.PONG) as caller:
        yield caller
