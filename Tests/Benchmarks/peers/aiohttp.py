"""aiohttp: one session in one loop."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from Benchmarks.callers import AsyncGet, Caller, Target, require

WORKLOADS = {"W1", "W2", "W3", "W4", "W4x64", "W5", "W5p", "W9"}


@asynccontextmanager
async def asynchronous(target: Target, window: int) -> AsyncIterator[Caller[AsyncGet]]:
    context = ssl.create_default_context(cafile=target.root)
    connector = aiohttp.TCPConnector(ssl=context, limit=window)
    options: dict[str, Any] = {}
    if target.proxy:
        options["proxy"] = target.proxy
        options["proxy_auth"] = aiohttp.BasicAuth(target.user, target.password)
    match target.authentication:
        case "basic":
            options["auth"] = aiohttp.BasicAuth(target.user, target.password)
        case "digest":
            options["middlewares"] = (aiohttp.DigestAuthMiddleware(target.user, target.password),)
    async with aiohttp.ClientSession(connector=connector, **options) as session:

        async def get() -> bytes:
            async with session.get(target.url) as response:
                require(response.status == 200, f"status {response.status}")
                body: bytes = await response.read()
                return body

        yield Caller(get)
