"""Identities that are kept: records of the vault (challenges.md 11.11 to 11.17)."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.client_certificates.scene import shown
from Integration.sentinels import MARK
from Integration.test_memory import copies
from Integration.vault.scene import end, restart, vault_of
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.client_identities import PASSPHRASE, ClientAuthority, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS

Connect = Callable[..., Peer]
Open = Callable[..., str]
core = pytest.mark.core
OPENS = {"passphrase": f"{MARK} opens it"}


def permanent(identity: Json, **members: Json) -> Json:
    return {"identity": identity, "persistence": "permanent", **members}


def keep(peer: Peer, identity: Json, **members: Json) -> str:
    return str(peer.call("identity/add", permanent(identity, **members))["identity"])


def listed(peer: Peer) -> list[Json]:
    found: list[Json] = peer.call("identity/list")["identities"]
    return [one for one in found if one["persistence"] == "permanent"]


def answered(peer: Peer, opened: str, url: str, identity: Json, **members: Json) -> str:
    """A fetch whose challenge gets a permanent reply; whom the server saw."""
    fetch = peer.start_fetch(opened, url)
    assert peer.answer(peer.challenge(), permanent(identity, **members)) == {"accepted": True}
    return shown(peer.result(fetch)).subject


def seen(peer: Peer, session: Open, server: MutualTLS, **members: str) -> str:
    """Whom the server sees in a new session without delegates."""
    url = server.url(verification="optional", **members)
    return shown(peer.fetch(session(peer), url)).subject


@core
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("form", ["plain", "locked", "pkcs12"])
def test_one_answered_once_serves_after_a_restart(
    daemon: Daemon,
    connect: Connect,
    session: Open,
    server: MutualTLS,
    alice: ClientIdentity,
    how: signal.Signals,
    form: str,
) -> None:
    given = {**alice.locked, "passphrase": PASSPHRASE} if form == "locked" else getattr(alice, form)
    peer = connect()
    url = server.url(verification="optional")
    assert answered(peer, session(peer, tasks=["clientCertificate"]), url, given) == "CN=alice"
    restart(daemon, how)
    peer = connect()
    assert seen(peer, session, server) == "CN=alice"
    (one,) = listed(peer)
    assert (one["origin"], one["subject"], one["uses"]) == (url[:-1], "CN=alice", 1)
    # For no other origin, and not in a session with storage of its own.
    assert seen(peer, session, server, http="1.1") == ""
    alone = session(peer, configuration={"credentialStorage": "private"})
    assert shown(peer.fetch(alone, url)).subject == ""
    assert peer.call("identity/list", {"session": alone})["identities"] == []
    status = peer.call("status")
    assert status["vault"]["identities"] == status["usage"]["permanentIdentitiesPerUid"] == 1


@core
def test_with_a_passphrase_it_serves_after_unlocking_and_not_before(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    peer.call("vault/init", OPENS)
    identifier = keep(peer, alice.plain)
    restart(daemon)
    peer = connect()
    opened = session(peer)
    url = server.url(verification="optional")
    assert shown(peer.fetch(opened, url)).subject == "" and listed(peer) == []
    assert kind_of(keep, peer, alice.plain) == "agentLocked"
    assert kind_of(peer.call, "identity/remove", {"identity": identifier}) == "agentLocked"
    peer.call("agent/unlock", OPENS)
    # Connections that were opened without it are not used again.
    assert shown(peer.fetch(opened, url)).subject == "CN=alice"
    peer.call("agent/forget")
    assert shown(peer.fetch(opened, url)).subject == ""


@core
def test_a_reply_to_a_locked_vault_leaves_the_challenge_pending(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    connect().call("vault/init", OPENS)
    restart(daemon)
    peer = connect()
    fetch = peer.start_fetch(session(peer, tasks=["clientCertificate"]), server.url())
    challenge = peer.challenge()
    assert kind_of(peer.answer, challenge, permanent(alice.plain)) == "agentLocked"
    peer.call("agent/unlock", OPENS)
    peer.answer(challenge, permanent(alice.plain))
    assert shown(peer.result(fetch)).subject == "CN=alice" and len(listed(peer)) == 1


@core
def test_the_lock_hides_it_until_it_is_unlocked(
    connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    keep(peer, alice.plain)
    opened = session(peer, tasks=["agentUnlock"])
    url = server.url()
    first = shown(peer.fetch(opened, url))
    peer.call("agent/lock", {"passphrase": f"{MARK} locks it"})
    assert listed(peer) == []
    assert kind_of(keep, peer, alice.plain) == "agentLocked"
    fetch = peer.start_fetch(opened, url)
    peer.answer(peer.challenge(), {"passphrase": f"{MARK} locks it"})
    second = shown(peer.result(fetch))
    # The connection that was opened with it before is not used again.
    assert (first.subject, second.subject) == ("CN=alice", "CN=alice")
    assert first.connection != second.connection


@core
def test_a_delegate_is_asked_and_shown_what_fits(
    connect: Connect,
    session: Open,
    server: MutualTLS,
    alice: ClientIdentity,
    bob: ClientIdentity,
    gil: ClientIdentity,
) -> None:
    peer = connect()
    kept = [keep(peer, identity.plain) for identity in (alice, gil)]
    opened = session(peer, tasks=["clientCertificate"])
    own = peer.call("identity/add", {"session": opened, "identity": bob.plain})["identity"]
    fetch = peer.start_fetch(opened, server.url())
    challenge = peer.challenge()
    # The session's own first, then the permanent ones, the last one first.
    assert challenge["identities"] == [own, kept[1], kept[0]]
    explained = peer.call("explain", {"session": opened, "url": server.url()})
    assert explained["clientCertificate"]["candidates"] == challenge["identities"]
    peer.answer(challenge, {"identity": kept[0]})
    assert shown(peer.result(fetch)).subject == "CN=alice"
    # The decision holds for the session; default handling takes the first.
    assert shown(peer.fetch(opened, server.url())).subject == "CN=alice"
    fetch = peer.start_fetch(opened, server.url(http="1.1"))
    peer.dispose(peer.challenge(), "performDefaultHandling")
    assert shown(peer.result(fetch)).subject == "CN=bob"


@core
def test_an_identity_of_the_session_is_kept_by_a_reply_that_names_it(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    opened = session(peer, tasks=["clientCertificate"])
    limits = {"maximumUses": 3}
    own = peer.call("identity/add", {"session": opened, "identity": alice.plain, "limits": limits})
    url = server.url(verification="optional")
    fetch = peer.start_fetch(opened, url)
    peer.answer(peer.challenge(), permanent(own["identity"]))
    assert shown(peer.result(fetch)).subject == "CN=alice"
    restart(daemon)
    peer = connect()
    (one,) = listed(peer)
    assert (one["origin"], one["limits"]) == (url[:-1], limits)
    # Of another origin too, then.
    other = server.url(http="1.1", verification="optional")
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, other)
    peer.answer(peer.challenge(), permanent(own["identity"]))
    assert shown(peer.result(fetch)).subject == "CN=alice"
    assert {one["origin"] for one in listed(peer)} == {url[:-1], other[:-1]}
    assert peer.call("identity/remove", {"identity": own["identity"]}) == {"removed": 2}


@core
def test_limits_end_it_for_every_session_and_survive_a_restart(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    keep(peer, alice.plain, limits={"maximumUses": 2})
    assert seen(peer, session, server) == "CN=alice"
    restart(daemon)
    peer = connect()
    assert listed(peer)[0]["uses"] == 1
    opened = session(peer)
    first = shown(peer.fetch(opened, server.url(verification="optional")))
    second = shown(peer.fetch(opened, server.url(verification="optional")))
    assert (first.subject, second.subject) == ("CN=alice", "")
    assert listed(peer) == []
    restart(daemon)
    assert listed(connect()) == []


@core
def test_removing_it_ends_it_for_every_session(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer, other = connect(), connect()
    identifier = keep(peer, alice.plain)
    url = server.url(verification="optional")
    opened = session(other)
    assert shown(other.fetch(opened, url)).subject == "CN=alice"
    assert peer.call("session/reset") is not None
    assert len(listed(peer)) == 1
    assert peer.call("identity/remove", {"identity": identifier}) == {"removed": 1}
    assert shown(other.fetch(opened, url)).subject == ""
    change = other.notification("credential/didChange")
    assert (change["identity"], change["change"]) == (identifier, "removed")
    assert (change["protectionSpace"], change["user"]) == (None, None)
    assert peer.call("identity/remove", {"identity": identifier}) == {"removed": 0}
    restart(daemon)
    assert listed(connect()) == []


@core
def test_holders_hear_of_one_that_is_added(
    connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer, other = connect(), connect()
    other.open("s")
    opened = session(peer, tasks=["clientCertificate"])
    answered(peer, opened, server.url(), alice.plain)
    change = other.notification("credential/didChange")
    space = change["protectionSpace"]
    assert (space["authenticationMethod"], space["host"]) == ("clientCertificate", "localhost")
    assert (change["change"], change["user"], change["count"]) == ("added", None, 1)
    assert change["identity"] == listed(peer)[0]["identity"]


@core
def test_a_reply_that_comes_too_late_keeps_nothing(
    connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    peer.call("vault/init")
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url(verification="optional"))
    challenge = peer.challenge()
    reply = {"challenge": challenge["challenge"], "disposition": "useCredential"}
    late = peer.request("challenge/reply", {**reply, "credential": permanent(alice.plain)})
    peer.call("challenge/reply", {**reply, "credential": None})
    assert kind_of(peer.result, late) == "challengeNotPending"
    assert shown(peer.result(fetch)).subject == ""
    assert listed(peer) == [] and peer.call("vault/check")["identities"] == 0


@core
def test_what_cannot_be_kept_is_refused(connect: Connect, session: Open, alice: ClientIdentity) -> None:
    peer = connect()
    refused: dict[str, list[Json]] = {
        "storageUnavailable": [
            {"identity": {"pkcs11": "pkcs11:token=badge;id=%01"}},
            {"identity": alice.plain, "persistence": "synchronizable"},
            {
                "identity": alice.plain,
                "session": session(peer, configuration={"credentialStorage": "private"}),
            },
        ],
        "invalidParams": [
            {"identity": alice.plain, "limits": {"confirm": True}},
            {"identity": alice.plain, "limits": {"soon": 1}},
        ],
        "credentialUnusable": [{"identity": alice.locked}],
    }
    for kind, calls in refused.items():
        for call in calls:
            with pytest.raises(RemoteError) as caught:
                peer.call("identity/add", {"persistence": "permanent", **call})
            assert caught.value.kind == kind, call
    assert listed(peer) == []


@core
def test_a_chain_of_too_many_bytes_is_not_kept(
    connect: Connect, staff: ClientAuthority, alice: ClientIdentity
) -> None:
    peer = connect()
    name = "subjectAltName=" + ",".join(f"DNS:{'x' * 60}{number}.test" for number in range(90))
    extensions = f"extendedKeyUsage=clientAuth\nkeyUsage=digitalSignature\n{name}\n"
    long = [staff.issue(f"long{number}", extensions=extensions) for number in range(16)]
    certificates = "".join(one.certificate.read_text() for one in long) + alice.plain["certificates"]
    assert 131_072 < len(certificates) < 262_144
    identity = {**alice.plain, "certificates": certificates}
    with pytest.raises(RemoteError) as caught:
        keep(peer, identity)
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "tooLarge")
    # In memory it may be.
    assert peer.call("identity/add", {"identity": identity})


@core
def test_a_restricted_connection_uses_it_and_cannot_have_it(
    connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    keep(peer, alice.plain)
    session(peer, "jobs")
    url = server.url(verification="optional")
    rules = [{"methods": ["GET"], "origin": url[:-1], "path": "/*"}]
    limited = connect()
    limited.open("jobs")
    limited.call("peer/restrict", {"session": "jobs", "rules": rules})
    assert shown(limited.fetch("jobs", url)).subject == "CN=alice"
    for method, params in [
        ("identity/list", {}),
        ("identity/add", permanent(alice.plain)),
        ("identity/remove", {}),
        ("vault/check", {}),
    ]:
        assert kind_of(limited.call, method, params) == "restricted", method


@pytest.fixture
def kept(daemon: Daemon, connect: Connect, alice: ClientIdentity, bob: ClientIdentity) -> Daemon:
    """A daemon that has kept two identities and has ended."""
    peer = connect()
    keep(peer, alice.plain)
    keep(peer, bob.plain)
    peer.close()
    end(daemon)
    return daemon


@core
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


@core
def test_a_full_disk_keeps_what_there_is(
    daemon: Daemon,
    connect: Connect,
    session: Open,
    server: MutualTLS,
    alice: ClientIdentity,
    staff: ClientAuthority,
) -> None:
    """A bound on the size of files stands for the disk."""
    peer = connect()
    keep(peer, alice.plain)
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


@core
def test_a_new_data_key_and_a_passphrase_keep_it(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    keep(peer, alice.plain)
    peer.call("vault/rekey")
    peer.call("vault/passphrase", OPENS)
    restart(daemon)
    peer = connect()
    peer.call("agent/unlock", OPENS)
    assert seen(peer, session, server) == "CN=alice"


@core
def test_a_vault_of_the_schema_before_takes_one(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    peer.call("vault/init")
    peer.close()
    end(daemon)
    database = sqlite3.connect(vault_of(daemon))
    with database:
        assert database.execute("PRAGMA user_version").fetchone()[0] == 5
        database.execute("PRAGMA user_version = 4")
    database.close()
    daemon.start()
    peer = connect()
    keep(peer, alice.plain)
    restart(daemon, signal.SIGKILL)
    assert seen(connect(), session, server) == "CN=alice"


@pytest.fixture
def elsewhere(peers: list[Peer]) -> Iterator[Peer]:
    """Of a daemon with a vault of its own."""
    second = Daemon()
    try:
        peers.append(Peer(second.socket))
        yield peers[-1]
    finally:
        second.stop()


@core
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


def inner(identity: ClientIdentity) -> bytes:
    """What is like no other key: a line from the middle of its base64."""
    return identity.key.read_text().splitlines()[2].encode()


def number(identity: ClientIdentity) -> bytes:
    """The 32 octets of its private number (RFC 5915), which ASN.1 has behind the version."""
    octets = base64.b64decode("".join(identity.key.read_text().splitlines()[1:-1]))
    start = octets.index(b"\x02\x01\x01\x04\x20") + 5
    return octets[start : start + 32]


@core
def test_its_key_is_nowhere_on_the_disk(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    answered(peer, session(peer, tasks=["clientCertificate"]), server.url(), alice.plain)
    peer.call("vault/rekey")
    restart(daemon)
    peer = connect()
    assert seen(peer, session, server, version="TLSv1.3") == ""
    peer.call("status")
    key = inner(alice)
    files = [path for path in daemon.directory.rglob("*") if path.is_file()]
    assert vault_of(daemon) in files
    assert [path for path in files if key in path.read_bytes() or b"PRIVATE KEY" in path.read_bytes()] == []
    assert key not in bytes(peer.received)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")
@pytest.mark.parametrize("how", ["agent/forget", "agent/lock"])
def test_its_key_is_not_in_memory_after_forgetting(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity, how: str
) -> None:
    peer = connect()
    opened = session(peer, tasks=["clientCertificate"])
    given = {**alice.locked, "passphrase": PASSPHRASE}
    assert answered(peer, opened, server.url(), given) == "CN=alice"
    # OpenSSL has the number with the least octet first.
    secrets = [inner(alice), number(alice), number(alice)[::-1]]
    assert copies(daemon, secrets[0]) > 0 and copies(daemon, secrets[2]) > 0
    peer.call(how, {"passphrase": f"{MARK} locks it"} if how == "agent/lock" else None)
    assert [copies(daemon, secret) for secret in secrets] == [0, 0, 0]
