"""A caller in C that pipelines its requests: what the daemon itself can do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import watchword

from Benchmarks import native, sidecar
from Benchmarks.callers import Batch, Caller, Target
from Benchmarks.callgrind import Counting

WORKLOADS = {"W4x64", "W5", "W5h2", "RPC1", "RPC8", "RPC64", "cycles", "cyclesBasic", "cyclesPing"}


@contextmanager
def batch(target: Target, window: int, counting: Counting | None = None) -> Iterator[Caller[Batch]]:
    """One connection with `window` fetches in flight."""
    with sidecar.started(counting) as daemon, watchword.Client(daemon.socket) as client:
        answer = sidecar.delegate(target)
        session = client.session(sidecar.SESSION, sidecar.configuration(target, window), on_challenge=answer)
        session.fetch(target.url)
        params = {"session": sidecar.SESSION, "url": target.url}
        load = native.load(daemon.socket, 1, window, *native.fetching(target, params))
        examine = sidecar.examination(daemon.socket, target, window)
        yield Caller(load, (daemon.pid,), own=False, fetched=1, examine=examine)


@contextmanager
def calls(clients: int, counting: Counting | None = None) -> Iterator[Caller[Batch]]:
    """So many connections with one request each."""
    with sidecar.started(counting) as daemon:
        load = native.load(daemon.socket, clients, 1, native.PING, native.PONG)
        yield Caller(load, (daemon.pid,), own=False)
