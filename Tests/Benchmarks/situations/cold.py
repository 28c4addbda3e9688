"""A fetch that is challenged, beside one that is not: 401, notification, reply, second exchange."""

from __future__ import annotations

import statistics
import time

import watchword

from Benchmarks import sidecar
from Benchmarks.callers import require
from Benchmarks.servers import Site


def measure(site: Site, count: int) -> dict[str, float]:
    target = site.targets["basicPlain"]
    body, clock = target.body, time.perf_counter
    asked: list[watchword.ProtectionSpace] = []

    def answer(challenge: watchword.Challenge) -> watchword.Answer:
        asked.append(challenge.protection_space)
        return watchword.use_credential(target.user, target.password)

    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        session = client.session(sidecar.SESSION, sidecar.configuration(target), on_challenge=answer)

        def fetch() -> float:
            began = clock()
            content = session.fetch(target.url).content
            seconds = clock() - began
            require(content == body, "a body is not whole")
            return seconds

        fetch()
        before = site.logged()
        cold, warm = [], []
        for _ in range(count):
            require(session.remove_credential(asked[-1]) == 1, "no credential to forget")
            cold.append(fetch())
            warm.append(fetch())
        challenges = len(asked) - 1
    exchanges = site.logged(before + 3 * count) - before
    require(challenges == count, f"{challenges} challenges for {count} cold fetches")
    require(exchanges == 3 * count, f"{exchanges} exchanges for {count} cold fetches and as many warm ones")
    one, other = statistics.median(warm), statistics.median(cold)
    return {"cold": other * 1e6, "warm": one * 1e6, "cold by warm": other / one}
