"""A crowd of tasks that waits for one answer: what each costs, and how fast all go on."""

from __future__ import annotations

import asyncio
import time

import watchword

from Benchmarks import accounting, sidecar
from Benchmarks.callers import require
from Benchmarks.servers import Site
from Support.daemon import Daemon

#: A connection may have 1024 requests unanswered.
TASKS_PER_CONNECTION = 1000
CONNECTIONS_TO_ORIGIN = 64
#: The daemon does not announce how many wait, so the caller asks.
ASKING_SECONDS = 0.02


def measure(site: Site, count: int) -> dict[str, float]:
    with sidecar.started() as daemon:
        return asyncio.run(_measure(site, count, daemon))


async def _measure(site: Site, count: int, daemon: Daemon) -> dict[str, float]:
    target = site.targets["basicPlain"]
    body, word = target.body, asyncio.Event()
    asked: list[str] = []

    async def answer(challenge: watchword.Challenge) -> watchword.Answer:
        asked.append(challenge.id)
        await word.wait()
        return watchword.use_credential(target.user, target.password)

    async with watchword.AsyncClient(daemon.socket) as delegate:
        settings = sidecar.configuration(target, CONNECTIONS_TO_ORIGIN)
        await delegate.session(sidecar.SESSION, settings, on_session_challenge=answer)

        async def counter(name: str) -> int:
            return int((await delegate.status())["counters"][name])

        callers = [watchword.AsyncClient(daemon.socket) for _ in range(-(-count // TASKS_PER_CONNECTION))]
        sessions = []
        for caller in callers:
            await caller.connect()
            sessions.append(await caller.session(sidecar.SESSION))
        before = accounting.memory(daemon.pid)
        fetches = [
            asyncio.ensure_future(sessions[index % len(sessions)].fetch(target.url)) for index in range(count)
        ]
        while await counter("challenges.coalesced") < count - 1:
            require(not any(fetch.done() for fetch in fetches), "a task did not wait")
            await asyncio.sleep(ASKING_SECONDS)
        waiting = accounting.memory(daemon.pid)
        began = time.perf_counter()
        word.set()
        responses = await asyncio.gather(*fetches)
        seconds = time.perf_counter() - began
        whole = all(response.status == 200 and response.content == body for response in responses)
        require(whole, "a task that waited did not get its body")
        opened = await counter("connections.opened")
        for caller in callers:
            await caller.close()
    require(len(asked) == 1, f"{len(asked)} notifications for {count} waiters")
    require(opened <= CONNECTIONS_TO_ORIGIN, f"{opened} connections")
    return {"notifications": 1, "KiB a task": (waiting - before) / count / 1024, "seconds": seconds}
