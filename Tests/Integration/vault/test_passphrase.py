"""A vault that opens with a passphrase, other keys, and a check."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable

import pytest

from Integration.sentinels import MARK, PASSWORD
from Integration.vault.scene import (
    FOR_EVER,
    end,
    keep,
    key_of,
    listed,
    refusal_of,
    restart,
    status_of,
    vault_of,
)
from Integration.wire import Peer, RemoteError, kind_of, password
from Support.daemon import Daemon

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
PASSPHRASE = {"passphrase": f"{MARK} opens it"}
WRONG = {"passphrase": f"{MARK} does not"}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_serves_after_unlocking_and_not_before(
    daemon: Daemon, connect: Connect, staff: str, how: signal.Signals
) -> None:
    peer = connect()
    assert peer.call("vault/init", PASSPHRASE) == {}
    assert not key_of(daemon).exists()
    keep(peer, staff)
    assert status_of(peer, staff) == 200
    restart(daemon, how)
    peer = connect()
    assert peer.call("status")["vault"]["state"] == "locked"
    assert listed(peer) == [] and status_of(peer, staff) == 401
    assert peer.call("explain", {"url": staff})["credential"] is None
    error = refusal_of(peer, staff)
    assert (error.kind, error.code) == ("agentLocked", 1403)
    assert peer.call("agent/unlock", PASSPHRASE) == {"locked": False}
    assert status_of(peer, staff) == 200
    assert peer.call("status")["vault"]["opensWith"] == "passphrase"


def test_a_second_vault_is_refused_in_its_own_words(connect: Connect, staff: str) -> None:
    peer = connect()
    peer.call("vault/init", PASSPHRASE)
    keep(peer, staff)
    with pytest.raises(RemoteError) as refused:
        peer.call("vault/init")
    assert (refused.value.kind, refused.value.message) == ("storageUnavailable", "there is a vault already")
    assert len(listed(peer)) == 1


def check(peer: Peer) -> tuple[int, int, str | None]:
    found = peer.call("vault/check")
    return found["records"], found["unreadable"], found["complaint"]


def test_a_permanent_reply_to_a_locked_vault_leaves_the_challenge_pending(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    connect().call("vault/init", PASSPHRASE)
    restart(daemon)
    peer = connect()
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    assert kind_of(peer.answer, challenge, FOR_EVER) == "agentLocked"
    peer.call("agent/unlock", PASSPHRASE)
    assert peer.answer(challenge, FOR_EVER) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200 and len(listed(peer)) == 1


def test_a_passphrase_replaces_the_key_file(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    keep(peer, staff)
    key = key_of(daemon).read_bytes()
    assert peer.call("vault/passphrase", PASSPHRASE) == {}
    assert not key_of(daemon).exists() and status_of(peer, staff) == 200
    keep(peer, staff, password("other", PASSWORD, "permanent"), default=False)
    end(daemon)
    # A copy of the key file opens nothing any more.
    key_of(daemon).write_bytes(key)
    key_of(daemon).chmod(0o600)
    daemon.start()
    peer = connect()
    assert status_of(peer, staff) == 401
    peer.call("agent/unlock", PASSPHRASE)
    assert status_of(peer, staff) == 200 and len(listed(peer)) == 2


def test_a_wrong_passphrase_slows_the_next_one_down(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    peer.call("vault/init", PASSPHRASE)
    keep(peer, staff)
    restart(daemon)
    peer, other = connect(), connect()
    for _ in range(3):
        with pytest.raises(RemoteError) as refused:
            peer.call("agent/unlock", WRONG)
        assert refused.value.kind == "credentialUnusable"
        assert refused.value.data["reason"] == "wrongPassphrase"
    # One passphrase is tried at a time, and the daemon serves other callers meanwhile.
    waiting = peer.request("agent/unlock", PASSPHRASE)
    peer.call("ping")
    assert kind_of(other.call, "agent/unlock", WRONG) == "storageUnavailable"
    assert peer.result(waiting) == {"locked": False}
    assert status_of(peer, staff) == 200
    # The passphrase of an open vault is not looked at.
    assert other.call("agent/unlock", WRONG) == {"locked": False}


def test_records_survive_another_data_key(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    keep(peer, staff)
    for _ in range(3):
        assert peer.call("vault/rekey") == {}
        keep(peer, staff, password("other", PASSWORD, "permanent"), default=False)
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert status_of(peer, staff) == 200 and len(listed(peer)) == 2
    assert check(peer) == (2, 0, None)


def test_a_kill_while_the_data_key_changes_loses_nothing(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    for number in range(40):
        keep(peer, staff, password(f"u{number}", PASSWORD, "permanent"), default=False)
    keep(peer, staff)
    for round_number in range(6):
        peer = connect()
        # The first one is over; where in the others the kill comes is left to chance.
        first, *_ = [peer.request("vault/rekey") for _ in range(1 + round_number)]
        peer.result(first)
        restart(daemon, signal.SIGKILL)
        peer = connect()
        assert check(peer) == (41, 0, None)
        assert status_of(peer, staff) == 200


def test_a_check_finds_what_does_not_open(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    keep(peer, staff)
    keep(peer, staff, password("other", PASSWORD, "permanent"), default=False)
    end(daemon)
    database = sqlite3.connect(vault_of(daemon))
    with database:
        database.execute("UPDATE record SET sealed = zeroblob(99) WHERE number = 2")
    database.close()
    daemon.start()
    assert check(connect()) == (1, 1, None)


def test_there_is_one_vault(connect: Connect, staff: str) -> None:
    peer = connect()
    for method in ("vault/passphrase", "vault/rekey", "vault/check"):
        members = PASSPHRASE if method == "vault/passphrase" else {}
        assert kind_of(peer.call, method, members) == "storageUnavailable"
    keep(peer, staff)
    assert kind_of(peer.call, "vault/init", PASSPHRASE) == "storageUnavailable"
    assert status_of(peer, staff) == 200


@pytest.mark.parametrize("method", ["vault/init", "vault/passphrase", "agent/unlock"])
def test_an_empty_passphrase_is_refused(connect: Connect, method: str) -> None:
    assert kind_of(connect().call, method, {"passphrase": ""}) == "invalidParams"
    assert kind_of(connect().call, method, {"passphrase": "x" * 1025}) == "invalidParams"
