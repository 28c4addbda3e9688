"""The daemon as a workload uses it: quiet, on a socket of its own, and asked afterwards what it did."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import watchword

from Benchmarks import callgrind
from Benchmarks.callers import Target, require
from Support.daemon import Daemon, program

#: The session that every caller of a measurement opens.
SESSION = "benchmark"
SOCKET = "WATCHWORD_SOCKET"


@contextmanager
def started(counting: callgrind.Counting | None = None) -> Iterator[Daemon]:
    if counting:
        daemon = Daemon(
            log_level="warning",
            command=counting.command(program()),
            environment=callgrind.ENVIRONMENT,
            patience_seconds=callgrind.PATIENCE_SECONDS,
        )
    else:
        daemon = Daemon(log_level="warning")
    try:
        yield daemon
    finally:
        daemon.stop()


@contextmanager
def started_or_joined() -> Iterator[tuple[Path, tuple[int, ...]]]:
    """The socket, and the process where it is ours to count; a crowd's members join the one they share."""
    if socket := os.environ.get(SOCKET):
        yield Path(socket), ()
        return
    with started() as daemon:
        yield daemon.socket, (daemon.pid,)


def configuration(target: Target, connections: int = 6) -> watchword.SessionConfiguration | None:
    """For who makes the session; who joins says nothing."""
    if SOCKET in os.environ:
        return None
    settings: watchword.SessionConfiguration = {
        "tls": {"roots": {"certificates": Path(target.root).read_text(), "exclusive": True}},
        "connectionsPerHost": connections,
        "httpVersions": ["2", "1.1"] if target.http2 else ["1.1"],
    }
    if target.proxy:
        settings["proxies"] = {"all": target.proxy}
    return settings


def delegate(target: Target) -> Callable[[watchword.Challenge], watchword.Answer] | None:
    """Answers with the target's password; none where nothing is asked."""
    if not target.challenges:
        return None
    return lambda challenge: watchword.use_credential(target.user, target.password)


def examination(socket: Path, target: Target, connections: int) -> Callable[[], None]:
    """Checks the daemon's counters: none failed, one challenge at most, no more connections than asked."""

    def examine() -> None:
        if SOCKET in os.environ:
            return
        with watchword.Client(socket) as client:
            counters = client.status()["counters"]
        challenges = target.challenges
        require(counters["fetches.failed"] == 0, f"{counters['fetches.failed']} fetches failed")
        raised, opened = counters["challenges.raised"], counters["connections.opened"]
        require(raised == challenges, f"{raised} challenges, not {challenges}")
        most = connections + int(bool(target.proxy))  # what a proxy's credential opens is used with it alone
        require(opened <= most, f"{opened} connections, not {most}")

    return examine
