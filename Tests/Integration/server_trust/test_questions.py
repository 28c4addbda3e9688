"""What a caller is shown of a certificate, and what each answer means."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.server_trust.scene import asked_of_task, fine, rejected
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
BY_KEY = {"trust": "publicKey", "persistence": "forSession"}
BY_CERTIFICATE = {"trust": "certificate", "persistence": "forSession"}
ONCE = {"trust": "certificate"}


def test_a_caller_is_shown_the_certificates_and_the_verdict(
    connect: Connect, strange: ScriptedOrigin, authority: Authority
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    challenge = asked_of_task(peer)
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["host"], space["port"]) == (
        "serverTrust",
        "localhost",
        strange.port,
    )
    assert space["realm"] is None
    assert challenge["offers"] == [] and challenge["failureResponse"] is None
    trust = space["serverTrust"]
    assert trust["verdict"] == "refused"
    assert {"reason": "unknownIssuer", "depth": 0} in trust["reasons"]
    leaf = trust["certificates"][0]
    assert leaf["subject"] == "CN=scripted" and leaf["issuer"] == "CN=Watchword test root"
    assert leaf["subjectAlternativeNames"] == ["DNS:localhost", "IP:127.0.0.1"]
    assert (leaf["keyType"], leaf["keyBits"]) == ("ec", 256)
    assert ssl.PEM_cert_to_DER_cert(leaf["pem"]) == ssl.PEM_cert_to_DER_cert(
        (authority.directory / "scripted.pem").read_text()
    )
    peer.answer(challenge, BY_CERTIFICATE)
    assert peer.result(fetch)["status"] == 200


def test_an_accepted_chain_is_not_asked_about_again_by_another_process(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    first, second, elsewhere = connect(), connect(), connect()
    first.open("dev", tasks=["serverTrust"])
    fetch = first.start_fetch("dev", strange.url + "/")
    first.answer(asked_of_task(first), BY_KEY)
    assert first.result(fetch)["status"] == 200
    second.open("dev", tasks=["serverTrust"])
    assert second.fetch("dev", strange.url + "/")["status"] == 200
    second.nothing_asked()
    other = elsewhere.open("other", tasks=["serverTrust"])
    fetch = elsewhere.start_fetch(other, strange.url + "/")
    elsewhere.dispose(asked_of_task(elsewhere), "performDefaultHandling")
    assert {"reason": "unknownIssuer", "depth": 0} in rejected(elsewhere, fetch)["reasons"]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_name_that_does_not_match_can_be_accepted(
    connect: Connect, origins: Origins, authority: Authority, version: ssl.TLSVersion
) -> None:
    identity = authority.issue("elsewhere", alternatives="DNS:elsewhere.example")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    context.minimum_version = context.maximum_version = version
    origin = origins(context)
    origin.serve("/", fine)
    peer = connect()
    known = {"tls": {"roots": {"certificates": authority.pem}}}
    session = peer.open(tasks=["serverTrust"], configuration=known)
    fetch = peer.start_fetch(session, origin.url + "/")
    challenge = asked_of_task(peer)
    reasons = challenge["protectionSpace"]["serverTrust"]["reasons"]
    assert reasons == [{"reason": "hostMismatch", "depth": 0}]
    peer.answer(challenge, ONCE)
    assert peer.result(fetch)["status"] == 200
    # For that task only.
    assert rejected(peer, peer.start_fetch(peer.open(configuration=known), origin.url + "/"))


def test_a_byte_order_mark_in_a_pem_text_does_not_count(
    connect: Connect, origins: Origins, authority: Authority
) -> None:
    identity = authority.issue("marked")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    origin = origins(context)
    origin.serve("/", fine)
    peer = connect()
    for text in (
        f"\ufeff{authority.pem}",
        f"Jürgen\n\ufeff{authority.pem}\ufeff",
        f"{authority.pem}\ufeff{authority.pem}",
    ):
        known = {"tls": {"roots": {"certificates": text}}}
        session = peer.open(configuration=known)
        assert peer.fetch(session, origin.url + "/")["status"] == 200
    key = identity.key.read_text()
    material = {"certificates": f"\ufeff{identity.certificate.read_text()}", "privateKey": f"\ufeff{key}"}
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"identity": material})
    # It was read: a server's certificate is for no client.
    assert caught.value.data["reason"] == "wrongPurpose"


def test_without_a_persistence_the_answer_is_for_the_waiting_tasks_only(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    for _ in range(2):
        fetch = peer.start_fetch(session, strange.url + "/")
        peer.answer(asked_of_task(peer), ONCE)
        assert peer.result(fetch)["status"] == 200
    # Each had a connection of its own, which is closed now.
    strange.wait_until(lambda: not any(connection.open for connection in strange.connections))
    assert peer.call("trust/list", {"session": session})["trust"] == []


@pytest.mark.parametrize(
    "disposition", ["cancelAuthenticationChallenge", "rejectProtectionSpace", "performDefaultHandling"]
)
def test_every_other_answer_fails_closed(connect: Connect, strange: ScriptedOrigin, disposition: str) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    peer.dispose(asked_of_task(peer), disposition)
    assert {"reason": "unknownIssuer", "depth": 0} in rejected(peer, fetch)["reasons"]
    assert strange.requests == []


@pytest.mark.parametrize("credential", [None, {"user": "u", "password": "p"}, {"token": "t"}])
def test_a_credential_that_is_no_verdict_leaves_the_question_pending(
    connect: Connect, strange: ScriptedOrigin, credential: Json
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    challenge = asked_of_task(peer)
    assert kind_of(peer.answer, challenge, credential) == "credentialUnusable"
    peer.answer(challenge, BY_CERTIFICATE)
    assert peer.result(fetch)["status"] == 200


def test_a_handshake_that_was_stopped_to_ask_is_no_exchange(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/", metrics=True)
    peer.answer(asked_of_task(peer), ONCE)
    metrics = peer.result(fetch)["metrics"]
    assert [exchange["status"] for exchange in metrics["exchanges"]] == [200]
    assert metrics["challengeWaitSeconds"] > 0 and metrics["tlsSeconds"] > 0
    assert peer.counter("exchanges") == 1


def test_without_a_delegate_default_evaluation_decides(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open(tasks=["basic"])
    assert kind_of(peer.fetch, session, strange.url + "/") == "serverTrustRejected"
    peer.nothing_asked()
