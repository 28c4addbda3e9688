"""A daemon in C that only parses and answers, called by the same caller in C: the floor of a remote call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from Benchmarks import native
from Benchmarks.callers import Batch, Caller

WORKLOADS = {"RPC1", "RPC8", "RPC64"}


@contextmanager
def calls(clients: int) -> Iterator[Caller[Batch]]:
    with native.serving(
        [str(native.compiled("echo_daemon", "-ljansson"))], clients, native.PING, native.PONG
    ) as caller:
        yield caller
