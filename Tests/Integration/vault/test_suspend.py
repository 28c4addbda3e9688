"""The agents lock before the machine goes to sleep (storage.md 9.11.14 to 9.11.16)."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import MARK, PASSWORD, USER
from Integration.test_memory import copies
from Integration.vault.scene import answer_once, keep, status_of
from Integration.wire import Peer, password, pause, stop_all
from Support.daemon import Daemon
from Support.logind import Logind, lying_logind
from Support.private_bus import PrivateBus

LOCK = {"passphrase": f"{MARK} locks it"}


@pytest.fixture
def environment(bus: PrivateBus) -> dict[str, str]:
    return {"DBUS_SYSTEM_BUS_ADDRESS": bus.address}


@pytest.fixture
def watcher(
    environment: dict[str, str], tmp_path: Path, peers: list[Peer]
) -> Iterator[Callable[[], tuple[Daemon, Peer]]]:
    """Starts the daemon that locks on suspend."""
    daemons: list[Daemon] = []

    def start() -> tuple[Daemon, Peer]:
        configuration = tmp_path / "watchwordd.json"
        configuration.write_text(json.dumps({"agent": {"lockOnSuspend": True}}))
        daemons.append(Daemon(["--configuration", str(configuration)], environment))
        peers.append(Peer(daemons[-1].socket))
        return daemons[-1], peers[-1]

    yield start
    stop_all(daemons, peers)


Watcher = Callable[[], tuple[Daemon, Peer]]


def wait_for(peer: Peer, state: str) -> None:
    while peer.call("status")["suspendLock"] != state:
        pause()


def outcomes(peer: Peer) -> list[str]:
    return [entry["outcome"] for entry in peer.call("credential/history")["entries"]]


def test_nothing_is_watched_unless_it_is_configured(bus: PrivateBus, daemon: Daemon, peer: Peer) -> None:
    logind = Logind(bus)
    assert peer.call("status")["suspendLock"] == "off"
    assert "Watchword" not in logind.inhibitors()
    assert "libsystemd" not in Path(f"/proc/{daemon.pid}/maps").read_text()


def test_an_agent_locks_before_sleep_and_is_ready_for_the_next(
    bus: PrivateBus, watcher: Watcher, staff: str
) -> None:
    logind = Logind(bus)
    _, peer = watcher()
    wait_for(peer, "ready")
    assert "'sleep', 'Watchword'" in logind.inhibitors() and "'delay'" in logind.inhibitors()
    peer.call("agent/lock", LOCK)
    peer.call("agent/unlock", LOCK)
    answer_once(peer, staff, password(USER, PASSWORD))
    for _ in range(2):
        logind.announce(True)
        # It is released when everything is wiped, and taken again after the sleep.
        while "Watchword" in logind.inhibitors():
            pause()
        assert peer.call("status")["locked"] is True
        logind.announce(False)
        while "Watchword" not in logind.inhibitors():
            pause()
        wait_for(peer, "ready")
        peer.call("agent/unlock", LOCK)
    assert peer.call("credential/list")["credentials"] == []
    assert outcomes(peer)[:2] == ["unlocked", "locked"]


def test_an_agent_that_was_never_locked_forgets(bus: PrivateBus, watcher: Watcher, staff: str) -> None:
    logind = Logind(bus)
    daemon, peer = watcher()
    wait_for(peer, "ready")
    keep(peer, staff)
    answer_once(peer, staff, password(USER, PASSWORD))
    logind.announce(True)
    while "Watchword" in logind.inhibitors():
        pause()
    status = peer.call("status")
    assert status["locked"] is False and status["vault"]["state"] == "forgotten"
    assert copies(daemon, PASSWORD.encode()) == 0
    assert outcomes(peer)[0] == "forgotten"
    # The key file opens the vault again.
    logind.announce(False)
    assert status_of(peer, staff) == 200


def test_it_follows_restarts_of_logind_and_of_the_bus(bus: PrivateBus, watcher: Watcher) -> None:
    logind = Logind(bus)
    _, peer = watcher()
    wait_for(peer, "ready")
    logind.end()
    wait_for(peer, "noLogind")
    logind.start()
    wait_for(peer, "ready")
    bus.end()
    wait_for(peer, "noBus")
    bus.start()
    wait_for(peer, "noLogind")
    logind.start()
    wait_for(peer, "ready")
    logind.announce(True)
    while "forgotten" not in outcomes(peer):
        pause()


def test_without_a_bus_or_logind_nothing_else_changes(bus: PrivateBus, watcher: Watcher, staff: str) -> None:
    bus.end()
    daemon, peer = watcher()
    wait_for(peer, "noBus")
    keep(peer, staff)
    assert status_of(peer, staff) == 200
    bus.start()
    wait_for(peer, "noLogind")
    # It is turned off and on by a reload.
    configuration = Path(daemon.options[-1])
    configuration.write_text("{}")
    peer.call("server/reload")
    assert peer.call("status")["suspendLock"] == "off"
    configuration.write_text(json.dumps({"agent": {"lockOnSuspend": True}}))
    peer.call("server/reload")
    wait_for(peer, "noLogind")


def test_a_refused_inhibitor_is_said(bus: PrivateBus, watcher: Watcher) -> None:
    lying_logind(bus, "refuses")
    _, peer = watcher()
    wait_for(peer, "noInhibitor")


def test_a_logind_that_is_silent_holds_nothing(bus: PrivateBus, watcher: Watcher, staff: str) -> None:
    liar = lying_logind(bus, "hangs")
    _, peer = watcher()
    wait_for(peer, "connecting")
    liar.wait_until(lambda: "asked 1 sleep delay" in liar.output())
    keep(peer, staff)
    assert status_of(peer, staff) == 200


def test_signals_of_other_programs_and_of_other_types_lock_nothing(bus: PrivateBus, watcher: Watcher) -> None:
    liar = lying_logind(bus, "mistypes")
    _, peer = watcher()
    wait_for(peer, "noInhibitor")
    liar.stop()
    wait_for(peer, "noLogind")
    Logind(bus)
    wait_for(peer, "ready")
    lying_logind(bus, "forges")
    bus.end()
    wait_for(peer, "noBus")
    # All of them arrived before the bus ended.
    assert outcomes(peer) == []


def test_a_flood_of_signals_is_served_beside_everything_else(bus: PrivateBus, watcher: Watcher) -> None:
    liar = lying_logind(bus, "floods")
    daemon, peer = watcher()
    liar.wait_until(lambda: "asked 1" in liar.output())
    before = daemon.resident_bytes()
    while "flooded" not in liar.output():
        peer.call("ping")
    liar.stop()
    wait_for(peer, "noLogind")
    assert daemon.resident_bytes(peak=True) - before < 64 * 1024 * 1024


class LyingBus:
    """Takes connections on the bus's path and says what no bus says."""

    def __init__(self, path: Path, answer: bytes | None) -> None:
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._answer = answer
        self.accepted = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        held = []
        while True:
            try:
                connection, _ = self._listener.accept()
                held.append(connection)
                self.accepted += 1
                if self._answer is None:
                    connection.close()
                else:
                    connection.recv(65536)
                    connection.sendall(self._answer)
            except OSError:
                return

    def stop(self) -> None:
        self._listener.close()


GREETING = b"DATA\r\nOK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n"


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (None, "noBus"),
        (b"", "connecting"),
        (b"\0" * 100_000, "noBus"),
        (b"REJECTED EXTERNAL\r\n", "connecting"),
        (b"A" * 1_000_000, "noBus"),
        (GREETING + b"l\2\0\1" + b"\xff" * 12, "noBus"),
        (GREETING + b"garbage" * 10_000, "noBus"),
    ],
    ids=["closes", "silence", "zeros", "rejects", "endless line", "huge message", "garbage"],
)
def test_a_bus_that_lies_holds_nothing(
    bus: PrivateBus, watcher: Watcher, staff: str, answer: bytes | None, state: str
) -> None:
    bus.end()
    liar = LyingBus(bus.socket, answer)
    daemon, peer = watcher()
    while not liar.accepted:
        peer.call("ping")
    wait_for(peer, state)
    keep(peer, staff)
    assert status_of(peer, staff) == 200
    assert daemon.resident_bytes(peak=True) < 256 * 1024 * 1024
    liar.stop()
    bus.start()
    if state == "noBus":
        wait_for(peer, "noLogind")
