"""What the tests of accounts share: who watches what is counted, and what the process takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from Integration.wire import Peer, pause
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

Connect = Callable[..., Peer]


#: The process may grow by so much of what is counted.
SHARE = 1.3


#: What it takes once, when it does something for the first time: tables, threads and buffers.
ONCE = 4 << 20


class Scene:
    """One who watches the status while others make the daemon keep something."""

    def __init__(self, connect: Connect, origin: ScriptedOrigin) -> None:
        self.connect, self.origin = connect, origin
        self.observer, self.peer = connect(), connect()
        session = self.peer.open("first")
        assert self.peer.fetch(session, origin.serve("/first", reply()))["status"] == 200
        self.before = self.status()

    def status(self) -> Any:
        self.observer.call("ping")
        return self.observer.call("status")

    def check(self, least: int) -> None:
        """So much is counted at least, and the process has grown by little more than what is counted."""
        after = self.status()
        counted = after["countedBytes"] - self.before["countedBytes"]
        grown = after["residentBytes"] - self.before["residentBytes"]
        assert counted >= least
        assert grown <= SHARE * counted + ONCE, f"{grown} of {counted}: {(grown - ONCE) / counted:.2f}"

    def check_given_back(self) -> None:
        """Polls; a test that waits in vain ends with the suite's time limit."""
        while self.status()["countedBytes"] > self.before["countedBytes"]:
            pause()


def tasks_of(peer: Peer, session: str) -> Any:
    return peer.call("task/list", {"session": session})["tasks"]
