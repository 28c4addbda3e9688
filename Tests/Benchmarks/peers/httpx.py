"""httpx: blocking, or with asyncio where many are in flight."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx

from Benchmarks.callers import AsyncGet, Caller, Get, Target, require

WORKLOADS = {"W1", "W2", "W3", "W4", "W5", "W5h2"}


def _options(target: Target) -> dict[str, Any]:
    auth: Any = None
    match target.authentication:
        case "basic":
            auth = (target.user, target.password)
        case "digest":
            auth = httpx.DigestAuth(target.user, target.password)
    return {"verify": ssl.create_default_context(cafile=target.root), "auth": auth, "trust_env": False}


def _body(response: httpx.Response) -> bytes:
    require(response.status_code == 200, f"status {response.status_code}")
    content: bytes = response.content
    return content


@contextmanager
def blocking(target: Target) -> Iterator[Caller[Get]]:
    with httpx.Client(**_options(target)) as client:
        yield Caller(lambda: _body(client.get(target.url)))


@asynccontextmanager
async def asynchronous(target: Target, window: int) -> AsyncIterator[Caller[AsyncGet]]:
    limits = httpx.Limits(max_connections=window, max_keepalive_connections=window)
    async with httpx.AsyncClient(http2=target.http2, limits=limits, **_options(target)) as client:

        async def get() -> bytes:
            return _body(await client.get(target.url))

        yield Caller(get)
