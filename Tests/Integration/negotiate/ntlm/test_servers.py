"""NTLM against `pyspnego`: three messages on one connection (MS-NLMP)."""

from __future__ import annotations

import hashlib
import os
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.credentials.scene import put, space
from Integration.negotiate.ntlm.scene import DOMAIN, READER, SWITCHED_ON
from Integration.negotiate.realm_peer import RealmPeer, mechanisms, methods
from Integration.wire import Json
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.kerberos import Realm
from Support.ntlm_server import NTLMServer
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.usefixtures("users")
Origins = Callable[..., ScriptedOrigin]


def serve(origin: ScriptedOrigin, server: NTLMServer) -> str:
    return origin.serve("/", *[server] * 4000, reads_body=False)


def test_three_messages_go_over_one_connection(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    url = serve(origin, NTLMServer())
    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
    fetch = peer.start_fetch(session, url, metrics=True)
    challenge = peer.asked()
    assert challenge["protectionSpace"]["authenticationMethod"] == "ntlm"
    peer.answer(challenge, READER)
    result = peer.result(fetch)
    assert methods(result) == [(401, None), (401, "ntlm"), (200, "ntlm")]
    assert [part["reused"] for part in result["metrics"]["exchanges"]] == [False, False, True]
    assert methods(peer.fetch(session, url, metrics=True)) == [(200, "ntlm")]


def test_it_is_off_unless_the_session_turns_it_on(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    session = peer.open(session=["ntlm"])
    assert peer.fetch(session, serve(origin, NTLMServer()))["status"] == 401
    peer.nothing_asked()


def test_a_wrong_password_is_refused_once(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    server = NTLMServer()
    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
    fetch = peer.start_fetch(session, serve(origin, server))
    peer.answer(peer.asked(), {**READER, "password": "wrong"})
    again = peer.asked()
    assert again["previousFailureCount"] == 1 and server.refused == 1
    assert again["proposedCredential"]["user"] == f"{DOMAIN}\\{sentinels.USER}"
    peer.answer(again, READER)
    assert peer.result(fetch)["status"] == 200


@pytest.mark.parametrize("persistence", ["forSession", "permanent"])
def test_parallel_tasks_with_a_stored_wrong_password_make_one_bad_login(
    peer: RealmPeer, origin: ScriptedOrigin, persistence: str
) -> None:
    server = NTLMServer()
    url = serve(origin, server)
    session = peer.open(configuration={"methods": SWITCHED_ON, "credentialStorage": "shared"})
    put(
        peer,
        session,
        space(origin, realm=None, method="ntlm"),
        {**READER, "password": "wrong", "persistence": persistence},
    )
    # The second time it is known to be refused.
    for tasks in (1000, 20):
        fetches = [peer.start_fetch(session, url) for _ in range(tasks)]
        assert {peer.result(fetch, 60)["status"] for fetch in fetches} == {401}
        assert server.refused == 1


def test_the_body_goes_with_the_last_message(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    server = NTLMServer()
    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
    body = {"text": "x" * 200_000}
    fetch = peer.start_fetch(session, serve(origin, server), method="POST", body=body)
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    assert server.bodies == [("POST", 0), ("POST", 200_000)]


def test_a_thousand_fetches_raise_one_challenge(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    server = NTLMServer()
    url = serve(origin, server)
    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
    fetches = [peer.start_fetch(session, url) for _ in range(1000)]
    peer.answer(peer.asked(), READER)
    assert {peer.result(fetch, 60)["status"] for fetch in fetches} == {200}
    assert peer.counter("challenges.raised") == 1
    assert server.refused == 0


@pytest.mark.parametrize("is_bound", [True, False], ids=["this server", "another server"])
def test_tokens_are_bound_to_the_servers_certificate(
    peer: RealmPeer, origins: Origins, tls_context: ssl.SSLContext, authority: Authority, is_bound: bool
) -> None:
    presented = authority.directory / "scripted.pem"
    leaf = presented.read_text().partition("-----END CERTIFICATE-----")[0] + "-----END CERTIFICATE-----\n"
    binding = hashlib.sha256(ssl.PEM_cert_to_DER_cert(leaf)).digest() if is_bound else bytes(32)
    url = serve(origins(tls_context), NTLMServer(binding=binding))
    roots = {"certificates": authority.certificate.read_text(), "exclusive": True}
    session = peer.open(configuration={"methods": SWITCHED_ON, "tls": {"roots": roots}}, session=["ntlm"])
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.asked(), READER)
    if not is_bound:
        peer.dispose(peer.asked(), "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == (200 if is_bound else 401)


def test_ntlm_inside_negotiate_works_where_it_is_allowed(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    server = NTLMServer(scheme="Negotiate")
    url = serve(origin, server)
    allowed: Json = {"negotiate": {"allowNTLM": True}}
    session = peer.open(configuration={"methods": allowed}, session=["negotiate"])
    fetch = peer.start_fetch(session, url, metrics=True)
    peer.answer(peer.asked(), READER)
    result = peer.result(fetch)
    assert methods(result) == [(401, None), (401, "negotiate"), (200, "negotiate")]
    assert mechanisms(result) == [None, None, "ntlm"]
    assert mechanisms(peer.fetch(session, url, metrics=True)) == ["ntlm"]


def test_ntlm_alone_has_no_mechanism_inside(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
    fetch = peer.start_fetch(session, serve(origin, NTLMServer()), metrics=True)
    peer.answer(peer.asked(), READER)
    assert mechanisms(peer.result(fetch)) == [None, None, None]


def test_a_server_that_chooses_ntlm_for_a_ticket_is_refused(
    peer: RealmPeer, scripted: Realm, cache: Path, origin: ScriptedOrigin
) -> None:
    """It answers the token of Kerberos with another mechanism (RFC 4178 §4.2.2)."""
    scripted.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    chosen = "Negotiate oRUwE6ADCgEBoQwGCisGAQQBgjcCAgo="

    async def script(exchange: Exchange) -> None:
        token = exchange.request.authorization
        await exchange.respond(401, [("WWW-Authenticate", chosen if token else "Negotiate")], b"")

    url = origin.serve("/", script)
    configuration: Json = {"methods": {"negotiate": {"ambientOrigins": [origin.url]}}}
    error = peer.error(lambda: peer.fetch(peer.open(configuration=configuration), url))
    assert error.kind == "authenticationFailed"
    assert error.data["reason"] in ("tokenRefused", "mechanismRefused")
    assert [bool(request.authorization) for request in origin.requests] == [False, True]


def test_ntlm_inside_negotiate_is_refused(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    server = NTLMServer(scheme="Negotiate")
    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["negotiate"])
    fetch = peer.start_fetch(session, serve(origin, server))
    peer.answer(peer.asked(), READER)
    challenge = peer.asked()
    assert challenge["error"] is not None
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    assert server.bodies == [], "no token was sent"


keeps_memory = pytest.mark.skipif(
    "WATCHWORD_SANITIZED" in os.environ, reason="AddressSanitizer keeps for a while what was given back"
)


@keeps_memory
def test_many_negotiations_with_one_credential_take_no_more_memory(
    daemon: Daemon, peer: RealmPeer, origin: ScriptedOrigin
) -> None:
    """They share what gss-ntlmssp made of user and password."""
    server = NTLMServer()

    async def serve_once(exchange: Exchange) -> None:
        await server(exchange)
        context = server.contexts.get(exchange.connection.number)
        if context is not None and context.complete:
            await exchange.close()

    url = origin.serve("/", *[serve_once] * 4000, reads_body=False)
    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    for _ in range(100):
        assert peer.fetch(session, url)["status"] == 200
    before = daemon.resident_bytes()
    for _ in range(700):
        assert peer.fetch(session, url)["status"] == 200
    assert len(server.contexts) == 801
    assert daemon.resident_bytes() - before < 2 << 20


@keeps_memory
def test_many_credentials_take_no_more_memory(
    daemon: Daemon, peer: RealmPeer, origin: ScriptedOrigin
) -> None:
    """gss-ntlmssp 1.2.0 loses 8 KiB whenever it hashes a password itself."""
    url = serve(origin, NTLMServer())

    def give(count: int) -> None:
        for _ in range(count):
            session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
            fetch = peer.start_fetch(session, url)
            peer.answer(peer.asked(), {**READER, "persistence": "forSession"})
            assert peer.result(fetch)["status"] == 200
            peer.call("session/invalidate", {"session": session})

    give(100)
    before = daemon.resident_bytes()
    # Of which 3.2 MiB would be lost.
    give(400)
    assert daemon.resident_bytes() - before < 2 << 20
