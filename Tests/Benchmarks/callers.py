"""What a peer is given and what it gives back.

A peer's module has `WORKLOADS`, the names it takes part in, and for their shapes some of these:

    blocking(target)              a context manager of Caller[Get]
    asynchronous(target, window)  an asynchronous one of Caller[AsyncGet]
    batch(target, window)         a context manager of Caller[Batch]: keeps `window` in flight by itself
    calls(clients)                the same for remote calls that fetch nothing
                                  (both take a `counting`, too, which runs the daemon: see `callgrind`)
    shared(target)                a context manager of Caller[None]: what the processes of W5p have in common
    command(target)               a context manager of Caller[list[str]]: one process a fetch, body to stdout
    download(target, descriptor)  a context manager of Caller[Callable[[], None]]
    upload(target, source)        the same, of an open file that is sent with PUT
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")


class Broken(Exception):
    """A fact that must hold whatever the speed did not hold."""


def require(holds: bool, fact: str) -> None:
    if not holds:
        raise Broken(fact)


@dataclass(frozen=True)
class Target:
    """A document of a local server, and what its server asks for: `none`, `basic` or `digest`, and
    whether in the TLS handshake, with files of a client certificate and its key. A `proxy` asks for Basic.
    `kept` is where the server of an upload keeps the document."""

    url: str
    document: str
    root: str
    user: str
    password: str
    authentication: str = "none"
    http2: bool = False
    certificate: str = ""
    key: str = ""
    proxy: str = ""
    kept: str = ""

    @property
    def challenges(self) -> int:
        """How often a session is asked for a password."""
        return int(self.authentication != "none") + int(bool(self.proxy))

    @property
    def body(self) -> bytes:
        return Path(self.document).read_bytes()

    @property
    def size(self) -> int:
        return Path(self.document).stat().st_size


@dataclass(frozen=True)
class Sample:
    """A timed run; `latencies` in seconds, empty where only the whole can be timed."""

    seconds: float
    latencies: Sequence[float] = ()


Get = Callable[[], bytes]
AsyncGet = Callable[[], Awaitable[bytes]]
Batch = Callable[[int], Sample]


@dataclass(frozen=True)
class Caller(Generic[T]):
    """A caller that is ready, the processes that work for it, and the check of what they say afterwards."""

    get: T
    processes: Sequence[int] = ()
    #: Whether it works in this process; else what another one holds cannot be told from what we hold.
    own: bool = True
    #: Fetches that getting ready took.
    fetched: int = 0
    examine: Callable[[], None] = lambda: None
    environment: Mapping[str, str] = field(default_factory=dict)
