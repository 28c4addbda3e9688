"""The Secret Service on a private bus: gnome-keyring, or a liar."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from Support.child_process import ChildProcess
from Support.private_bus import PYTHON, PrivateBus

NAME = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"
DEFAULT = f"{PATH}/aliases/default"
SERVICE = "org.freedesktop.Secret.Service"
LIAR = Path(__file__).with_name("lying_secret_service.py")


class GnomeKeyring:
    """A keyring whose login collection opens with a password."""

    def __init__(self, bus: PrivateBus) -> None:
        self._bus = bus
        self.start()

    def start(self) -> None:
        """Starts it (again) with its collection unlocked, as the login does."""
        (self._bus.directory / "password").write_text("of the login")
        command = "exec gnome-keyring-daemon --foreground --unlock --components=secrets <$HOME/password"
        self.process = self._bus.run("sh", "-c", command, log="keyring.log")
        self.process.wait_until(lambda: self._bus.has_owner(NAME))

    def end(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def lock(self) -> None:
        self._bus.call(NAME, PATH, f"{SERVICE}.Lock", f"[objectpath '{DEFAULT}']")

    def items(self) -> list[str]:
        """The paths of the items that Watchword keeps."""
        found = self._bus.call(NAME, PATH, f"{SERVICE}.SearchItems", "{'application': 'watchword'}")
        return re.findall(r"/org/freedesktop/secrets/collection/\w+/\w+", found)

    def remove(self, item: str) -> None:
        self._bus.call(NAME, item, "org.freedesktop.Secret.Item.Delete")


def lying_secret_service(bus: PrivateBus, behavior: str) -> ChildProcess:
    """One of the behaviors of `lying_secret_service.py`, once it is on the bus."""
    process = bus.run(PYTHON, str(LIAR), behavior, log=f"{behavior}.log")
    process.wait_until(lambda: "ready" in process.output())
    return process
