"""Permanent decisions as records of the vault."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.permanent_trust.scene import (
    ALWAYS,
    LEDGER,
    accept,
    is_asked,
    kept,
    listed,
    state,
    vault_of,
)
from Integration.wire import Peer
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]


def crowd(peer: Peer, origin: ScriptedOrigin, count: int) -> None:
    """So many decisions, `p1` and up, all about different names of one server."""
    names = [f"n{number}.test" for number in range(count)]
    addresses = {"resolve": {f"{name}:{origin.port}": "127.0.0.1" for name in names}}
    session = peer.open(tasks=["serverTrust"], configuration={"addresses": addresses})
    for name in names:
        fetch = peer.start_fetch(session, f"https://{name}:{origin.port}/")
        peer.answer(peer.challenge(), ALWAYS)
        assert peer.result(fetch)["status"] == 200


def test_a_kill_at_any_instant_leaves_the_old_or_the_new(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, tmp_path: Path
) -> None:
    count = 120
    crowd(connect(), strange, count)
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    shutil.copytree(state(daemon), tmp_path / "state")
    names = [f"p{number}" for number in range(1, count + 1)]
    for attempt in range(11):
        shutil.rmtree(state(daemon))
        shutil.copytree(tmp_path / "state", state(daemon))
        daemon.start()
        peer = connect()
        requests = [peer.request("trust/remove", {"trust": name}) for name in names]
        # Killed after as many replies as the attempt says, while more are being written.
        promised = requests[: 1 + attempt * attempt]
        assert [peer.result(request)["removed"] for request in promised] == [1] * len(promised)
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        left = kept(daemon)
        # What was promised holds, and what is left are the changes up to some instant.
        assert len(left) <= count - len(promised) and left == names[count - len(left) :]
        daemon.start()
        assert [one["trust"] for one in listed(connect())] == left
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
    daemon.start()


def test_many_at_once_are_written_together(daemon: Daemon, connect: Connect, strange: ScriptedOrigin) -> None:
    peer, count = connect(), 200
    crowd(peer, strange, count)
    before = peer.counter("vault.written")
    requests = [peer.request("trust/remove", {"trust": f"p{number}"}) for number in range(1, count + 1)]
    assert sum(peer.result(request)["removed"] for request in requests) == count
    assert kept(daemon) == [] and 1 <= peer.counter("vault.written") - before < count


def test_nothing_of_a_decision_but_its_origin_is_legible(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    [decision] = listed(peer)
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    octets = vault_of(daemon).read_bytes()
    assert b"unknownIssuer" not in octets and decision["publicKey"].encode() not in octets
    daemon.start()


def test_a_decision_that_was_moved_to_another_origin_does_not_count(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    with sqlite3.connect(vault_of(daemon)) as database:
        database.execute("UPDATE record SET space = ? WHERE number > ?", (b"https\0other\x00443\0", LEDGER))
    database.close()
    daemon.start()
    peer = connect()
    assert listed(peer) == [] and "records that do not open" in daemon.output()
    assert is_asked(peer, strange)
    assert peer.call("vault/check") == {
        "records": 1,
        "credentials": 0,
        "trust": 0,
        "identities": 0,
        "unreadable": 1,
        "complaint": None,
    }
