"""What a source gives reaches the server that the administrator means (storage.md 9.7.7)."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable

import pytest

from Integration import sentinels
from Integration.credentials.scene import SourceScene, space
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

TOKEN = f"{sentinels.MARK}.token"
ACCEPT = {"trust": "certificate", "persistence": "forSession"}
HELPER = f"""
    read line < $(dirname $0)/gate
    printf 'authtype=bearer\\ncredential={TOKEN}\\n'
"""


@pytest.fixture
def secure(origins: Callable[..., ScriptedOrigin], tls_context: ssl.SSLContext) -> ScriptedOrigin:
    """An origin whose authority only a caller knows."""
    return origins(tls_context)


async def page(exchange: Exchange) -> None:
    await exchange.respond(401, [("WWW-Authenticate", 'Bearer realm="staff"')], b"")


def pages(scene: SourceScene) -> Json:
    return {"kind": "file", "path": scene.file(TOKEN)}


def naming(origin: ScriptedOrigin, session: str) -> Json:
    protocol = "https" if origin.tls else "http"
    where = {**space(origin, method="bearer"), "protocol": protocol, "host": origin.host}
    return {"session": session, "protectionSpace": where, "credential": {"source": "pages"}}


def refused(peer: Peer, origin: ScriptedOrigin, session: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.call("credential/set", naming(origin, session))
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "callersWay")


def not_accepted(peer: Peer, origin: ScriptedOrigin, fetch: int) -> None:
    """The chain is shown, and no reply can accept it."""
    challenge = peer.challenge()
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"trust": "certificate", "persistence": "none"})
    assert (caught.value.kind, caught.value.data["rule"]) == ("dispositionNotAllowed", "credentialSources")
    peer.dispose(challenge, "performDefaultHandling")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    assert TOKEN.encode() not in origin.received()


def test_roots_of_a_caller_do_not_open_a_source(
    scene: SourceScene, secure: ScriptedOrigin, authority: Authority
) -> None:
    peer = scene.peer(pages=pages(scene))
    roots = {"certificates": authority.certificate.read_text(), "exclusive": False}
    session = peer.open(tasks=["bearer"], configuration={"tls": {"roots": roots}})
    refused(peer, secure, session)
    # Nor does a reply.
    fetch = peer.start_fetch(session, secure.serve("/page", page))
    challenge = peer.challenge()
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"source": "pages"})
    assert caught.value.data["reason"] == "callersWay"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"
    assert TOKEN.encode() not in secure.received()


def test_a_host_field_of_a_caller_does_not_open_a_source(scene: SourceScene, origin: ScriptedOrigin) -> None:
    """Neither the session's nor a task's, before and after the source was named."""
    peer = scene.peer(pages=pages(scene))
    elsewhere: Json = {"headers": [["Host", "elsewhere.test"]]}
    url = origin.serve("/page", page)
    refused(peer, origin, peer.open(configuration=elsewhere))
    session = peer.open(tasks=["bearer"])
    fetch = peer.start_fetch(session, url, **elsewhere)
    peer.answer(peer.challenge(), {"source": "pages"})
    for led in [fetch, peer.start_fetch(session, url, **elsewhere)]:
        with pytest.raises(RemoteError) as caught:
            peer.result(led)
        assert (caught.value.kind, caught.value.data["rule"]) == ("policyRefused", "credentialSources")
    assert TOKEN.encode() not in origin.received()


def test_roots_of_the_user_do_not_open_a_source(
    scene: SourceScene, secure: ScriptedOrigin, authority: Authority
) -> None:
    peer = scene.peer(pages=pages(scene))
    peer.call("trust/addRoots", {"certificates": authority.certificate.read_text()})
    session = peer.open(tasks=["serverTrust", "bearer"])
    secure.serve("/page", page)
    # The chain is good, until the origin is to get what a source gives.
    fetch = peer.start_fetch(session, secure.url + "/page")
    peer.dispose(peer.challenge(), "performDefaultHandling")
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"
    assert peer.call("credential/set", naming(secure, session)) == {}
    not_accepted(peer, secure, peer.start_fetch(session, secure.url + "/page"))


def test_a_chain_is_not_accepted_where_a_source_is_used(scene: SourceScene, secure: ScriptedOrigin) -> None:
    peer = scene.peer(pages=pages(scene))
    session = peer.open(tasks=["serverTrust", "bearer"])
    assert peer.call("credential/set", naming(secure, session)) == {}
    not_accepted(peer, secure, peer.start_fetch(session, secure.serve("/page", page)))
    # The credential is removed, and the origin stays bound.
    where = naming(secure, session)["protectionSpace"]
    peer.call("credential/remove", {"session": session, "protectionSpace": where})
    not_accepted(peer, secure, peer.start_fetch(session, secure.url + "/page"))


def test_a_reset_gives_the_way_back_when_no_task_can_carry_the_credential(
    scene: SourceScene, secure: ScriptedOrigin
) -> None:
    peer = scene.peer(pages=pages(scene))
    session = peer.open(tasks=["serverTrust", "bearer"])
    assert peer.call("credential/set", naming(secure, session)) == {}
    fetch = peer.start_fetch(session, secure.serve("/page", page))
    challenge = peer.challenge()
    peer.call("session/reset", {"session": session})
    # This task was there before.
    assert kind_of(peer.answer, challenge, ACCEPT) == "dispositionNotAllowed"
    peer.dispose(challenge, "performDefaultHandling")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    fetch = peer.start_fetch(session, secure.url + "/page")
    assert peer.answer(peer.challenge(), ACCEPT) == {"accepted": True}
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    assert TOKEN.encode() not in secure.received()
    # With the source, the decision counts no longer.
    assert peer.call("credential/set", naming(secure, session)) == {}
    not_accepted(peer, secure, peer.start_fetch(session, secure.url + "/page"))


def test_a_source_that_is_being_read_at_a_reset_is_named_again(
    scene: SourceScene, secure: ScriptedOrigin
) -> None:
    os.mkfifo(scene.directory / "gate")
    peer = scene.peer(pages={"kind": "gitHelper", "command": scene.helper(HELPER)})
    session = peer.open(tasks=["serverTrust"])
    setting = peer.request("credential/set", naming(secure, session))
    with (scene.directory / "gate").open("w") as gate:
        peer.call("session/reset", {"session": session})
        gate.write("\n")
    assert peer.result(setting) == {}
    not_accepted(peer, secure, peer.start_fetch(session, secure.serve("/page", page)))


@pytest.mark.parametrize("is_reply", [False, True])
def test_a_chain_that_was_accepted_is_not_when_a_source_is_named(
    scene: SourceScene, secure: ScriptedOrigin, is_reply: bool
) -> None:
    peer = scene.peer(pages=pages(scene))
    session = peer.open(tasks=["serverTrust", "bearer"])
    fetch = peer.start_fetch(session, secure.serve("/page", page))
    peer.answer(peer.challenge(), {"trust": "certificate", "persistence": "forSession"})
    challenge = peer.challenge()
    if is_reply:
        assert peer.answer(challenge, {"source": "pages"}) == {"accepted": True}
        return not_accepted(peer, secure, fetch)
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    assert peer.call("credential/set", naming(secure, session)) == {}
    not_accepted(peer, secure, peer.start_fetch(session, secure.url + "/page"))


def test_addresses_and_proxies_of_a_caller_do_not_open_a_source(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    peer = scene.peer(pages=pages(scene))
    refused(peer, origin, peer.open(configuration={"proxies": {"http": "http://127.0.0.1:9", "except": []}}))
    addresses = {"resolve": {f"elsewhere.test:{origin.port}": "127.0.0.1"}}
    refused(peer, origin, peer.open(configuration={"addresses": addresses}))
    session = peer.open()
    assert peer.call("credential/set", naming(origin, session)) == {}
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, origin.serve("/page", page), proxies={"http": "http://127.0.0.1:9", "except": []})
    assert (caught.value.kind, caught.value.data["rule"]) == ("policyRefused", "credentialSources")
    assert peer.fetch(session, origin.url + "/page")["status"] == 401
    assert TOKEN.encode() in origin.received()
