"""The Python client, blocking and with asyncio."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import BinaryIO

import watchword

from Benchmarks import sidecar
from Benchmarks.callers import AsyncGet, Batch, Caller, Get, Target, require
from Benchmarks.shapes import repeat

WORKLOADS = {
    *("W1", "W2", "W3", "W4", "W4x64", "W5", "W5h2", "W5p", "W6p", "W6s", "W6u", "W9", "RPC1"),
    *("cold", "waiters", "idle", "growth"),
}
#: For the crowd of W5p: fewer connections than fetches in flight.
SHARED_CONNECTIONS = 16


@contextmanager
def blocking(target: Target) -> Iterator[Caller[Get]]:
    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        settings, answer = sidecar.configuration(target), sidecar.delegate(target)
        session = client.session(sidecar.SESSION, settings, on_challenge=answer)

        def get() -> bytes:
            response = session.fetch(target.url)
            require(response.status == 200, f"status {response.status}")
            return response.content

        yield Caller(get, (daemon.pid,), examine=sidecar.examination(daemon.socket, target, 1))


@asynccontextmanager
async def asynchronous(target: Target, window: int) -> AsyncIterator[Caller[AsyncGet]]:
    with sidecar.started_or_joined() as (socket, processes):
        async with watchword.AsyncClient(socket) as client:
            settings, answer = sidecar.configuration(target, window), sidecar.delegate(target)
            session = await client.session(sidecar.SESSION, settings, on_challenge=answer)

            async def get() -> bytes:
                response = await session.fetch(target.url)
                require(response.status == 200, f"status {response.status}")
                return response.content

            yield Caller(get, processes, examine=sidecar.examination(socket, target, window))


@contextmanager
def shared(target: Target) -> Iterator[Caller[None]]:
    """The session that the crowd's processes join; they answer for themselves."""
    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        client.session(sidecar.SESSION, sidecar.configuration(target, SHARED_CONNECTIONS))
        examine = sidecar.examination(daemon.socket, target, SHARED_CONNECTIONS)
        environment = {sidecar.SOCKET: str(daemon.socket)}
        yield Caller(None, (daemon.pid,), own=False, examine=examine, environment=environment)


@contextmanager
def download(target: Target, descriptor: int) -> Iterator[Caller[Callable[[], None]]]:
    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        session = client.session(sidecar.SESSION, sidecar.configuration(target))
        with open(descriptor, "wb", buffering=0, closefd=False) as output:

            def fetch() -> None:
                response = session.download(target.url, output)
                require(response.status == 200, f"status {response.status}")

            os.lseek(descriptor, 0, os.SEEK_SET)
            yield Caller(fetch, (daemon.pid,), examine=sidecar.examination(daemon.socket, target, 1))


@contextmanager
def upload(target: Target, source: BinaryIO) -> Iterator[Caller[Callable[[], None]]]:
    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        session = client.session(sidecar.SESSION, sidecar.configuration(target))

        def send() -> None:
            response = session.fetch(target.url, method="PUT", body=source)
            require(response.status in (201, 204), f"status {response.status}")

        yield Caller(send, (daemon.pid,), examine=sidecar.examination(daemon.socket, target, 1))


@contextmanager
def calls(clients: int) -> Iterator[Caller[Batch]]:
    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        yield Caller(lambda count: repeat(client.ping, count, None), (daemon.pid,))
