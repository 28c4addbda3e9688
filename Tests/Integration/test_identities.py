"""Client identities: what is read, kept, listed and removed (`identity/*`)."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.client_identities import PASSPHRASE, ClientAuthority, ClientIdentity

pytestmark = [pytest.mark.core, pytest.mark.threads]

Connect = Callable[..., Peer]


@pytest.fixture(scope="module")
def clients(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "clients", "Staff")


@pytest.fixture(scope="module")
def alice(clients: ClientAuthority) -> ClientIdentity:
    return clients.issue("alice")


def refusal(peer: Peer, session: str, identity: Json) -> str:
    """The reason for which `identity/add` is refused."""
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"session": session, "identity": identity})
    assert caught.value.kind == "credentialUnusable"
    return str(caught.value.data["reason"])


def test_an_identity_is_kept_listed_and_removed(peer: Peer, alice: ClientIdentity) -> None:
    session = peer.open()
    added = peer.call("identity/add", {"session": session, "identity": alice.plain})["identity"]
    der = ssl.PEM_cert_to_DER_cert(alice.certificate.read_text())
    fingerprint = hashlib.sha256(der).hexdigest()
    assert added == f"i-{fingerprint[:32]}"
    (listed,) = peer.call("identity/list", {"session": session})["identities"]
    assert (listed["identity"], listed["sha256"], listed["origin"]) == (added, fingerprint, None)
    assert (listed["subject"], listed["issuer"]) == ("CN=alice", "CN=Staff,O=Watchword")
    assert (listed["keyType"], listed["keyBits"], listed["chainLength"]) == ("ec", 256, 1)
    assert (listed["uses"], listed["lastUsed"], listed["persistence"]) == (0, None, "forSession")
    assert listed["pkcs11"] is None
    assert peer.call("session/describe", {"session": session})["identities"] == 1
    assert peer.call("identity/remove", {"session": session, "identity": added}) == {"removed": 1}
    assert peer.call("identity/remove", {"session": session, "identity": added}) == {"removed": 0}
    assert peer.call("identity/list", {"session": session})["identities"] == []


def test_the_same_identity_again_takes_the_place_of_the_first(
    peer: Peer, clients: ClientAuthority, alice: ClientIdentity
) -> None:
    session = peer.open()
    bob = clients.issue("bob")
    ids = [
        peer.call("identity/add", {"session": session, "identity": identity})["identity"]
        for identity in (alice.plain, bob.plain, alice.pkcs12)
    ]
    assert ids[0] == ids[2] != ids[1]
    listed = peer.call("identity/list", {"session": session})["identities"]
    assert [entry["identity"] for entry in listed] == [ids[2], ids[1]]


def test_a_locked_key_needs_its_passphrase(peer: Peer, alice: ClientIdentity) -> None:
    session = peer.open()
    locked = alice.locked
    assert refusal(peer, session, locked) == "passphraseNeeded"
    assert refusal(peer, session, {**locked, "passphrase": "wrong"}) == "wrongPassphrase"
    assert refusal(peer, session, {**alice.pkcs12, "passphrase": "wrong"}) == "wrongPassphrase"
    peer.call("identity/add", {"session": session, "identity": {**locked, "passphrase": PASSPHRASE}})


def test_what_no_server_could_take_is_refused_before_any_is_met(
    peer: Peer, clients: ClientAuthority, alice: ClientIdentity
) -> None:
    session = peer.open()
    other = clients.issue("other")
    assert refusal(peer, session, {**alice.plain, "privateKey": other.plain["privateKey"]}) == "keyMismatch"
    expired = clients.issue("expired", days=-1)
    assert refusal(peer, session, expired.plain) == "expired"
    server = clients.issue("server", extensions="extendedKeyUsage=serverAuth\n")
    assert refusal(peer, session, server.plain) == "wrongPurpose"
    unreadable = {**alice.plain, "certificates": "-----BEGIN CERTIFICATE-----\nMIIB"}
    assert refusal(peer, session, unreadable) == "certificatesUnreadable"
    assert refusal(peer, session, {**alice.plain, "privateKey": "key"}) == "keyUnreadable"
    assert refusal(peer, session, {"pkcs12": "MIIB"}) == "pkcs12Unreadable"
    assert peer.call("identity/list", {"session": session})["identities"] == []


@pytest.mark.parametrize(
    ("identity", "path"),
    [
        ({}, "params.identity"),
        ({"certificates": "x"}, "params.identity.privateKey"),
        ({"privateKey": "x"}, "params.identity.certificates"),
        ({"pkcs12": "MII"}, "params.identity.pkcs12"),
        ({"pkcs12": "MIIB", "certificates": "x"}, "params.identity"),
        ({"certificates": "x", "privateKey": "x", "path": "/etc"}, "params.identity.path"),
        ({"certificates": "-----BEGIN PRIVATE KEY-----", "privateKey": "x"}, "params.identity.certificates"),
        ({"certificates": "x", "privateKey": "x" * 65_537}, "params.identity.privateKey"),
        ("i-0", "params.identity"),
    ],
)
def test_a_malformed_identity_is_refused_with_its_place(peer: Peer, identity: Json, path: str) -> None:
    peer.checked = False
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"identity": identity})
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)


@pytest.mark.parametrize(
    ("limits", "path"),
    [
        ({"methods": ["GET"]}, "params.limits.methods"),
        ({"pathPrefixes": ["/"]}, "params.limits.pathPrefixes"),
        ({"confirm": False}, "params.limits.confirm"),
        ({"maximumUse": 1}, "params.limits.maximumUse"),
        ({"maximumUses": 0}, "params.limits.maximumUses"),
        ({"notAfter": "tomorrow"}, "params.limits.notAfter"),
        (1, "params.limits"),
    ],
)
def test_a_limit_that_an_identity_cannot_have_is_refused(
    peer: Peer, alice: ClientIdentity, limits: Json, path: str
) -> None:
    peer.checked = False
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"identity": alice.plain, "limits": limits})
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)


def test_an_identity_beyond_its_time_is_not_listed(peer: Peer, alice: ClientIdentity) -> None:
    session = peer.open()
    limits = {"notAfter": "2126-01-01T00:00:00Z", "maximumUses": 3}
    peer.call("identity/add", {"session": session, "identity": alice.plain, "limits": limits})
    (listed,) = peer.call("identity/list", {"session": session})["identities"]
    assert listed["limits"] == limits and listed["secondsLeft"] > 0
    limits = {"notAfter": "2026-01-01T00:00:00Z"}
    peer.call("identity/add", {"session": session, "identity": alice.plain, "limits": limits})
    assert peer.call("session/describe", {"session": session})["identities"] == 0
    assert peer.call("identity/list", {"session": session})["identities"] == []


def test_identities_are_not_shared_with_other_hosts(peer: Peer, alice: ClientIdentity) -> None:
    params = {"identity": alice.plain, "persistence": "synchronizable"}
    assert kind_of(peer.call, "identity/add", params) == "storageUnavailable"


def test_a_session_forgets_its_identities_when_it_is_reset(peer: Peer, alice: ClientIdentity) -> None:
    session = peer.open()
    peer.call("identity/add", {"session": session, "identity": alice.plain})
    peer.call("session/reset", {"session": session})
    assert peer.call("identity/list", {"session": session})["identities"] == []


def test_identities_stay_in_their_session(connect: Connect, alice: ClientIdentity) -> None:
    first, second = connect(), connect()
    mine, theirs = first.open(), second.open()
    first.call("identity/add", {"session": mine, "identity": alice.plain})
    assert second.call("identity/list", {"session": theirs})["identities"] == []
    assert kind_of(second.call, "identity/list", {"session": mine}) == "sessionNotFound"


def test_a_flood_of_identities_is_bounded(peer: Peer, alice: ClientIdentity) -> None:
    session = peer.open()
    identity = {**alice.locked, "passphrase": PASSPHRASE}
    requests = [peer.request("identity/add", {"session": session, "identity": identity}) for _ in range(50)]
    outcomes = []
    for request in requests:
        try:
            peer.result(request)
            outcomes.append("added")
        except RemoteError as error:
            outcomes.append(str(error.data.get("limit")))
    assert set(outcomes) <= {"added", "identitiesInReading"} and outcomes[0] == "added"
    assert len(peer.call("identity/list", {"session": session})["identities"]) == 1
