"""Whether a fetch costs more when the daemon holds more: two daemons in turns, one of them loaded."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import watchword

from Benchmarks import sidecar
from Benchmarks.callers import Target
from Benchmarks.servers import Site
from Benchmarks.shapes import repeat
from Benchmarks.situations import quiet_peers

CREDENTIALS_PER_SESSION = 10
TURNS, FETCHES = 10, 50

Load = Callable[[watchword.Client, str, int], Iterator[None]]


def measure(site: Site, count: int) -> dict[str, float]:
    target = site.targets["plain"]
    return {
        "sessions": _ratio(target, count, _sessions),
        "credentials": _ratio(target, count * CREDENTIALS_PER_SESSION, _credentials),
        "peers": _ratio(target, count, _peers),
    }


def _ratio(target: Target, count: int, load: Load) -> float:
    times: tuple[list[float], list[float]] = ([], [])
    with ExitStack() as stack:
        daemons = [stack.enter_context(sidecar.started()) for _ in times]
        clients = [stack.enter_context(watchword.Client(daemon.socket)) for daemon in daemons]
        sessions = [client.session(sidecar.SESSION, sidecar.configuration(target)) for client in clients]
        stack.enter_context(contextmanager(load)(clients[1], str(daemons[1].socket), count))
        for _ in range(TURNS):
            for session, taken in zip(sessions, times, strict=True):
                taken += _latencies(session, target)
    return statistics.median(times[1]) / statistics.median(times[0])


def _latencies(session: watchword.Session, target: Target) -> list[float]:
    return list(repeat(lambda: session.fetch(target.url).content, FETCHES, target.body).latencies)


def _sessions(client: watchword.Client, socket: str, count: int) -> Iterator[None]:
    for index in range(count):
        client.session(f"other{index}")
    yield


def _credentials(client: watchword.Client, socket: str, count: int) -> Iterator[None]:
    credential = watchword.Credential("reader", "a password")
    session = client.session(sidecar.SESSION)
    for index in range(count):
        space = watchword.ProtectionSpace("https", f"host{index % 1000}.test", 443, f"realm {index}", "basic")
        session.set_credential(space, credential)
    yield


def _peers(client: watchword.Client, socket: str, count: int) -> Iterator[None]:
    with quiet_peers(socket, count):
        yield
