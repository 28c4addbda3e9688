"""What a session has goes through a proxy of a task's own only where it was given (storage.md 9.2.7)."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.proxies.places import KEY, PLACES, Place, script_of, space_of
from Integration.proxies.scene import Roots
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password
from Support.guards import BasicGuard, guarded
from Support.relaying_proxy import RelayingProxy
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Origins = Callable[..., ScriptedOrigin]
ACCEPT = {"trust": "certificate", "persistence": "none"}


def proxies_of(proxy: ScriptedOrigin) -> Json:
    return {"http": proxy.url, "except": []}


def through(proxy: ScriptedOrigin, url: str, guard: BasicGuard) -> None:
    proxy.serve(url, guarded(guard))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("is_warm", [False, True])
def test_no_credential_of_the_session_goes_through_a_proxy_of_the_task(
    peer: Peer, origin: ScriptedOrigin, origins: Origins, place: str, is_warm: bool
) -> None:
    proxy = origins()
    url = origin.serve("/x", script_of(place))
    proxy.serve(url, script_of(place))
    session = getattr(Place(peer, origin), place)()
    if is_warm:
        assert peer.fetch(session, url)["status"] == 200
    refusal = 403 if place == "key" else 401
    for _ in range(2):
        assert peer.fetch(session, url, proxies=proxies_of(proxy))["status"] == refusal
    received = proxy.received()
    assert b"uthorization" not in received
    assert KEY.encode() not in received
    explained = peer.call("explain", {"session": session, "url": url, "proxies": proxies_of(proxy)})
    assert explained["credential"] is None
    if place != "netrc":
        assert explained["passedOver"]["source"] == "session"
        assert explained["passedOver"]["reason"] == "callersWay"
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()


def test_what_was_given_through_the_proxy_counts_there_and_directly(
    peer: Peer, origin: ScriptedOrigin, origins: Origins
) -> None:
    proxy, other = origins(), origins()
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    for server in (proxy, other):
        through(server, url, BasicGuard("staff", USER, PASSWORD))
    session = peer.open(tasks=["basic"])

    def asked(**members: Json) -> int:
        fetch = peer.start_fetch(session, url, **members)
        challenge = peer.challenge()
        assert challenge["proposedCredential"] is None
        peer.answer(challenge, password(USER, PASSWORD))
        status: int = peer.result(fetch)["status"]
        return status

    assert asked() == 200
    assert asked(proxies=proxies_of(proxy)) == 200
    for _ in range(2):
        assert peer.fetch(session, url, proxies=proxies_of(proxy))["status"] == 200
        assert peer.fetch(session, url)["status"] == 200
    # The same credential, over one way more.
    assert asked(proxies=proxies_of(other)) == 200
    for server in (proxy, other):
        assert peer.fetch(session, url, proxies=proxies_of(server))["status"] == 200
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()


def test_the_proxy_of_the_session_is_no_other_way(
    peer: Peer, origin: ScriptedOrigin, origins: Origins
) -> None:
    """It was there when the credential was given: no caller leads what the session has away."""
    proxy = origins()
    url = origin.url + "/x"
    through(proxy, url, BasicGuard("staff", USER, PASSWORD))
    session = peer.open(configuration={"proxies": proxies_of(proxy)})
    Place(peer, origin).give(session, "basic", password(USER, PASSWORD))
    assert peer.fetch(session, url)["status"] == 200
    assert peer.fetch(session, url, proxies=proxies_of(proxy))["status"] == 200


@pytest.mark.parametrize("is_known", [False, True])
def test_nothing_goes_through_a_tunnel_either(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, roots: Roots, is_known: bool
) -> None:
    """Whoever chooses the proxy may have accepted the chain, or added an authority."""
    secure = origins(tls_context)
    url = secure.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    proxy = RelayingProxy()
    session = peer.open(configuration=roots) if is_known else peer.open(tasks=["serverTrust"])
    space = {**space_of(secure, "basic"), "protocol": "https"}
    params = {"session": session, "protectionSpace": space, "credential": password(USER, PASSWORD)}
    peer.call("credential/set", params)
    fetch = peer.start_fetch(session, url, proxies={"https": proxy.url, "except": []})
    if not is_known:
        peer.answer(peer.challenge(), ACCEPT)
    assert peer.result(fetch)["status"] == 401
    assert b"uthorization" not in secure.received()
    proxy.stop()


@pytest.mark.parametrize("wrong_first", [False, True])
def test_a_reply_serves_no_task_that_goes_another_way(
    connect: Callable[..., Peer], origin: ScriptedOrigin, origins: Origins, wrong_first: bool
) -> None:
    """The program that joins would be the one to try the next password."""
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    proxy = origins()
    through(proxy, url, BasicGuard("staff", USER, PASSWORD))
    victim, joining = connect(), connect()
    session = victim.open("s", tasks=["basic"])
    fetch = victim.start_fetch(session, url)
    challenge = victim.challenge()
    joining.open("s")
    led = joining.start_fetch(session, url, proxies=proxies_of(proxy))
    assert joining.result(led)["status"] == 401
    if wrong_first:
        victim.answer(challenge, password(USER, "wrong"))
        challenge = victim.challenge()
        led = joining.start_fetch(session, url, proxies=proxies_of(proxy))
        assert joining.result(led)["status"] == 401
    victim.answer(challenge, password(USER, PASSWORD))
    assert victim.result(fetch)["status"] == 200
    assert joining.fetch(session, url)["status"] == 200
    assert joining.fetch(session, url, proxies=proxies_of(proxy))["status"] == 401
    assert b"uthorization" not in proxy.received()


def test_whoever_is_asked_is_told_the_way(
    connect: Callable[..., Peer], origin: ScriptedOrigin, origins: Origins
) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    proxy = origins()
    through(proxy, url, BasicGuard("staff", USER, PASSWORD))
    agent, caller = connect(), connect()
    session = agent.open("s", session=["basic"])
    caller.open("s")
    direct = caller.start_fetch(session, url)
    challenge = agent.challenge()
    assert "proxy" not in challenge
    led = [caller.start_fetch(session, url, proxies=proxies_of(proxy)) for _ in range(2)]
    other = agent.challenge()
    assert other["challenge"] != challenge["challenge"]
    assert other["proxy"] == proxy.url
    agent.answer(challenge, password(USER, PASSWORD))
    assert caller.result(direct)["status"] == 200
    # Tasks that go the same way wait under one question.
    agent.answer(other, password(USER, PASSWORD))
    assert [caller.result(one)["status"] for one in led] == [200, 200]
    agent.nothing_asked()


@pytest.mark.parametrize("method", ["basic", "key"])
def test_what_is_kept_for_a_path_is_named_as_passed_over(
    peer: Peer, origin: ScriptedOrigin, origins: Origins, method: str
) -> None:
    proxy, session = origins(), peer.open()
    limits = {"limits": {"pathPrefixes": ["/v1/"]}}
    if method == "key":
        Place(peer, origin).give(session, "key", {"token": KEY, **limits}, field="X-Api-Key")
    else:
        Place(peer, origin).give(session, "basic", {**password(USER, PASSWORD), "preemptive": True, **limits})
    for path, is_passed_over in [("/v1/x", True), ("/v2/x", False)]:
        params = {"session": session, "url": origin.url + path, "proxies": proxies_of(proxy)}
        passed_over = peer.call("explain", params).get("passedOver")
        assert (passed_over is not None and passed_over["reason"] == "callersWay") == is_passed_over
