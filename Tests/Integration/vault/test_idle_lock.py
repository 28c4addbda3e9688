"""An agent that was not used for a while locks itself or forgets (storage.md 9.11.13)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.vault.scene import answer_once, keep, restart, status_of
from Integration.vault.test_lock import lock, unlock
from Integration.wire import Peer, password, pause
from Support.daemon import Daemon


@pytest.fixture
def restless_daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon whose agent is soon locked."""
    path = tmp_path / "configuration.json"
    path.write_text(json.dumps({"agent": {"idleLockSeconds": 1.5}}))
    daemon = Daemon(["--configuration", str(path)])
    yield daemon
    daemon.stop()


@pytest.fixture
def restless(restless_daemon: Daemon, peers: list[Peer]) -> Peer:
    peers.append(Peer(restless_daemon.socket))
    return peers[-1]


def test_an_open_vault_is_wiped_without_a_first_request(
    restless: Peer, restless_daemon: Daemon, staff: str, peers: list[Peer]
) -> None:
    keep(restless, staff)
    restart(restless_daemon)
    peer = Peer(restless_daemon.socket)
    peers.append(peer)
    while peer.call("status")["vault"]["state"] != "forgotten":
        pause()
    assert status_of(peer, staff) == 200


def test_what_a_restricted_connection_does_is_no_use(
    restless: Peer, restless_daemon: Daemon, staff: str, peers: list[Peer]
) -> None:
    peer = restless
    keep(peer, staff)
    peer.open("s")
    restricted = Peer(restless_daemon.socket)
    peers.append(restricted)
    restricted.call(
        "peer/restrict",
        {"session": "s", "rules": [{"methods": ["GET"], "origin": staff.removesuffix("/x"), "path": "/*"}]},
    )
    while peer.call("status")["vault"]["state"] != "forgotten":
        restricted.call("task/list")
    # It reads the vault again, and that is wiped again.
    assert restricted.call("fetch", {"url": staff})["status"] == 200
    while peer.call("status")["vault"]["state"] != "forgotten":
        restricted.call("task/list")


def test_an_agent_that_is_not_used_locks_itself(restless: Peer, staff: str) -> None:
    peer = restless
    lock(peer)
    unlock(peer)
    answer_once(peer, staff, password(USER, PASSWORD))
    # The status is no use.
    while not peer.call("status")["locked"]:
        pause()
    unlock(peer)
    assert peer.call("credential/list")["credentials"] == []
    entries = peer.call("credential/history", {"limit": 16})["entries"]
    assert [entry["pid"] for entry in entries if entry["outcome"] == "locked"] == [None, os.getpid()]


def test_an_agent_that_was_never_locked_forgets(restless: Peer, staff: str) -> None:
    peer = restless
    session = peer.open("s", tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    while any(one["credentials"] for one in peer.call("status")["sessions"]):
        pause()
    assert peer.call("status")["locked"] is False
    assert peer.call("credential/history", {"limit": 1})["entries"][0]["outcome"] == "forgotten"
