"""How a peer is driven: one fetch after the other, many at once, from many processes, by commands."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from Benchmarks.accounting import Meter
from Benchmarks.callers import AsyncGet, Batch, Caller, Get, Sample, Target, require
from Benchmarks.callgrind import Counting

WARM = 20
PROCESSES = 8
PIECE = 1 << 20
#: Two counts of as many calls differ by no more; where memory lies and when a reply comes is chance.
SAME = 0.05
#: Counts that are made until two agree: on a busy machine chance costs more.
SERIES = 3


def repeat(get: Callable[[], object], count: int, expected: object) -> Sample:
    """One after the other; every body is the expected one."""
    latencies = []
    clock = time.perf_counter
    began = clock()
    for _ in range(count):
        before = clock()
        body = get()
        latencies.append(clock() - before)
        require(body == expected, "a body is not whole")
    return Sample(clock() - began, latencies)


def one_by_one(peer: ModuleType, target: Target, count: int, meter: Meter) -> Sample:
    if not hasattr(peer, "blocking"):
        return asyncio.run(_tasks(peer, target, count, 1, WARM, meter))
    meter.fetches = WARM + count
    with peer.blocking(target) as caller:
        repeat(caller.get, WARM, target.body)
        with meter.around(caller):
            return repeat(caller.get, count, target.body)


def together(
    peer: ModuleType, target: Target, count: int, window: int, meter: Meter, warm: bool = True
) -> Sample:
    """Keeps `window` in flight: by the peer itself, by tasks, or by threads."""
    before = 1 + window if warm else 0
    if hasattr(peer, "asynchronous") and not hasattr(peer, "batch"):
        return asyncio.run(_tasks(peer, target, count, window, before, meter))
    meter.fetches = before + count
    if hasattr(peer, "batch"):
        with peer.batch(target, window) as caller:
            return _batch(caller, count, window, warm, meter)
    body = target.body
    with peer.blocking(target) as caller:
        run: Batch = lambda some: _threads(caller.get, some, window, body)  # noqa: E731
        return _batch(replace(caller, get=run), count, window, warm, meter)


def calls(peer: ModuleType, count: int, clients: int, meter: Meter) -> Sample:
    """Remote calls that fetch nothing."""
    with peer.calls(clients) as caller:
        return _batch(caller, count, clients, True, meter)


def _batch(caller: Caller[Batch], count: int, window: int, warm: bool, meter: Meter) -> Sample:
    if warm:
        caller.get(1)
        caller.get(window)
    with meter.around(caller):
        return caller.get(count)


async def _tasks(
    peer: ModuleType, target: Target, count: int, window: int, warm: int, meter: Meter
) -> Sample:
    meter.fetches = warm + count
    async with peer.asynchronous(target, window) as caller:
        if warm:
            await _gather(caller.get, 1, 1, target.body)
            await _gather(caller.get, warm - 1, window, target.body)
        with meter.around(caller):
            return await _gather(caller.get, count, window, target.body)


async def _gather(get: AsyncGet, count: int, window: int, body: bytes) -> Sample:
    latencies: list[float] = []
    left = iter(range(count))
    clock = time.perf_counter

    async def work() -> None:
        for _ in left:
            before = clock()
            received = await get()
            latencies.append(clock() - before)
            require(received == body, "a body is not whole")

    began = clock()
    await asyncio.gather(*(work() for _ in range(window)))
    return Sample(clock() - began, latencies)


def _threads(get: Get, count: int, window: int, body: bytes) -> Sample:
    samples: list[Sample] = []
    shares = [count // window + (index < count % window) for index in range(window)]
    threads = [
        threading.Thread(target=lambda share=share: samples.append(repeat(get, share, body)))
        for share in shares
    ]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    require(len(samples) == window, "a thread failed")
    return Sample(seconds, [latency for sample in samples for latency in sample.latencies])


def crowd(name: str, peer: ModuleType, target: Target, count: int, window: int, meter: Meter) -> Sample:
    """Several processes that begin at one word, none of them warm; `count` fetches each."""
    meter.fetches = PROCESSES * count
    job = json.dumps({"peer": name, "target": asdict(target), "count": count, "window": window})
    sharing = peer.shared(target) if hasattr(peer, "shared") else nullcontext(Caller(None, own=False))
    with sharing as caller:
        environment = {**os.environ, **caller.environment}
        members = [_Member(job, environment) for _ in range(PROCESSES)]
        for member in members:
            require(member.hear() == "ready", "a process failed")
        with meter.around(caller):
            began = time.perf_counter()
            for member in members:
                member.say("go")
            outcomes: list[dict[str, Any]] = [json.loads(member.hear() or "null") for member in members]
            seconds = time.perf_counter() - began
        for member in members:
            member.end()
    meter.cpu += sum(outcome["cpu"] for outcome in outcomes)
    meter.peak += sum(outcome["peak"] for outcome in outcomes)
    return Sample(seconds, [latency for outcome in outcomes for latency in outcome["latencies"]])


class _Member:
    """One process of a crowd, a line at a time."""

    def __init__(self, job: str, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "Benchmarks.member", job]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)

    def hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def end(self) -> None:
        self._process.communicate()
        require(self._process.returncode == 0, "a process failed")


def commands(peer: ModuleType, target: Target, count: int, meter: Meter) -> Sample:
    """One process after the other, each with one fetch."""
    meter.fetches = count
    output = os.memfd_create("body")
    redirected = [(os.POSIX_SPAWN_DUP2, output, 1)]

    def run(command: list[str]) -> bytes:
        os.ftruncate(output, 0)
        os.lseek(output, 0, os.SEEK_SET)
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=redirected)
        require(os.waitpid(process, 0)[1] == 0, f"{command[0]} failed")
        return os.pread(output, PIECE, 0)

    try:
        with peer.command(target) as caller, meter.around(caller):
            return repeat(lambda: run(caller.get), count, target.body)
    finally:
        os.close(output)


def download(peer: ModuleType, target: Target, meter: Meter) -> Sample:
    """One large body into a descriptor; read before, so that no disk is measured, compared afterwards."""
    meter.fetches = 1
    _read_whole(target.document)
    output = os.memfd_create("body")
    try:
        with peer.download(target, output) as caller, meter.around(caller):
            began = time.perf_counter()
            caller.get()
            seconds = time.perf_counter() - began
        _compare(target, output)
        return Sample(seconds)
    finally:
        os.close(output)


def upload(peer: ModuleType, target: Target, meter: Meter) -> Sample:
    """One large body from a descriptor, compared afterwards with what the server has kept."""
    meter.fetches = 1
    _read_whole(target.document)
    kept = Path(target.kept)
    kept.unlink(missing_ok=True)
    document = Path(target.document)
    with document.open("rb") as source, peer.upload(target, source) as caller, meter.around(caller):
        began = time.perf_counter()
        caller.get()
        seconds = time.perf_counter() - began
    with kept.open("rb") as stored:
        _compare(target, stored.fileno())
    return Sample(seconds)


def counted(peer: ModuleType, target: Target | None, count: int) -> dict[str, float]:
    """What a call adds to the counts of a whole run; what start, first calls and end take is in every run."""
    for _ in range(SERIES):
        none, once, twice = (_counted_run(peer, target, WARM + calls) for calls in (0, count, 2 * count))
        one, other = once["instructions"] - none["instructions"], twice["instructions"] - once["instructions"]
        require(one > 0, f"{count} calls took {one} instructions")
        if abs(other - one) <= SAME * one:
            break
    require(abs(other - one) <= SAME * one, f"{count} calls took {one} instructions, as many again {other}")
    return {figure: (twice[figure] - none[figure]) / (2 * count) for figure in twice}


def _counted_run(peer: ModuleType, target: Target | None, calls: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        counting = Counting(Path(name))
        started = peer.batch(target, 1, counting) if target else peer.calls(1, counting)
        with started as caller:
            caller.get(calls)
            caller.examine()
        return counting.figures()


def _read_whole(path: str) -> None:
    """So that no disk is measured."""
    with Path(path).open("rb") as document:
        while document.read(PIECE):
            pass


def _compare(target: Target, copy: int) -> None:
    """What has arrived is the document."""
    require(os.fstat(copy).st_size == target.size, "a body is not whole")
    with Path(target.document).open("rb") as document:
        for offset in range(0, target.size, PIECE):
            same = os.pread(copy, PIECE, offset) == document.read(PIECE)
            require(same, "a body is not what was sent")
