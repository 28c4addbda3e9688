"""A program on a bus that does what no logind does; it runs with Debian's Python, which has the bindings.

`lying_logind.py BEHAVIOR`: prints `ready` when it is on the bus.
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
MANAGER = "org.freedesktop.login1.Manager"


class Manager(dbus.service.Object):
    """Answers as it was told; `asked` counts the requests."""

    def __init__(self, bus: dbus.Bus, behavior: str) -> None:
        super().__init__(bus, PATH)
        self.behavior = behavior
        self.asked = 0

    @dbus.service.method(MANAGER, in_signature="ssss", out_signature="h", async_callbacks=("give", "refuse"))
    def Inhibit(self, what: str, who: str, why: str, mode: str, give: Any, refuse: Any) -> None:
        self.asked += 1
        print(f"asked {self.asked} {what} {mode}", flush=True)
        if self.behavior == "refuses":
            refuse(dbus.exceptions.DBusException("no", name="org.freedesktop.DBus.Error.AccessDenied"))
        elif self.behavior == "floods":
            give(dbus.types.UnixFd(0))
            GLib.idle_add(self.flood)

    @dbus.service.signal(MANAGER, signature="b")
    def PrepareForSleep(self, is_beginning: bool) -> None:
        """As logind sends it."""

    def flood(self) -> bool:
        for number in range(20_000):
            self.PrepareForSleep(number % 2 == 0)
        print("flooded", flush=True)
        return False


class Mistyped(dbus.service.Object):
    """Gives a text for the inhibitor, and texts as signals."""

    @dbus.service.method(MANAGER, in_signature="ssss", out_signature="s")
    def Inhibit(self, what: str, who: str, why: str, mode: str) -> str:
        self.PrepareForSleep("x" * 100_000)
        return "inhibitor"

    @dbus.service.signal(MANAGER, signature="s")
    def PrepareForSleep(self, is_beginning: str) -> None:
        """As no logind sends it."""


def forge(bus: dbus.Bus) -> None:
    """Tells every connection of the bus, one by one and all together, that sleep begins."""
    names = [None, *(name for name in bus.list_names() if name.startswith(":"))]
    for name, _ in itertools.product(names, range(3)):
        message = dbus.lowlevel.SignalMessage(PATH, MANAGER, "PrepareForSleep")
        message.append(True, signature="b")
        if name is not None:
            message.set_destination(name)
        bus.send_message(message)
    bus.flush()


def main() -> None:
    behavior = sys.argv[1]
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    if behavior == "forges":
        forge(bus)
    else:
        _ = Mistyped(bus, PATH) if behavior == "mistypes" else Manager(bus, behavior)
        bus.request_name(NAME)
    print("ready", flush=True)
    GLib.MainLoop().run()


main()
