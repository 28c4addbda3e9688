"""NTLM at a proxy: the messages go over one connection, also those for a tunnel (methods.md 15.13)."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.ntlm.scene import DOMAIN, READER, SWITCHED_ON, open_through
from Integration.negotiate.realm_peer import RealmPeer
from Support import documents
from Support.certificates import Authority
from Support.nginx import Nginx
from Support.ntlm_judge import NTLMJudge
from Support.ntlm_server import NTLMServer
from Support.relaying_proxy import RelayingProxy
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

pytestmark = pytest.mark.usefixtures("users")


def heads(proxy: RelayingProxy) -> list[tuple[int, str, str | None]]:
    """Connection, method and scheme of the credential of each request so far."""
    return [
        (request.connection, request.method, (request.authorization or "").split(" ")[0] or None)
        for request in proxy.requests
    ]


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_three_messages_go_over_one_connection(
    peer: RealmPeer, through: Callable[..., str], proxy: RelayingProxy, nginx: Nginx, scheme: str
) -> None:
    session = through("ntlm")
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url)
    challenge = peer.asked()
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["isProxy"], space["proxyType"]) == ("ntlm", True, "http")
    assert (space["port"], challenge["url"]) == (proxy.port, url)
    peer.answer(challenge, READER)
    result = peer.result(fetch)
    assert result["status"] == 200 and result["body"]["text"] == documents.SMALL.decode()
    method = "CONNECT" if scheme == "tls" else "GET"
    assert heads(proxy) == [(0, method, None), (1, method, "NTLM"), (1, method, "NTLM")]
    assert peer.fetch(session, url)["status"] == 200
    assert len(proxy.requests) == (3 if scheme == "tls" else 4)
    peer.nothing_asked()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_the_details_are_those_of_the_proxys_connection(
    peer: RealmPeer, through: Callable[..., str], proxy: RelayingProxy, nginx: Nginx, scheme: str
) -> None:
    """Also of what goes through a tunnel whose socket libcurl is given."""
    session = through("ntlm")
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url, metrics=True, exchangeDetails=True)
    peer.answer(peer.asked(), READER)
    result = peer.result(fetch)
    again = peer.fetch(session, url, metrics=True, exchangeDetails=True)
    shown = [each["details"] for each in (*result["metrics"]["exchanges"], *again["metrics"]["exchanges"])]
    assert {each["remoteAddress"] for each in shown} == {f"127.0.0.1:{proxy.port}"}
    assert {each["isProxyConnection"] for each in shown} == {True}
    heads = [head for each in shown for head in each["requests"]]
    methods = [head["line"].split(" ")[0] for head in heads]
    assert methods == (["CONNECT"] * 3 + ["GET"] * 2 if scheme == "tls" else ["GET"] * 4)
    secrets = [dict(head["headers"]).get("Proxy-Authorization") for head in heads]
    assert secrets == [None, "NTLM <secret>", "NTLM <secret>", None, None][: len(heads)]
    versions = [each.get("tlsVersion") for each in shown]
    assert versions == ([None] * 3 + ["1.3"] * 2 if scheme == "tls" else [None] * 4)


def test_it_is_off_unless_the_session_turns_it_on(
    peer: RealmPeer, through: Callable[..., str], nginx: Nginx
) -> None:
    session = through("ntlm", methods={})
    for url in (nginx.plain, nginx.tls):
        error = peer.error(partial(peer.fetch, session, url + "/small"))
        assert (error.kind, error.data["hop"]) == ("proxyAuthenticationFailed", "proxy")
    peer.nothing_asked()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_wrong_password_is_refused_once(
    peer: RealmPeer, through: Callable[..., str], judge: NTLMJudge, nginx: Nginx, scheme: str
) -> None:
    fetch = peer.start_fetch(through("ntlm"), getattr(nginx, scheme) + "/small")
    peer.answer(peer.asked(), {**READER, "password": "wrong"})
    again = peer.asked()
    assert again["previousFailureCount"] == 1 and judge.refused == 1
    peer.answer(again, READER)
    assert peer.result(fetch)["status"] == 200


def test_a_thousand_fetches_raise_one_challenge(
    peer: RealmPeer, through: Callable[..., str], judge: NTLMJudge, proxy: RelayingProxy, nginx: Nginx
) -> None:
    session = through("ntlm")
    fetches = [
        peer.start_fetch(session, (nginx.tls if number % 2 else nginx.plain) + "/small", output="discard")
        for number in range(1000)
    ]
    peer.answer(peer.asked(), READER)
    assert {peer.result(fetch, 60)["status"] for fetch in fetches} == {200}
    assert peer.counter("challenges.raised") == 1
    assert judge.refused == 0
    tunnels = [request for request in proxy.requests if request.method == "CONNECT" and request.authorization]
    assert len(tunnels) <= 2 * 6, "tunnels are used again"


def test_the_body_goes_with_the_last_message(
    peer: RealmPeer, through: Callable[..., str], proxy: RelayingProxy, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", reply())
    fetch = peer.start_fetch(through("ntlm"), url, method="POST", body={"text": "x" * 200_000})
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    assert [request.body for request in proxy.requests] == [200_000, 0, 200_000]
    assert [len(request.body) for request in origin.requests] == [200_000]


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_each_origin_has_tunnels_of_its_own_and_plain_requests_share_one_connection(
    peer: RealmPeer, through: Callable[..., str], proxy: RelayingProxy, nginx: Nginx, scheme: str
) -> None:
    session = through("ntlm")
    fetch = peer.start_fetch(session, getattr(nginx, scheme) + "/small")
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    other = {"plain": nginx.other, "tls": nginx.http2}[scheme]
    for url in (other, getattr(nginx, scheme), other):
        assert peer.fetch(session, url + "/small")["status"] == 200
    peer.nothing_asked()
    assert proxy.connections == (2 if scheme == "plain" else 3)


def test_proxy_and_origin_negotiate_with_two_users_in_one_task(
    peer: RealmPeer,
    through: Callable[..., str],
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    users = tmp_path / "two"
    users.write_text(f"{DOMAIN}:{sentinels.USER}:{sentinels.PASSWORD}\n{DOMAIN}:writer:sentinel-writer\n")
    monkeypatch.setenv("NTLM_USER_FILE", str(users))
    url = origins(tls_context).serve("/", *[NTLMServer()] * 100, reads_body=False)
    session = through("ntlm")
    fetch = peer.start_fetch(session, url)
    first = peer.asked()
    assert first["protectionSpace"]["isProxy"]
    peer.answer(first, READER)
    second = peer.asked()
    assert not second["protectionSpace"]["isProxy"]
    peer.answer(second, {"user": "writer", "domain": DOMAIN, "password": "sentinel-writer"})
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()


def test_no_other_session_uses_an_authenticated_tunnel(
    peer: RealmPeer, through: Callable[..., str], nginx: Nginx
) -> None:
    fetch = peer.start_fetch(through("ntlm"), nginx.tls + "/small")
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    error = peer.error(lambda: peer.fetch(through(), nginx.tls + "/small"))
    assert error.kind == "proxyAuthenticationFailed"


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_removed_credential_takes_its_connections_along(
    peer: RealmPeer, through: Callable[..., str], proxy: RelayingProxy, nginx: Nginx, scheme: str
) -> None:
    session = through("ntlm")
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url)
    challenge = peer.asked()
    peer.answer(challenge, READER)
    assert peer.result(fetch)["status"] == 200
    members = ("protocol", "host", "port", "realm", "authenticationMethod", "proxyType")
    space = {member: challenge["protectionSpace"][member] for member in members}
    peer.call("credential/remove", {"session": session, "protectionSpace": space})
    fetch = peer.start_fetch(session, url)
    peer.dispose(peer.asked(), "rejectProtectionSpace")
    error = peer.error(lambda: peer.result(fetch))
    assert error.kind == "proxyAuthenticationFailed"


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_proxy_that_was_restarted_is_asked_again(
    peer: RealmPeer, judge: NTLMJudge, nginx: Nginx, authority: Authority, scheme: str
) -> None:
    proxy = RelayingProxy(judge)
    session = open_through(proxy, peer, authority, "ntlm")
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    proxy.stop()
    error = peer.error(lambda: peer.fetch(session, url))
    assert (error.kind, error.data["hop"], error.data["reason"]) == (
        "proxyFailed",
        "proxy",
        "connectionFailed",
    )
    judge.contexts.clear()
    again = RelayingProxy(judge, port=proxy.port)
    assert peer.fetch(session, url)["status"] == 200
    again.stop()
    peer.nothing_asked()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_restricted_connection_goes_through_a_tunnel_for_what_its_rules_allow(
    connect: Callable[[], RealmPeer],
    peer: RealmPeer,
    through: Callable[..., str],
    proxy: RelayingProxy,
    nginx: Nginx,
    scheme: str,
) -> None:
    through("ntlm", name="shared")
    child = connect()
    origin = getattr(nginx, scheme)
    rules = [{"methods": ["GET"], "origin": origin, "path": "/small"}]
    child.call("peer/restrict", {"session": "shared", "rules": rules})
    fetch = child.start_fetch("shared", origin + "/small")
    peer.answer(peer.asked(), READER)
    assert child.result(fetch)["status"] == 200
    assert child.fetch("shared", origin + "/small")["status"] == 200
    seen = len(proxy.requests)
    assert child.error(lambda: child.fetch("shared", origin + "/staff/small")).kind == "restricted"
    assert len(proxy.requests) == seen


@pytest.mark.parametrize(
    ("support", "status"),
    [
        ("Session-Based-Authentication", 200),
        ("other, session-based-authentication", 200),
        ("other", 401),
        (None, 401),
    ],
)
def test_a_plain_proxy_that_keeps_sessions_lets_an_origin_ask_for_ntlm(
    peer: RealmPeer, origin: ScriptedOrigin, users: None, support: str | None, status: int
) -> None:
    """RFC 4559 section 6. The scripted origin is proxy and origin in one."""
    server = NTLMServer(fields=(("Proxy-Support", support),) if support else ())
    origin.serve("http*", *[server] * 100, reads_body=False)
    session = peer.open(
        configuration={"methods": SWITCHED_ON, "proxies": {"all": origin.url}}, session=["ntlm"]
    )
    url = "http://web.watchword.test/page"
    fetch = peer.start_fetch(session, url)
    if status == 200:
        challenge = peer.asked()
        assert challenge["protectionSpace"]["host"] == "web.watchword.test"
        assert challenge["protectionSpace"].get("proxyType") is None
        peer.answer(challenge, READER)
    assert peer.result(fetch)["status"] == status
    if status == 200:
        before = len(origin.connections)
        assert [peer.fetch(session, url)["status"] for _ in range(3)] == [200] * 3
        assert len(origin.connections) == before
        assert server.refused == 0
    peer.nothing_asked()
