"""Client certificates against a scripted daemon: what is sent, what is read, and that no key is shown."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge, response
from Support.fake_daemon import Peer
from watchword import Answer, Challenge, Client, Identity

STORED: dict[str, Any] = {
    "identity": "i-1",
    "origin": None,
    "subject": "CN=alice",
    "issuer": "CN=Staff",
    "serialNumber": "01",
    "notBefore": "2026-01-01T00:00:00Z",
    "notAfter": "2027-01-01T00:00:00Z",
    "keyType": "ec",
    "keyBits": 256,
    "sha256": "ab" * 32,
    "publicKey": "sha256/" + "A" * 42 + "E=",
    "pkcs11": None,
    "chainLength": 2,
    "persistence": "forSession",
    "uses": 0,
    "lastUsed": None,
    "limits": {"maximumUses": 2},
    "created": "2026-11-21T12:00:00Z",
    "secondsLeft": None,
}

TOKEN_MEMBERS = (
    *("subject", "issuer", "serialNumber", "notBefore", "notAfter", "keyType", "keyBits"),
    *("sha256", "publicKey"),
)


def asked(handler: Callable[[Challenge], Answer]) -> dict[str, Any]:
    """What is replied when the handler is asked for a client certificate."""
    replies: list[dict[str, Any]] = []

    def script(peer: Peer) -> None:
        peer.open_session()
        fetch = peer.expect("fetch")
        question = challenge(fetch["params"]["task"])
        question["protectionSpace"] = {
            "protocol": "https",
            "host": "a.test",
            "port": 443,
            "realm": None,
            "authenticationMethod": "clientCertificate",
            "distinguishedNames": ["CN=Staff"],
            "keyTypes": ["rsa", "ec"],
            "serverTrust": None,
        }
        question["identities"] = ["i-2", "i-1"]
        peer.notify("task/didReceiveChallenge", question)
        reply = peer.expect("challenge/reply")
        replies.append(reply["params"])
        peer.reply(reply, {"accepted": True})
        peer.reply(fetch, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.session(on_challenge=handler).fetch("https://a.test/")
    return replies[0]


def test_a_handler_sees_whose_certificates_the_server_takes() -> None:
    seen: list[Challenge] = []

    def handler(question: Challenge) -> Answer:
        seen.append(question)
        return watchword.use_identity(Identity.from_pem("certificates", "key", "passphrase"), persistence="none")

    replied = asked(handler)
    space = seen[0].protection_space
    assert (space.distinguished_names, space.key_types) == (["CN=Staff"], ["rsa", "ec"])
    assert seen[0].identities == ["i-2", "i-1"]
    assert replied["credential"] == {
        "identity": {"certificates": "certificates", "privateKey": "key", "passphrase": "passphrase"},
        "persistence": "none",
    }


def test_an_identity_of_the_session_is_named_by_its_id() -> None:
    assert asked(lambda _: watchword.use_identity("i-1"))["credential"] == {
        "identity": "i-1",
        "persistence": "forSession",
    }


def test_a_new_identity_may_have_limits() -> None:
    limits = watchword.Limits(lifetime_seconds=60, maximum_uses=1)
    answered = asked(lambda _: watchword.use_identity(Identity.from_pem("c", "k"), limits=limits))
    assert answered["credential"]["limits"] == {"lifetimeSeconds": 60, "maximumUses": 1}


def test_a_key_in_a_token_is_named_and_never_sent() -> None:
    listed = {name: STORED[name] for name in STORED if name in set(TOKEN_MEMBERS)}

    def script(peer: Peer) -> None:
        peer.reply(peer.expect("identity/tokens"), {"identities": [{"pkcs11": "pkcs11:token=badge;id=%01", **listed}]})

    with FakeDaemon(script) as path, Client(path) as client:
        (found,) = client.list_tokens()
    assert (found.uri, found.subject, found.key_type) == ("pkcs11:token=badge;id=%01", "CN=alice", "ec")
    assert Identity.from_token(found, "1234").to_wire() == {"pkcs11": found.uri, "passphrase": "1234"}
    assert Identity.from_token("pkcs11:token=a", certificates=b"PEM").to_wire() == {
        "pkcs11": "pkcs11:token=a",
        "certificates": "PEM",
    }
    assert "1234" not in repr(Identity.from_token(found, "1234"))
    with pytest.raises(watchword.InvalidArgument):
        Identity(pkcs11="pkcs11:token=a", private_key="key")


def test_none_is_a_choice() -> None:
    replied = asked(lambda _: watchword.use_no_credential())
    assert (replied["disposition"], replied["credential"]) == ("useCredential", None)


def test_a_password_says_nothing_about_certificates() -> None:
    assert asked(lambda _: watchword.use_credential("u", "p"))["disposition"] == "performDefaultHandling"


def test_identities_are_added_listed_and_removed() -> None:
    sent: list[dict[str, Any]] = []

    def script(peer: Peer) -> None:
        peer.open_session()
        for method, result in [
            ("identity/add", {"identity": "i-1"}),
            ("identity/list", {"identities": [STORED]}),
            ("identity/remove", {"removed": 1}),
            ("identity/remove", {"removed": 0}),
        ]:
            request = peer.expect(method)
            sent.append(request["params"])
            peer.reply(request, result)

    with FakeDaemon(script) as path, Client(path) as client:
        session = client.session()
        limits = watchword.Limits(maximum_uses=2)
        assert session.add_identity(Identity.from_pkcs12(b"\x30\x82", "open"), limits=limits) == "i-1"
        (stored,) = session.list_identities()
        assert (stored.id, stored.subject, stored.origin, stored.chain_length) == ("i-1", "CN=alice", None, 2)
        assert (stored.limits, stored.seconds_left) == ({"maximumUses": 2}, None)
        assert session.remove_identity(stored) == 1
        assert session.remove_identity() == 0
    assert sent[0]["identity"] == {"pkcs12": "MII=", "passphrase": "open"}
    assert sent[0]["limits"] == {"maximumUses": 2}
    assert sent[2]["identity"] == "i-1"
    assert "identity" not in sent[3]


def test_a_permanent_identity_is_added() -> None:
    sent: list[dict[str, Any]] = []

    def script(peer: Peer) -> None:
        peer.open_session()
        for _ in range(2):
            request = peer.expect("identity/add")
            sent.append(request["params"])
            peer.reply(request, {"identity": "i-1"})

    with FakeDaemon(script) as path, Client(path) as client:
        session = client.session()
        session.add_identity(Identity.from_pem("c", "k"), persistence=watchword.Persistence.PERMANENT)
        session.add_identity(Identity.from_pem("c", "k"))
    assert sent[0]["persistence"] == "permanent"
    assert "persistence" not in sent[1]


def test_no_key_is_printed() -> None:
    identity = Identity.from_pem(b"certificates", b"sentinel-key", "sentinel-passphrase")
    answer = watchword.use_identity(identity)
    assert "sentinel" not in f"{identity!r} {identity} {answer!r} {answer}"


@pytest.mark.parametrize(
    "members", [{}, {"certificates": "c"}, {"private_key": "k"}, {"certificates": "c", "pkcs12": b""}]
)
def test_half_an_identity_is_none(members: dict[str, Any]) -> None:
    with pytest.raises(watchword.InvalidArgument):
        Identity(**members)


def test_what_is_beside_a_block_need_not_be_utf_8() -> None:
    block = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n"
    wire = Identity.from_pem(b"\xef\xbb\xbf" + block.encode(), b"J\xfcrgen\n" + block.encode()).to_wire()
    assert wire["certificates"].endswith(block)
    assert wire["privateKey"].endswith("rgen\n" + block)
