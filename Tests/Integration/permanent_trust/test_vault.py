"""Permanent decisions beside the credentials of the vault: exported, forgotten, locked."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.permanent_trust.scene import accept, is_asked, kept, listed, restart
from Integration.vault.scene import keep
from Integration.wire import Json, Peer, kind_of
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]


def transfer(peer: Peer, method: str, descriptor: int) -> Json:
    return peer.call(method, {"descriptor": 0, "passphrase": "of the file"}, descriptors=[descriptor])


def test_an_export_carries_them(
    start: Callable[..., tuple[Daemon, Peer]], connect: Connect, strange: ScriptedOrigin, tmp_path: Path
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    keep(peer, "http://host.test:80/")
    with (tmp_path / "file").open("wb") as file:
        exported = transfer(peer, "vault/export", file.fileno())
    assert exported == {"credentials": 1, "trust": 1, "identities": 0}
    assert f":{strange.port}".encode() not in (tmp_path / "file").read_bytes()
    other_daemon, other = start("--state-directory", str(tmp_path / "state"))
    for outcome in ({"added": 2, "skipped": 0}, {"added": 0, "skipped": 2}):
        with (tmp_path / "file").open("rb") as file:
            assert transfer(other, "vault/import", file.fileno()) == {"replaced": 0, **outcome}
    assert [one["trust"] for one in listed(other)] == ["p1"] and not is_asked(other, strange)
    assert other_daemon.output().count("vault made") == 1


def test_forgetting_reads_them_again(daemon: Daemon, connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    peer.call("agent/forget")
    vault = peer.call("status")["vault"]
    assert (vault["state"], vault["trust"]) == ("forgotten", 0)
    assert not is_asked(peer, strange) and kept(daemon) == ["p1"]


def test_they_count_after_the_unlocking_and_not_before(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    peer.call("vault/init", {"passphrase": "river"})
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert kind_of(peer.fetch, peer.open(), strange.url + "/") == "serverTrustRejected"
    # Nothing seems to be taken back that counts again later.
    assert kind_of(peer.call, "trust/remove") == "agentLocked"
    assert peer.call("trust/remove", {"trust": "7"})["removed"] == 0
    peer.call("agent/unlock", {"passphrase": "river"})
    assert not is_asked(peer, strange)
    peer.call("agent/forget")
    assert peer.call("status")["vault"]["state"] == "locked" and is_asked(peer, strange)
    peer.call("agent/unlock", {"passphrase": "river"})
    assert peer.call("trust/remove")["removed"] == 1 and kept(daemon) == []


def test_a_damaged_vault_has_none(daemon: Daemon, connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    path = Path(daemon.directory) / "state" / f"vault-{os.geteuid()}" / "vault.sqlite"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    daemon.start()
    peer = connect()
    assert is_asked(peer, strange) and peer.call("status")["vault"]["state"] == "unavailable"
    assert path.read_bytes() == whole[: len(whole) // 2]
