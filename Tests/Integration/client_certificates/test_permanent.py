"""Permanent identities: restarts, locks, limits and refusals (challenges.md 11.11 to 11.17)."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.client_certificates.scene import OPENS, answered, keep, listed, permanent, seen, shown
from Integration.sentinels import MARK
from Integration.vault.scene import restart
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.client_identities import PASSPHRASE, ClientAuthority, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS

Connect = Callable[..., Peer]
Open = Callable[..., str]
threads = pytest.mark.threads


@threads
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


@threads
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


@threads
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


@threads
def test_the_lock_hides_it_until_it_is_unlocked(
    keeper: Peer, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = keeper
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


@threads
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


@threads
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


@threads
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


@threads
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


@threads
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


@threads
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


@threads
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


@threads
def test_a_chain_of_too_many_bytes_is_not_kept(
    connect: Connect, staff: ClientAuthority, tmp_path: Path
) -> None:
    peer = connect()
    name = "subjectAltName=" + ",".join(f"DNS:{'x' * 60}{number}.test" for number in range(90))
    issuers = [staff]
    for number in range(16):
        issuers.append(ClientAuthority(tmp_path, f"long{number}", issuers[-1], (name,)))
    client = issuers[-1].issue("deep").plain
    certificates = client["certificates"] + "".join(one.certificate.read_text() for one in issuers)
    assert 131_072 < len(certificates) < 262_144
    identity = {**client, "certificates": certificates}
    with pytest.raises(RemoteError) as caught:
        keep(peer, identity)
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "tooLarge")
    # In memory it may be.
    assert peer.call("identity/add", {"identity": identity})


@threads
def test_a_restricted_connection_uses_it_and_cannot_have_it(
    keeper: Peer, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    session(keeper, "jobs")
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
