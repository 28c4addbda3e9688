"""A desktop session keeps the key of the vault (administrator.md 7.2.23 to 7.2.26)."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import MARK
from Integration.vault.scene import end, keep, key_of, listed, refusal_of, restart, status_of, vault_of
from Integration.wire import Json, Peer, RemoteError, pause
from Support.daemon import Daemon
from Support.private_bus import PrivateBus
from Support.secret_service import GnomeKeyring, lying_secret_service

Connect = Callable[..., Peer]
LOCK = {"passphrase": f"{MARK} locks it"}


@pytest.fixture
def keyring(bus: PrivateBus) -> GnomeKeyring:
    return GnomeKeyring(bus)


def by_address(bus: PrivateBus) -> dict[str, str]:
    return {"DBUS_SESSION_BUS_ADDRESS": bus.address}


def by_directory(bus: PrivateBus) -> dict[str, str]:
    return {"XDG_RUNTIME_DIR": str(bus.directory)}


def by_relative_directory(bus: PrivateBus) -> dict[str, str]:
    return {"XDG_RUNTIME_DIR": os.path.relpath(bus.directory)}


@pytest.fixture
def environment(request: pytest.FixtureRequest, bus: PrivateBus) -> dict[str, str]:
    found: dict[str, str] = getattr(request, "param", by_address)(bus)
    return found


def vault(peer: Peer) -> Json:
    return peer.call("status")["vault"]


def opens(peer: Peer) -> None:
    while vault(peer)["state"] != "open":
        pause()


def test_a_desktop_session_keeps_the_key(
    keyring: GnomeKeyring, daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    keep(peer, staff)
    assert vault(peer)["openers"] == ["secretService"] and not key_of(daemon).exists()
    assert len(keyring.items()) == 1
    restart(daemon, signal.SIGKILL)
    assert status_of(connect(), staff) == 200
    peer = connect()
    peer.call("agent/forget")
    assert vault(peer)["state"] == "forgotten"
    assert status_of(peer, staff) == 200
    peer.call("agent/lock", LOCK)
    peer.call("agent/unlock", LOCK)
    assert status_of(peer, staff) == 200
    assert "a key file opens" not in daemon.output()


def test_a_locked_keyring_locks_the_vault(
    keyring: GnomeKeyring, daemon: Daemon, connect: Connect, staff: str
) -> None:
    keep(connect(), staff)
    keyring.lock()
    restart(daemon)
    peer = connect()
    while (state := vault(peer))["state"] == "forgotten":
        pause()
    assert state["state"] == "locked" and "unlock it" in state["reason"]
    error = refusal_of(peer, staff)
    assert error.kind == "storageUnavailable" and "keyring of the desktop session is locked" in error.message
    assert status_of(peer, staff) == 401
    # A caller that asks for it is told at once, however long the daemon would wait by itself.
    for _ in range(4):
        with pytest.raises(RemoteError, match="keyring of the desktop session is locked"):
            peer.call("agent/unlock", LOCK)
    # The next login unlocks it.
    keyring.end()
    keyring.start()
    peer.call("agent/unlock", LOCK)
    assert vault(peer)["state"] == "open" and len(listed(peer)) == 1
    keyring.lock()
    restart(daemon)
    peer = connect()
    while vault(peer)["state"] == "forgotten":
        pause()
    keyring.end()
    keyring.start()
    while status_of(peer, staff) != 200:
        pause()


def test_an_item_that_is_gone_is_said_and_the_vault_is_kept(
    keyring: GnomeKeyring, daemon: Daemon, connect: Connect, staff: str
) -> None:
    keep(connect(), staff)
    for item in keyring.items():
        keyring.remove(item)
    end(daemon)
    before = vault_of(daemon).read_bytes()
    daemon.start()
    peer = connect()
    error = refusal_of(peer, staff)
    assert error.kind == "storageUnavailable" and "has no item with the attribute vault=" in error.message
    assert vault(peer)["state"] == "unavailable"
    end(daemon)
    assert vault_of(daemon).read_bytes() == before and not key_of(daemon).exists()
    daemon.start()


def test_a_service_that_ends_or_hangs_delays_no_other_call(
    keyring: GnomeKeyring, bus: PrivateBus, daemon: Daemon, connect: Connect, staff: str
) -> None:
    keep(connect(), staff)
    keyring.process.send_signal(signal.SIGSTOP)
    restart(daemon)
    peer = connect()
    while vault(peer)["state"] == "forgotten":
        peer.call("ping")
    assert "does not answer" in vault(peer)["reason"]
    keyring.end()
    while "no Secret Service answers" not in vault(peer)["reason"]:
        status_of(peer, staff)
    bus.end()
    while "does not answer" in vault(peer)["reason"]:
        status_of(peer, staff)
    bus.start()
    keyring.start()
    while status_of(peer, staff) != 200:
        pause()


def test_a_vault_with_a_key_file_stays_and_is_moved_by_rekeying(
    bus: PrivateBus, daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    # No service has the name.
    keep(peer, staff)
    assert vault(peer)["openers"] == ["keyFile"] and "a key file opens the vault" in daemon.output()
    with pytest.raises(RemoteError, match="no Secret Service answers"):
        peer.call("vault/rekey", {"opener": "secretService"})
    keyring = GnomeKeyring(bus)
    restart(daemon)
    peer = connect()
    peer.call("vault/rekey")
    assert vault(peer)["openers"] == ["keyFile"] and keyring.items() == []
    for _ in range(2):
        peer.call("vault/rekey", {"opener": "secretService"})
        assert vault(peer)["openers"] == ["secretService"] and not key_of(daemon).exists()
        assert len(keyring.items()) == 1
    restart(daemon)
    peer = connect()
    assert status_of(peer, staff) == 200
    peer.call("vault/rekey", {"opener": "keyFile"})
    assert vault(peer)["openers"] == ["keyFile"] and keyring.items() == []
    restart(daemon)
    assert status_of(connect(), staff) == 200


def test_a_passphrase_takes_its_place_or_stands_beside_it(
    keyring: GnomeKeyring, daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    keep(peer, staff)
    peer.call("vault/passphrase", {**LOCK, "keepOthers": True})
    restart(daemon)
    peer = connect()
    opens(peer)
    assert vault(peer)["openers"] == ["secretService", "passphrase"]
    keyring.lock()
    restart(daemon)
    peer = connect()
    while vault(peer)["state"] == "forgotten":
        pause()
    assert vault(peer)["state"] == "locked"
    peer.call("agent/unlock", LOCK)
    assert vault(peer)["openers"] == ["passphrase", "secretService"]
    keyring.end()
    keyring.start()
    peer.call("vault/passphrase", LOCK)
    assert vault(peer)["openers"] == ["passphrase"] and keyring.items() == []


def test_the_configuration_turns_it_off(
    keyring: GnomeKeyring, daemon: Daemon, connect: Connect, staff: str, tmp_path: Path
) -> None:
    configuration = tmp_path / "watchwordd.json"
    configuration.write_text(json.dumps({"vault": {"secretService": False}}))
    end(daemon)
    daemon.options += ["--configuration", str(configuration)]
    daemon.start()
    peer = connect()
    keep(peer, staff)
    assert vault(peer)["openers"] == ["keyFile"] and keyring.items() == []
    with pytest.raises(RemoteError, match="turns it off"):
        peer.call("vault/rekey", {"opener": "secretService"})


@pytest.mark.parametrize(
    ("environment", "opener"),
    [(by_directory, "secretService"), (by_relative_directory, "keyFile")],
    indirect=["environment"],
)
def test_the_bus_of_a_runtime_directory_is_found_by_an_absolute_path(
    keyring: GnomeKeyring, connect: Connect, staff: str, opener: str
) -> None:
    peer = connect()
    keep(peer, staff)
    assert vault(peer)["openers"] == [opener]


def test_without_a_session_bus_a_key_file_opens_the_vault(
    bus: PrivateBus, daemon: Daemon, connect: Connect, staff: str
) -> None:
    bus.end()
    peer = connect()
    keep(peer, staff)
    assert vault(peer)["openers"] == ["keyFile"]


@pytest.mark.parametrize(
    ("behavior", "opener"),
    [
        ("honest", "secretService"),
        ("hangs", "keyFile"),
        ("dies", "keyFile"),
        ("has no collection", "keyFile"),
        ("gives another key", "keyFile"),
        ("gives no key", "keyFile"),
        ("gives too much", "keyFile"),
    ],
)
def test_a_service_that_lies_does_not_get_the_vault(
    bus: PrivateBus, daemon: Daemon, connect: Connect, staff: str, behavior: str, opener: str
) -> None:
    lying_secret_service(bus, behavior)
    peer = connect()
    keep(peer, staff)
    assert vault(peer)["openers"] == [opener] and key_of(daemon).exists() == (opener == "keyFile")
    assert status_of(peer, staff) == 200
