"""What the daemon holds, and whether it wakes, while nothing happens."""

from __future__ import annotations

import time

import watchword

from Benchmarks import accounting, sidecar
from Benchmarks.callers import require
from Benchmarks.servers import Site
from Benchmarks.situations import quiet_peers

FETCHES = 200
#: `count` is the number of idle peers; for every ten of them there is a session that has fetched once.
PEERS_PER_SESSION = 10
#: A finished fetch may leave a timer or two behind.
SETTLING_SECONDS, WATCHED_SECONDS = 1.0, 3.0


def measure(site: Site, count: int) -> dict[str, float]:
    target = site.targets["plain"]
    body = target.body
    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        session = client.session(sidecar.SESSION, sidecar.configuration(target))
        for _ in range(FETCHES):
            require(session.fetch(target.url).content == body, "a body is not whole")
        warm = accounting.memory(daemon.pid)
        sessions = [
            client.session(f"{sidecar.SESSION}{index}", sidecar.configuration(target))
            for index in range(count // PEERS_PER_SESSION)
        ]
        for other in sessions:
            require(other.fetch(target.url).content == body, "a body is not whole")
        with quiet_peers(daemon.socket, count):
            crowded = accounting.memory(daemon.pid)
            time.sleep(SETTLING_SECONDS)
            before = accounting.switches(daemon.pid)
            time.sleep(WATCHED_SECONDS)
            wakes = accounting.switches(daemon.pid) - before
    sizes = {"MiB warm": warm / accounting.MEBIBYTE, "MiB crowded": crowded / accounting.MEBIBYTE}
    return {**sizes, "wake-ups": wakes}
