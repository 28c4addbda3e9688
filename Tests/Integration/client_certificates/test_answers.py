"""What a challenge for an identity is answered with."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from Integration.client_certificates.scene import add, shown
from Integration.wire import Peer, RemoteError, kind_of
from Support.client_identities import PASSPHRASE, ClientAuthority, ClientIdentity
from Support.mutual_tls import MutualTLS

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]


def test_a_locked_key_is_answered_for_with_its_passphrase_while_the_challenge_waits(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, staff: ClientAuthority
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    challenge = peer.challenge()
    assert challenge["callersWays"] == ["roots"]
    locked = alice.locked
    expired = staff.issue("expired", days=-1)
    for identity, reason in [
        (locked, "passphraseNeeded"),
        ({**locked, "passphrase": "wrong"}, "wrongPassphrase"),
        (expired.plain, "expired"),
        ({**alice.plain, "privateKey": expired.plain["privateKey"]}, "keyMismatch"),
    ]:
        with pytest.raises(RemoteError) as caught:
            peer.answer(challenge, {"identity": identity})
        assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", reason)
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"user": "u", "password": "p"})
    assert caught.value.data["reason"] == "wrongKind"
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"identity": "i-unknown"})
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "unknownIdentity")
    peer.answer(challenge, {"identity": {**locked, "passphrase": PASSPHRASE}})
    assert shown(peer.result(fetch)).subject == "CN=alice"


@pytest.mark.parametrize("disposition", ["useCredential", "rejectProtectionSpace"])
def test_none_is_a_choice(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, disposition: str
) -> None:
    opened = session(peer, session=["clientCertificate"])
    add(peer, opened, alice)
    fetch = peer.start_fetch(opened, server.url(verification="optional"))
    challenge = peer.notification("session/didReceiveChallenge")
    peer.dispose(challenge, disposition)
    assert shown(peer.result(fetch)).subject == ""
    # A session delegate's word holds for the session.
    assert shown(peer.fetch(opened, server.url(verification="optional"))).subject == ""
    peer.nothing_asked()


def test_default_handling_presents_the_stored_identity_that_fits(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    add(peer, opened, alice)
    for _ in range(2):
        fetch = peer.start_fetch(opened, server.url())
        peer.dispose(peer.challenge(), "performDefaultHandling")
        assert shown(peer.result(fetch)).subject == "CN=alice"


def test_a_cancelled_challenge_ends_the_task(
    peer: Peer, session: Callable[..., str], server: MutualTLS
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"


@pytest.mark.parametrize(("unanswered", "subject"), [("deliver", ""), ("performDefaultHandling", "CN=alice")])
def test_an_unanswered_challenge_means_what_the_session_says(
    peer: Peer,
    session: Callable[..., str],
    server: MutualTLS,
    alice: ClientIdentity,
    unanswered: str,
    subject: str,
) -> None:
    challenges = {"deadlineSeconds": 0.2, "unanswered": unanswered}
    opened = session(peer, tasks=["clientCertificate"], configuration={"challenges": challenges})
    add(peer, opened, alice)
    assert shown(peer.fetch(opened, server.url(verification="optional"))).subject == subject


def test_without_a_persistence_beyond_the_task_the_key_goes_with_it(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    connections = set()
    for _ in range(2):
        fetch = peer.start_fetch(opened, server.url())
        peer.answer(peer.challenge(), {"identity": alice.plain, "persistence": "none"})
        seen = shown(peer.result(fetch))
        assert seen.subject == "CN=alice"
        connections.add(seen.connection)
    assert len(connections) == 2
    assert peer.call("identity/list", {"session": opened})["identities"] == []


def test_an_identity_of_an_answer_goes_to_no_other_origin(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    peer.answer(peer.challenge(), {"identity": alice.plain})
    assert shown(peer.result(fetch)).subject == "CN=alice"
    fetch = peer.start_fetch(opened, server.url(http="1.1", verification="optional"))
    peer.dispose(peer.challenge(), "performDefaultHandling")
    assert shown(peer.result(fetch)).subject == ""


def test_the_servers_own_certificate_comes_first(
    peer: Peer, server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = peer.open(tasks=["serverTrust", "clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "serverTrust"
    peer.answer(challenge, {"trust": "certificate"})
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "clientCertificate"
    peer.answer(challenge, {"identity": alice.plain, "persistence": "none"})
    assert shown(peer.result(fetch)).subject == "CN=alice"


@pytest.mark.parametrize("http", ["1.1", "2"])
def test_who_takes_identity_questions_no_more_leaves_them_to_default_handling(
    connect: Connect, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, http: str
) -> None:
    delegate, caller = connect(), connect()
    session(delegate, "shared", session=["clientCertificate"])
    caller.open("shared")
    add(caller, "shared", alice)
    fetch = caller.start_fetch("shared", server.url(http=http))
    challenge = delegate.notification("session/didReceiveChallenge")
    delegate.call("session/open", {"name": "shared", "delegate": {"session": []}})
    assert shown(caller.result(fetch)).subject == "CN=alice"
    assert kind_of(delegate.answer, challenge, None) == "challengeNotPending"


def test_who_leaves_while_its_identity_is_read_leaves_none_behind(
    connect: Connect, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    leaving, staying, caller = connect(), connect(), connect()
    session(leaving, "shared", session=["clientCertificate"])
    staying.open("shared", session=["clientCertificate"])
    caller.open("shared")
    fetch = caller.start_fetch("shared", server.url(verification="optional"))
    challenge = leaving.notification("session/didReceiveChallenge")
    number, close = next(leaving._ids), next(leaving._ids)
    leaving._methods.update({number: "challenge/reply", close: "session/close"})
    reply = {
        "challenge": challenge["challenge"],
        "disposition": "useCredential",
        "credential": {"identity": alice.plain},
    }
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": "challenge/reply", "params": reply},
        {"jsonrpc": "2.0", "id": close, "method": "session/close", "params": {"session": "shared"}},
    ]
    leaving.send_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    assert kind_of(leaving.result, number) == "challengeNotPending"
    assert caller.call("identity/list", {"session": "shared"})["identities"] == []
    staying.dispose(staying.notification("session/didReceiveChallenge"), "performDefaultHandling")
    assert shown(caller.result(fetch)).subject == ""
