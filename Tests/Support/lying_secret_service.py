"""A Secret Service that does what no keyring does; it runs with Debian's Python, which has the bindings.

`lying_secret_service.py BEHAVIOR`: prints `ready` when it is on the bus. `honest` keeps one item and gives it
back, which shows that the others fail for what they do and for nothing else.
"""

from __future__ import annotations

import os
import sys
from typing import Any, ClassVar

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"
COLLECTION = f"{PATH}/collection/only"
ITEM = f"{COLLECTION}/1"
SESSION = f"{PATH}/session/s"
SERVICE = "org.freedesktop.Secret.Service"
PROPERTIES = dbus.PROPERTIES_IFACE


class Properties(dbus.service.Object):
    """An object with the properties that libsecret reads."""

    known: ClassVar[dict[str, Any]]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface: str) -> dict[str, Any]:
        return self.known


class Item(Properties):
    known: ClassVar[dict[str, Any]] = {
        "Locked": False,
        "Label": "item",
        "Attributes": dbus.Dictionary({}, signature="ss"),
        "Created": dbus.UInt64(0),
        "Modified": dbus.UInt64(0),
    }


class Collection(Properties):
    known: ClassVar[dict[str, Any]] = {
        "Items": dbus.Array([], signature="o"),
        "Label": "only",
        "Locked": False,
        "Created": dbus.UInt64(0),
        "Modified": dbus.UInt64(0),
    }
    value: Any = dbus.ByteArray(b"")

    @dbus.service.method(
        "org.freedesktop.Secret.Collection", in_signature="a{sv}(oayays)b", out_signature="oo"
    )
    def CreateItem(self, properties: Any, secret: Any, replaces: bool) -> tuple[str, str]:
        Collection.value = secret[2]
        return dbus.ObjectPath(ITEM), dbus.ObjectPath("/")


class Service(Properties):
    known: ClassVar[dict[str, Any]] = {"Collections": dbus.Array([COLLECTION], signature="o")}

    def __init__(self, bus: dbus.Bus, behavior: str) -> None:
        super().__init__(bus, PATH)
        self.behavior = behavior

    @dbus.service.method(SERVICE, in_signature="sv", out_signature="vo", async_callbacks=("give", "refuse"))
    def OpenSession(self, algorithm: str, value: Any, give: Any, refuse: Any) -> None:
        if self.behavior == "hangs":
            return
        if self.behavior == "dies":
            os._exit(0)
        if algorithm != "plain":
            refuse(dbus.exceptions.DBusException("no", name="org.freedesktop.DBus.Error.NotSupported"))
        else:
            give(dbus.String("", variant_level=1), dbus.ObjectPath(SESSION))

    @dbus.service.method(SERVICE, in_signature="s", out_signature="o")
    def ReadAlias(self, name: str) -> Any:
        return dbus.ObjectPath("/" if self.behavior == "has no collection" else COLLECTION)

    @dbus.service.method(SERVICE, in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, attributes: Any) -> tuple[Any, Any]:
        return dbus.Array([ITEM], signature="o"), dbus.Array([], signature="o")

    @dbus.service.method(SERVICE, in_signature="aoo", out_signature="a{o(oayays)}")
    def GetSecrets(self, items: Any, session: str) -> Any:
        value = {
            "gives another key": b"0" * 64,
            "gives no key": b"\xff" * 64,
            "gives too much": b"0" * 1_000_000,
        }.get(self.behavior, bytes(bytearray(Collection.value)))
        secret = dbus.Struct(
            (
                dbus.ObjectPath(SESSION),
                dbus.ByteArray(b""),
                dbus.ByteArray(value),
                "text/plain",
            ),
            signature="oayays",
        )
        return dbus.Dictionary({dbus.ObjectPath(ITEM): secret}, signature="o(oayays)")


def main() -> None:
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    # libsecret makes items by the collection's other name.
    collections = [Collection(bus, COLLECTION), Collection(bus, f"{PATH}/aliases/default")]
    objects = [Service(bus, sys.argv[1]), Item(bus, ITEM), *collections]
    bus.request_name(NAME)
    print("ready", len(objects), flush=True)
    GLib.MainLoop().run()


main()
