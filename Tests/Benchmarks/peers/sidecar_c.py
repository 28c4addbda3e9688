"""A sidecar in C that only fetches, called by the same caller in C: the floor of a fetch by a daemon."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from Benchmarks import native
from Benchmarks.callers import Batch, Caller, Target
from Benchmarks.callgrind import Counting

WORKLOADS = {"cycles", "cyclesBasic", "cyclesPing"}


def _command(counting: Counting | None) -> list[str]:
    program = native.compiled("bare_sidecar", "-lcurl", "-ljansson")
    return counting.command(program) if counting else [str(program)]


@contextmanager
def batch(target: Target, window: int, counting: Counting | None = None) -> Iterator[Caller[Batch]]:
    """It serves one connection, one request after the other, whatever the window."""
    scheme, address = target.url.split("://")
    user = f"{quote(target.user)}:{quote(target.password)}@" if target.challenges else ""
    request, body = native.fetching(target, {"url": f"{scheme}://{user}{address}"})
    with native.serving(_command(counting), 1, request, body) as caller:
        yield caller


@contextmanager
def calls(clients: int, counting: Counting | None = None) -> Iterator[Caller[Batch]]:
    with native.serving(_command(counting), clients, native.PING, native.PONG) as caller:
        yield caller
