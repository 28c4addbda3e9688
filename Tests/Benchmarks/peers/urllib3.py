"""urllib3: a pool in one thread, or shared by many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import urllib3

from Benchmarks.callers import Caller, Get, Target, require

WORKLOADS = {"W1", "W2", "W3", "W5", "W5p", "W6p", "W6s"}
THREADS = 64
PIECE = 1 << 20


def _pool(target: Target) -> urllib3.PoolManager:
    headers = {}
    if target.authentication == "basic":
        headers = urllib3.make_headers(basic_auth=f"{target.user}:{target.password}")
    return urllib3.PoolManager(maxsize=THREADS, ca_certs=target.root, headers=headers)


@contextmanager
def blocking(target: Target) -> Iterator[Caller[Get]]:
    pool = _pool(target)

    def get() -> bytes:
        response = pool.request("GET", target.url)
        require(response.status == 200, f"status {response.status}")
        data: bytes = response.data
        return data

    yield Caller(get)


@contextmanager
def download(target: Target, descriptor: int) -> Iterator[Caller[Callable[[], None]]]:
    pool = _pool(target)
    with open(descriptor, "wb", buffering=0, closefd=False) as output:

        def fetch() -> None:
            response = pool.request("GET", target.url, preload_content=False)
            for piece in response.stream(PIECE):
                output.write(piece)

        yield Caller(fetch)
