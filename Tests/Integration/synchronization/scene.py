"""Hosts of one fleet: daemons with separate state around a cluster of etcd."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password
from Support.daemon import Daemon
from Support.etcd import Etcd

PREFIX = "/ww/fleet"


def shared(user: str = USER, secret: str = PASSWORD, **members: Json) -> Json:
    return password(user, secret, "synchronizable", **members)


def space(host: str = "a.example", realm: str | None = "staff", method: str = "basic") -> Json:
    return {
        "protocol": "https",
        "host": host,
        "port": 443,
        "realm": realm,
        "authenticationMethod": method,
    }


def keep(peer: Peer, credential: Json, where: Json | None = None, **members: Json) -> None:
    parameters = {"protectionSpace": where or space(), "credential": credential, **members}
    assert peer.call("credential/set", parameters) == {}


def remove(peer: Peer, where: Json | None = None, user: str = USER) -> None:
    assert peer.call("credential/remove", {"protectionSpace": where or space(), "user": user})["removed"] == 1


def listed(peer: Peer) -> list[Json]:
    credentials: list[Json] = peer.call("credential/list")["credentials"]
    return [one for one in credentials if one["persistence"] == "synchronizable"]


def users(peer: Peer) -> list[str]:
    return sorted(one["user"] for one in listed(peer))


class Host:
    """A daemon of the fleet, and a connection that hears of every change."""

    def __init__(
        self,
        directory: Path,
        configuration: Json,
        connect: Callable[[Daemon], Peer],
        access: str = "user",
    ) -> None:
        self.file = directory / f"host-{secrets.token_hex(4)}.json"
        self.connect = connect
        self.access = access
        self.configure(configuration)
        self.daemon = Daemon(["--configuration", str(self.file)])
        self.open()

    def configure(self, configuration: Json) -> None:
        self.configuration = configuration
        self.file.write_text(json.dumps({"synchronization": configuration, "access": self.access}))

    def open(self) -> None:
        self.peer = self.connect(self.daemon)
        self.peer.open()
        self.peer.call("status/subscribe", {"intervalSeconds": 0.1})

    def restart(self) -> None:
        self.peer.close()
        self.daemon.process.stop()
        self.daemon.start()
        self.open()

    @property
    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = self.peer.call("status")["synchronization"]
        return found

    def wait(self, ready: Callable[[Json], bool]) -> Json:
        """The first status for which this holds; the daemon says when there is another one.

        It is asked for again each time: notifications that waited may tell of an earlier one.
        """
        limit = time.monotonic() + 60
        while not ready(status := self.peer.call("status")):
            assert time.monotonic() < limit, status["synchronization"]
            self.peer.notification("status/didChange", lambda _: True)
        return status

    def wait_for(self, state: str, pending: int = 0) -> Json:
        return self.wait(
            lambda status: (
                (status["synchronization"]["state"], status["synchronization"]["pending"]) == (state, pending)
            )
        )

    def wait_for_users(self, *expected: str) -> None:
        """Each change of a credential is a change of the status."""
        self.wait(lambda _: users(self.peer) == sorted(expected))

    def stop(self) -> None:
        self.peer.close()
        self.daemon.stop()


class Fleet:
    """Makes hosts that share a key file."""

    def __init__(self, directory: Path, etcd: Etcd, connect: Callable[[Daemon], Peer]) -> None:
        self.directory = directory
        self.etcd = etcd
        self.connect = connect
        # Every test has a fleet of its own in the same store.
        self.prefix = f"{PREFIX}-{secrets.token_hex(4)}"
        self.key = directory / f"fleet-{secrets.token_hex(4)}.key"
        self.key.write_bytes(secrets.token_bytes(32))
        self.key.chmod(0o600)
        self.hosts: list[Host] = []

    @property
    def configuration(self) -> dict[str, Any]:
        return {"endpoints": self.etcd.endpoints, "prefix": self.prefix, "keyFile": str(self.key)}

    def host(self, **members: Json) -> Host:
        host = Host(self.directory, {**self.configuration, **members}, self.connect)
        self.hosts.append(host)
        return host

    def host_wide(self) -> Host:
        """A host whose daemon serves every account."""
        host = Host(self.directory, self.configuration, self.connect, access="host")
        self.hosts.append(host)
        return host

    def ready(self, **members: Json) -> Host:
        host = self.host(**members)
        host.wait_for("watching")
        return host

    @property
    def records(self) -> dict[bytes, bytes]:
        return self.etcd.records(self.prefix + "/")

    def stop(self) -> None:
        for host in self.hosts:
            host.stop()
