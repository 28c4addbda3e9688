"""Fetches mutants on warm sessions, many at once: `python -m Integration.storm --count 500000 --seed 1`.

The daemon is the one that `WATCHWORDD` names. A fault ends it; then the mutants under way are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from Support.daemon import Daemon
from Support.mutating_origin import MutatingOrigin

#: How many mutants a session sees; then another one is made, so that its cookies stay few.
MUTANTS_PER_SESSION = 2_000

#: A reply that goes on for longer is not waited for.
REQUEST_SECONDS = 0.25

#: Every so many mutants, an honest reply of another origin has to arrive as it is.
MUTANTS_PER_CHECK = 8

MAXIMUM_LINE = 32 << 20


class DaemonGone(Exception):
    """The daemon closed the connection; the argument says which mutants were under way."""


class Caller:
    """One connection, any number of requests in flight."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._identifiers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._task = asyncio.ensure_future(self._read())

    @classmethod
    async def connect(cls, path: Path) -> Caller:
        return cls(*await asyncio.open_unix_connection(path, limit=MAXIMUM_LINE))

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        """The whole reply, be it a result or an error."""
        if self._task.done():
            raise DaemonGone
        identifier = next(self._identifiers)
        future = asyncio.get_running_loop().create_future()
        self._waiting[identifier] = future
        message = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
        self._writer.write(json.dumps(message).encode() + b"\n")
        return await future

    async def _read(self) -> None:
        while line := await self._reader.readline():
            message = json.loads(line)
            if "id" in message:
                self._waiting.pop(message["id"]).set_result(message)
        for future in self._waiting.values():
            future.set_exception(DaemonGone())

    def close(self) -> None:
        self._task.cancel()
        self._writer.close()


class Storm:
    """Counts how the fetches of the mutants ended."""

    def __init__(self, caller: Caller, mutating: MutatingOrigin, honest: MutatingOrigin, seed: int) -> None:
        self.outcomes: Counter[str] = Counter()
        self.under_way: set[int] = set()
        self._caller, self._mutating, self._honest, self._seed = caller, mutating, honest, seed

    async def run(self, numbers: range, in_flight: int) -> None:
        remaining = iter(numbers)
        await asyncio.gather(*(self._worker(remaining) for _ in range(in_flight)))

    async def _worker(self, numbers: Iterator[int]) -> None:
        session, left = "", 0
        for number in numbers:
            if left == 0:
                if session:
                    await self._caller.call("session/close", {"session": session})
                session, left = await self._open(), MUTANTS_PER_SESSION
            left -= 1
            await self._fetch_mutant(session, number)
            if number % MUTANTS_PER_CHECK == 0:
                await self._check(session, number)
        if session:
            await self._caller.call("session/close", {"session": session})

    async def _open(self) -> str:
        """A session that has had answers, and has a credential for what asks for one."""
        opened = await self._caller.call(
            "session/open", {"configuration": {"redirects": {"policy": "manual"}}}
        )
        session = str(opened["result"]["session"])
        space = {"protocol": "http", "host": "127.0.0.1", "port": self._mutating.port, "realm": "r"}
        for method in ("basic", "digest"):
            parameters = {
                "session": session,
                "protectionSpace": {**space, "authenticationMethod": method},
                "credential": {"user": "reader", "password": "secret"},
            }
            assert "result" in await self._caller.call("credential/set", parameters)
        for origin in (self._mutating, self._honest):
            reply = await self._caller.call("fetch", {"session": session, "url": f"{origin.url}/warm"})
            assert reply["result"]["body"] == {"text": "/warm"}, reply
        return session

    async def _fetch_mutant(self, session: str, number: int) -> None:
        self.under_way.add(number)
        parameters = {
            "session": session,
            "url": f"{self._mutating.url}/{self._seed}/{number}",
            "method": "HEAD" if number % 16 == 5 else "GET",
            "timeouts": {"requestSeconds": REQUEST_SECONDS},
        }
        reply = await self._caller.call("fetch", parameters)
        self.under_way.discard(number)
        found = reply["error"]["data"]["kind"] if "error" in reply else f"{reply['result']['status']}"
        self.outcomes[found] += 1

    async def _check(self, session: str, number: int) -> None:
        path = f"/honest{number}"
        reply = await self._caller.call("fetch", {"session": session, "url": self._honest.url + path})
        if reply.get("result", {}).get("body") != {"text": path}:
            raise AssertionError(f"after mutant {number} an honest reply is {reply}")


async def storm(socket: Path, seed: int, numbers: range, in_flight: int = 64) -> Counter[str]:
    """Fetches the mutants: every fetch ends, the honest replies between them are whole, the daemon lives."""
    mutating, honest = MutatingOrigin(), MutatingOrigin()
    await mutating.start()
    await honest.start()
    caller = await Caller.connect(socket)
    run = Storm(caller, mutating, honest, seed)
    try:
        await run.run(numbers, in_flight)
        assert "result" in await caller.call("ping", {})
    except DaemonGone:
        raise DaemonGone(f"seed {seed}, mutants under way: {sorted(run.under_way)}") from None
    finally:
        caller.close()
        mutating.stop()
        honest.stop()
    return run.outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="how many mutants")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--in-flight", type=int, default=64)
    options = parser.parse_args()
    daemon = Daemon(log_level="error")
    outcomes: Counter[str] = Counter()
    began, step = time.monotonic(), 10_000
    end = options.first + options.count
    try:
        for first in range(options.first, end, step):
            numbers = range(first, min(first + step, end))
            outcomes += asyncio.run(storm(daemon.socket, options.seed, numbers, options.in_flight))
            seconds = time.monotonic() - began
            print(
                f"{outcomes.total()} mutants in {seconds:.0f} s, {daemon.resident_bytes() >> 20} MiB",
                flush=True,
            )
        print(json.dumps(dict(outcomes.most_common())))
    except DaemonGone as gone:
        print(gone, daemon.output()[-8000:], sep="\n", file=sys.stderr)
    finally:
        daemon.stop()


if __name__ == "__main__":
    main()
