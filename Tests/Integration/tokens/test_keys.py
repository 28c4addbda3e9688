"""Keys in a token: found by URI, opened by PIN, used in a handshake."""

from __future__ import annotations

import hashlib
import ssl
from pathlib import Path

import pytest

from Integration.tokens.scene import add, opened, refusal, shown
from Integration.wire import Peer, RemoteError
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS
from Support.soft_token import PIN, SoftToken

pytestmark = [pytest.mark.core, pytest.mark.threads]
WRONG_PIN = f"{PIN}-not"
KINDS = [(version, http) for version in ("TLSv1.2", "TLSv1.3") for http in ("1.1", "2")]


def test_tokens_are_listed_without_a_login(peer: Peer, keys: dict[str, str], alice: ClientIdentity) -> None:
    listed = peer.call("identity/tokens", {})["identities"]
    assert {entry["subject"] for entry in listed} == {"CN=alice", "CN=rita", "CN=Badges,O=Watchword"}
    (own,) = [entry for entry in listed if entry["subject"] == "CN=alice"]
    assert "token=badge" in own["pkcs11"] and own["pkcs11"].endswith("id=%01")
    assert (own["issuer"], own["keyType"], own["keyBits"]) == ("CN=Badges,O=Watchword", "ec", 256)
    # What it is named there is what it is added by.
    assert add(peer, peer.open(), own["pkcs11"]) == f"i-{own['sha256'][:32]}"


@pytest.mark.parametrize("kind", ["ec", "rsa"])
@pytest.mark.parametrize(("version", "http"), KINDS)
def test_a_token_signs_the_handshake(
    peer: Peer,
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    kind: str,
    version: str,
    http: str,
) -> None:
    session = opened(peer, authority)
    add(peer, session, keys[kind])
    seen = shown(peer.fetch(session, server.url(version, http)))
    assert (seen.subject, seen.protocol) == ("CN=alice" if kind == "ec" else "CN=rita", version)
    (listed,) = peer.call("identity/list", {"session": session})["identities"]
    assert (listed["uses"], listed["keyType"], listed["chainLength"]) == (1, kind, 1)
    assert listed["pkcs11"] == keys[kind]


def test_a_challenge_is_answered_with_a_key_that_asks_for_its_pin(
    peer: Peer, authority: Authority, server: MutualTLS, keys: dict[str, str]
) -> None:
    session = opened(peer, authority, tasks=["clientCertificate"])
    fetch = peer.start_fetch(session, server.url())
    challenge = peer.challenge()
    for identity, reason in (
        ({"pkcs11": keys["ec"]}, "passphraseNeeded"),
        ({"pkcs11": keys["ec"], "passphrase": WRONG_PIN}, "wrongPassphrase"),
    ):
        with pytest.raises(RemoteError) as caught:
            peer.answer(challenge, {"identity": identity})
        assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", reason)
    identity = {"pkcs11": keys["ec"], "passphrase": PIN}
    peer.answer(challenge, {"identity": identity, "persistence": "none"})
    assert shown(peer.result(fetch)).subject == "CN=alice"
    assert peer.call("identity/list", {"session": session})["identities"] == []


def test_a_token_that_one_session_has_opened_is_closed_to_the_others(
    peer: Peer, keys: dict[str, str]
) -> None:
    first, second = peer.open("first"), peer.open("second")
    add(peer, first, keys["ec"])
    assert refusal(peer, {"pkcs11": keys["ec"]}, second) == "passphraseNeeded"
    assert refusal(peer, {"pkcs11": keys["ec"], "passphrase": WRONG_PIN}, first) == "wrongPassphrase"
    assert len(peer.call("identity/list", {"session": first})["identities"]) == 1


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("pkcs11:token=nobody;id=%01", "tokenUnavailable"),
        ("pkcs11:token=badge", "tokenAmbiguous"),
        ("pkcs11:token=badge;id=%77", "keyUnreadable"),
        ("pkcs11:token=badge;id=%03", "certificateMissing"),
        ("pkcs11:token=badge;object=alice", None),
        ("pkcs11:token=badge;id=%01;type=cert", None),
        ("pkcs11:slot-id=4095;id=%01", "tokenUnavailable"),
        ("pkcs11:slot-id=999999999999999999999;id=%01", "tokenUnavailable"),
    ],
)
def test_a_uri_names_one_key_of_one_token(
    peer: Peer, keys: dict[str, str], uri: str, reason: str | None
) -> None:
    if reason:
        assert refusal(peer, {"pkcs11": uri, "passphrase": PIN}) == reason
    else:
        add(peer, peer.open(), uri)


@pytest.mark.parametrize(
    "uri",
    [
        "pkcs11:token=badge;id=%01?module-path=/tmp/evil.so",
        "pkcs11:token=badge;id=%01?pin-source=/etc/passwd",
        "pkcs11:token=badge;module-name=evil",
        "pkcs11:token=bad ge",
        "pkcs11:token=%4",
        "pkcs11:",
        "/usr/lib/evil.so",
    ],
)
def test_a_uri_chooses_no_module_and_no_source_of_a_pin(peer: Peer, uri: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"session": peer.open(), "identity": {"pkcs11": uri}})
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.identity.pkcs11")


def test_certificates_come_along_when_the_token_has_none(
    peer: Peer, authority: Authority, server: MutualTLS, staff: ClientAuthority, keys: dict[str, str]
) -> None:
    session = opened(peer, authority)
    certificate = (staff.directory / "bare.pem").read_text()
    add(peer, session, keys["bare"], certificates=certificate)
    assert shown(peer.fetch(session, server.url())).subject == "CN=bare"
    identity = {"pkcs11": keys["ec"], "passphrase": PIN, "certificates": certificate}
    assert refusal(peer, identity) == "keyMismatch"
    assert refusal(peer, {**identity, "certificates": "no PEM"}) == "certificatesUnreadable"


@pytest.mark.parametrize("number", [6, 7])
def test_of_the_certificates_of_one_key_the_one_that_is_good_for_longest_counts(
    peer: Peer, staff: ClientAuthority, badge: SoftToken, number: int
) -> None:
    """The one from before stays in a token when a certificate is renewed."""
    renata = staff.issue(f"renata-{number}")
    uri = badge.take(renata, number, ())
    renewed = {days: staff.renew(renata, days) for days in (-1, 3, 30, 5)}
    # Tokens find them in any order.
    for days in sorted(renewed, reverse=number == 6):
        badge.certify(renewed[days], f"{number:02x}")
    session = peer.open()
    add(peer, session, uri)
    (listed,) = peer.call("identity/list", {"session": session})["identities"]
    certificate = ssl.PEM_cert_to_DER_cert(renewed[30].read_text())
    assert listed["sha256"] == hashlib.sha256(certificate).hexdigest()


def test_a_pin_is_typed_into_a_reader_that_has_a_keypad(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    badge: SoftToken,
    staff: ClientAuthority,
) -> None:
    _, peer, file = faulty
    file.write_text("keypad")
    file.with_suffix(".pin").write_text(PIN)
    session = opened(peer, authority)
    # It wants the PIN for each signature, and takes it from the keypad then, too.
    identity = {"pkcs11": badge.take(staff.issue("typist"), 4, asks_always=True)}
    peer.call("identity/add", {"session": session, "identity": identity})
    assert shown(peer.fetch(session, server.url())).subject == "CN=typist"


def test_a_key_that_wants_its_pin_for_each_signature_gets_it(
    peer: Peer, authority: Authority, server: MutualTLS, badge: SoftToken, staff: ClientAuthority
) -> None:
    session = opened(peer, authority)
    add(peer, session, badge.take(staff.issue("carl"), 5, asks_always=True))
    for version, http in KINDS:
        assert shown(peer.fetch(session, server.url(version, http))).subject == "CN=carl"
