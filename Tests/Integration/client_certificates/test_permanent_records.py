"""Records of permanent identities: altered, of two accounts, full disk, exported (challenges.md 11.11)."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.client_certificates.scene import OPENS, answered, keep, listed, permanent, seen, shown
from Integration.sentinels import MARK
from Integration.vault.scene import end, restart, vault_of
from Integration.wire import Peer, kind_of
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS

Connect = Callable[..., Peer]
Open = Callable[..., str]
threads = pytest.mark.threads


@pytest.fixture
def kept(daemon: Daemon, connect: Connect, alice: ClientIdentity, bob: ClientIdentity) -> Daemon:
    """A daemon that has kept two identities and has ended."""
    peer = connect()
    keep(peer, alice.plain)
    keep(peer, bob.plain)
    peer.close()
    end(daemon)
    return daemon


@threads
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET space = CAST('https' || x'00' || 'localhost' || x'00' || '1' || x'00' AS BLOB)",
        "UPDATE record SET sealed = (SELECT sealed FROM record ORDER BY number DESC LIMIT 1)",
        "UPDATE record SET number = number + 7",
        "UPDATE record SET kind = 'trust'",
        "UPDATE record SET sealed = zeroblob(200)",
    ],
)
def test_a_record_that_was_moved_or_altered_is_not_presented(
    kept: Daemon, connect: Connect, session: Open, server: MutualTLS, statement: str
) -> None:
    database = sqlite3.connect(vault_of(kept))
    with database:
        first = database.execute("SELECT min(number) FROM record").fetchone()[0]
        assert 1 << 60 <= first < 1 << 62
        database.execute(f"{statement} WHERE number = {first}")
    database.close()
    kept.start()
    peer = connect()
    assert "records that do not open" in kept.output()
    assert [one["subject"] for one in listed(peer)] == ["CN=bob"]
    assert peer.call("vault/check") == {
        "records": 1,
        "credentials": 0,
        "trust": 0,
        "identities": 1,
        "unreadable": 1,
        "complaint": None,
    }


ANOTHER = 65534


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")
def test_two_accounts_have_identities_of_their_own(
    tmp_path: Path,
    peers: list[Peer],
    session: Open,
    server: MutualTLS,
    alice: ClientIdentity,
    bob: ClientIdentity,
) -> None:
    configuration = tmp_path / "host.json"
    configuration.write_text(json.dumps({"access": "host"}))
    host = Daemon(["--configuration", str(configuration)])
    try:
        host.directory.chmod(0o755)
        peers.append(Peer(host.socket))
        # The kernel notes the account that connects.
        os.seteuid(ANOTHER)
        try:
            peers.append(Peer(host.socket))
        finally:
            os.seteuid(0)
        mine, theirs = peers[-2:]
        keep(mine, alice.plain)
        assert listed(theirs) == [] and seen(theirs, session, server) == ""
        keep(theirs, bob.plain)
        assert (seen(mine, session, server), seen(theirs, session, server)) == ("CN=alice", "CN=bob")
        end(host)
        # A record that is copied into the vault of the other account does not open there.
        state = host.directory / "state"
        with contextlib.closing(sqlite3.connect(state / f"vault-{ANOTHER}" / "vault.sqlite")) as database:
            (row,) = database.execute("SELECT number + 1, kind, space, sealed FROM record").fetchall()
        with contextlib.closing(sqlite3.connect(state / "vault-0" / "vault.sqlite")) as database, database:
            database.execute("INSERT INTO record VALUES (?, ?, ?, ?)", row)
        host.start()
        peers.append(Peer(host.socket))
        assert [one["subject"] for one in listed(peers[-1])] == ["CN=alice"]
        assert peers[-1].call("vault/check")["unreadable"] == 1
    finally:
        host.stop()


@threads
def test_a_full_disk_keeps_what_there_is(
    daemon: Daemon,
    keeper: Peer,
    connect: Connect,
    session: Open,
    server: MutualTLS,
    staff: ClientAuthority,
) -> None:
    """A bound on the size of files stands for the disk."""
    peer = keeper
    size = max(path.stat().st_size for path in vault_of(daemon).parent.iterdir())
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (size, size))
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    challenge = peer.challenge()
    other = staff.issue("other", ("rsa:4096",))
    assert kind_of(peer.answer, challenge, permanent(other.plain)) == "storageUnavailable"
    assert kind_of(keep, peer, other.plain) == "storageUnavailable"
    # Nothing has changed, and the challenge is pending.
    assert [one["subject"] for one in listed(peer)] == ["CN=alice"]
    peer.dispose(challenge, "performDefaultHandling")
    assert shown(peer.result(fetch)).subject == "CN=alice"
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert seen(peer, session, server) == "CN=alice"
    keep(peer, other.plain)
    assert len(listed(peer)) == 2


@threads
def test_a_new_data_key_and_a_passphrase_keep_it(
    daemon: Daemon, keeper: Peer, connect: Connect, session: Open, server: MutualTLS
) -> None:
    keeper.call("vault/rekey")
    keeper.call("vault/passphrase", OPENS)
    restart(daemon)
    peer = connect()
    peer.call("agent/unlock", OPENS)
    assert seen(peer, session, server) == "CN=alice"


@pytest.fixture
def elsewhere(peers: list[Peer]) -> Iterator[Peer]:
    """Of a daemon with a vault of its own."""
    second = Daemon()
    try:
        peers.append(Peer(second.socket))
        yield peers[-1]
    finally:
        second.stop()


@threads
def test_another_daemon_presents_what_was_exported(
    connect: Connect,
    elsewhere: Peer,
    session: Open,
    server: MutualTLS,
    alice: ClientIdentity,
    bob: ClientIdentity,
    tmp_path: Path,
) -> None:
    peer = connect()
    keep(peer, alice.plain, limits={"maximumUses": 9})
    url = server.url(verification="optional")
    answered(peer, session(peer, tasks=["clientCertificate"]), url, bob.plain)
    passphrase = {"descriptor": 0, "passphrase": f"{MARK} travels"}
    path = tmp_path / "file"
    with path.open("wb") as file:
        exported = peer.call("vault/export", passphrase, descriptors=[file.fileno()])
    assert exported == {"credentials": 0, "trust": 0, "identities": 2}
    assert b"PRIVATE KEY" not in path.read_bytes()
    for counts in ((2, 0, 0), (0, 0, 2)):
        with path.open("rb") as file:
            imported = elsewhere.call("vault/import", passphrase, descriptors=[file.fileno()])
        assert imported == dict(zip(("added", "replaced", "skipped"), counts, strict=True))
    found = {one["subject"]: (one["origin"], one["limits"]) for one in listed(elsewhere)}
    assert found == {"CN=alice": (None, {"maximumUses": 9}), "CN=bob": (url[:-1], {})}
    assert seen(elsewhere, session, server) == "CN=bob"
    assert seen(elsewhere, session, server, http="1.1") == "CN=alice"
