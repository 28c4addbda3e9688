"""The rows: what is done, how often, beside whom, and what is to be reached."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from Benchmarks.goals import Goal


class Shape(Enum):
    """How a workload is run (see `shapes`)."""

    ONE_BY_ONE = "one by one"
    TOGETHER = "together"
    CROWD = "crowd"
    DOWNLOAD = "download"
    UPLOAD = "upload"
    COMMANDS = "commands"
    CALLS = "calls"
    COUNTED = "counted"
    SITUATION = "situation"


@dataclass(frozen=True)
class Workload:
    """`tiny` stands for `count` where only facts are checked (0 where another workload has the same ones);
    `rate` says that more is better."""

    name: str
    title: str
    shape: Shape
    target: str
    count: int
    tiny: int
    window: int = 1
    rate: bool = False
    reference: str = "pycurl"
    goals: tuple[Goal, ...] = ()


IN_FLIGHT = 64

#: What a fetch costs the machine, in all processes.
CPU = (Goal("cpu", 0.40, "requests"), Goal("cpu", 1.3, "aiohttp"))


def _rpc(clients: int) -> Workload:
    goals = (Goal("p50", 1.15, "echo-c", "watchword-raw"), Goal("rate", 0.8, "echo-c", "watchword-raw", True))
    title = f"ping, {clients} client{'s' if clients > 1 else ''}"
    name = f"RPC{clients}"
    return Workload(name, title, Shape.CALLS, "", 20_000, 200, clients, clients > 1, "echo-c", goals)


def _cycles(kind: str, title: str, target: str, count: int, tiny: int, *goals: Goal) -> Workload:
    name = f"cycles{kind}"
    return Workload(name, title, Shape.COUNTED, target, count, tiny, reference="sidecar-c", goals=goals)


#: What a fetch may take that passes through everything a session has: 1.40 and 1.45 times a sidecar that
#: returns one header field. This one returns all, which costs it half as much again.
COUNTED_FETCH = (
    Goal("instructions", 0.95, "sidecar-c", "watchword-raw"),
    Goal("estimated cycles", 1.0, "sidecar-c", "watchword-raw"),
)

ALL = [
    Workload(
        *("W1", "one warm fetch after the other, HTTP", Shape.ONE_BY_ONE, "plain", 2000, 20),
        goals=(Goal("p50", 2.0, "pycurl"), Goal("p50", 1, "aiohttp"), Goal("p50", 0.75, "urllib3"), *CPU),
    ),
    Workload(
        *("W2", "the same, HTTPS", Shape.ONE_BY_ONE, "tls", 2000, 20),
        goals=(Goal("p50", 1.9, "pycurl"), Goal("p50", 0.75, "urllib3"), *CPU),
    ),
    Workload(
        *("W3", "the same, HTTPS with Basic", Shape.ONE_BY_ONE, "basic", 2000, 20),
        goals=(
            Goal("p50", 1.9, "pycurl"),
            Goal("p50", 0.75, "urllib3"),
            Goal("p50", 1.05, "watchword", workload="W2"),
        ),
    ),
    Workload(
        *("W4", "the same, HTTP with Digest", Shape.ONE_BY_ONE, "digest", 2000, 20),
        goals=(Goal("p50", 1.4, "pycurl"), Goal("p50", 1.2, "aiohttp"), Goal("exchanges", 1.005)),
    ),
    Workload(
        *("W4x64", "64 in flight, HTTP with Digest", Shape.TOGETHER, "digest", 4000, 200, IN_FLIGHT, True),
        goals=(Goal("exchanges", 1.005),),
    ),
    Workload(
        *("W5", "64 in flight, HTTPS", Shape.TOGETHER, "tls", 8000, 200, IN_FLIGHT, True),
        goals=(
            Goal("rate", 0.45, "pycurl", "watchword-raw", least=True),
            Goal("rate", 1.2, "aiohttp", least=True),
            Goal("daemon", 60, peer="watchword-raw"),
        ),
    ),
    Workload(
        *("W5h2", "64 in flight, HTTPS, HTTP/2", Shape.TOGETHER, "http2", 8000, 200, IN_FLIGHT, True),
        goals=(Goal("rate", 0.45, "pycurl", "watchword-raw", least=True),),
    ),
    Workload(
        *("W5p", "8 processes, 8 in flight each, HTTPS with Basic", Shape.CROWD, "basic", 1000, 40, 8, True),
        reference="urllib3",
        goals=(Goal("rate", 1.0, "urllib3", least=True),),
    ),
    Workload(
        *("W6p", "1 GiB into a descriptor, HTTP", Shape.DOWNLOAD, "big", 1, 1, 1, True),
        goals=(Goal("rate", 1.0, "best", least=True), Goal("growth", 8)),
    ),
    Workload(
        *("W6s", "1 GiB into a descriptor, HTTPS", Shape.DOWNLOAD, "bigTLS", 1, 1, 1, True),
        goals=(Goal("rate", 0.95, "pycurl", least=True), Goal("growth", 8)),
    ),
    Workload(
        *("W6u", "1 GiB sent from a descriptor, HTTP", Shape.UPLOAD, "store", 1, 1, 1, True),
        reference="curl",
        goals=(Goal("rate", 0.9, "curl", least=True), Goal("growth", 8)),
    ),
    Workload(
        *("W7", "one process a fetch, HTTPS with Basic", Shape.COMMANDS, "basic", 100, 3),
        reference="curl",
        goals=(Goal("p50", 0.30, "curl", "watchword-command"),),
    ),
    Workload(
        *("W7s", "the same, among the system's roots", Shape.COMMANDS, "basicBundle", 100, 3),
        reference="curl",
        goals=(Goal("p50", 0.10, "curl", "watchword-command"),),
    ),
    Workload(
        *("W8", "one process a fetch, with a client certificate", Shape.COMMANDS, "mutual", 100, 3),
        reference="curl",
        goals=(Goal("p50", 0.30, "curl", "watchword-command"),),
    ),
    Workload(
        *("W9", "the same as W1, through a proxy with Basic", Shape.ONE_BY_ONE, "proxied", 2000, 20),
        goals=(Goal("p50", 1.35, "pycurl"),),
    ),
    *(_rpc(clients) for clients in (1, 8, 64)),
    _cycles("", "what the daemon executes for a warm fetch, HTTP", "plain", 500, 100, *COUNTED_FETCH),
    _cycles("Basic", "the same, HTTP with Basic", "basicPlain", 500, 0, *COUNTED_FETCH),
    _cycles("Ping", "the same for a ping", "", 2000, 0, Goal("instructions", 18_000, peer="watchword-raw")),
    Workload(
        *("cold", "a challenge, its answer and the second exchange", Shape.SITUATION, "basicPlain", 300, 5),
        goals=(Goal("cold by warm", 2.5),),
    ),
    Workload(
        *("waiters", "tasks that wait for one challenge", Shape.SITUATION, "basicPlain", 10_000, 300),
        goals=(Goal("notifications", 1), Goal("KiB a task", 8), Goal("seconds", 1)),
    ),
    Workload(
        *("idle", "memory and wake-ups while nothing happens", Shape.SITUATION, "plain", 1000, 50),
        goals=(Goal("MiB warm", 25), Goal("MiB crowded", 40), Goal("wake-ups", 0)),
    ),
    Workload(
        *("growth", "time of a fetch as work grows, × of before", Shape.SITUATION, "plain", 1000, 20),
        goals=(Goal("sessions", 1.1), Goal("credentials", 1.1), Goal("peers", 1.1)),
    ),
]

BY_NAME = {workload.name: workload for workload in ALL}
