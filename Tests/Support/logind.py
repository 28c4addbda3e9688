"""logind on a private bus: the template of python-dbusmock, or a liar."""

from __future__ import annotations

import signal
from pathlib import Path

from Support.child_process import ChildProcess
from Support.private_bus import PYTHON, PrivateBus

NAME = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
MANAGER = "org.freedesktop.login1.Manager"
LIAR = Path(__file__).with_name("lying_logind.py")


class Logind:
    """Announces sleep, gives inhibitors and says who holds one."""

    def __init__(self, bus: PrivateBus) -> None:
        self._bus = bus
        self.start()

    def start(self) -> None:
        self._process = self._bus.run(PYTHON, "-m", "dbusmock", "--system", "--template", "logind")
        self._process.wait_until(lambda: self._bus.has_owner(NAME))

    def end(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def announce(self, is_beginning: bool) -> None:
        value = "[<true>]" if is_beginning else "[<false>]"
        emit = "org.freedesktop.DBus.Mock.EmitSignal"
        self._bus.call(NAME, PATH, emit, MANAGER, "PrepareForSleep", "b", value)

    def inhibitors(self) -> str:
        """Those that are held, as gdbus writes them."""
        return self._bus.call(NAME, PATH, f"{MANAGER}.ListInhibitors")


def lying_logind(bus: PrivateBus, behavior: str) -> ChildProcess:
    """One of the behaviors of `lying_logind.py`, once it is on the bus."""
    process = bus.run(PYTHON, str(LIAR), behavior, log=f"{behavior}.log")
    process.wait_until(lambda: "ready" in process.output())
    return process
