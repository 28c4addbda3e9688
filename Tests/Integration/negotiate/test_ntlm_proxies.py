"""NTLM at a proxy: the messages go over one connection, also those for a tunnel (challenges.md 15.13)."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import Json, kind_of
from Support import documents
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.nginx import Nginx
from Support.ntlm_judge import NTLMJudge
from Support.ntlm_server import NTLMServer, user_file
from Support.relaying_proxy import ProxyRequest, RelayingProxy
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

DOMAIN = "WW"
READER = {"user": sentinels.USER, "domain": DOMAIN, "password": sentinels.PASSWORD}
SWITCHED_ON: dict[str, Json] = {"disabled": []}


@pytest.fixture(autouse=True)
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = user_file(tmp_path / "users", DOMAIN, sentinels.USER, sentinels.PASSWORD)
    monkeypatch.setenv("NTLM_USER_FILE", str(path))


@pytest.fixture
def judge() -> NTLMJudge:
    return NTLMJudge()


@pytest.fixture
def proxy(judge: NTLMJudge) -> Iterator[RelayingProxy]:
    proxy = RelayingProxy(judge)
    yield proxy
    proxy.stop()


@pytest.fixture
def through(peer: RealmPeer, proxy: RelayingProxy, authority: Authority) -> Callable[..., str]:
    def make(*methods: str, **configuration: Json) -> str:
        return peer.open(
            configuration={
                "methods": SWITCHED_ON,
                "proxies": {"all": proxy.url},
                "tls": {"roots": {"certificates": authority.pem}},
                **configuration,
            },
            session=list(methods),
        )

    return make


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
    session = peer.open(
        configuration={
            "methods": SWITCHED_ON,
            "proxies": {"all": proxy.url},
            "tls": {"roots": {"certificates": authority.pem}},
        },
        session=["ntlm"],
    )
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


@pytest.mark.parametrize(
    ("agreement", "reason"),
    [
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\npages", "refused"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\nContent-Length: 5\r\n\r\npages", "refused"),
        (b"HTTP/1.1 200 OK\r\n\r\npages that are no TLS", "malformedResponse"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\npages", "malformedResponse"),
        (b"pages\r\n\r\n", "malformedResponse"),
        (b"", "connectionLost"),
    ],
)
def test_a_proxy_that_opens_no_tunnel_after_all_is_named(
    peer: RealmPeer, through: Callable[..., str], proxy: RelayingProxy, agreement: bytes, reason: str
) -> None:
    proxy.agreement = agreement
    fetch = peer.start_fetch(through("ntlm"), "https://127.0.0.1:1/")
    peer.answer(peer.asked(), READER)
    error = peer.error(lambda: peer.result(fetch))
    assert (error.kind, error.data["hop"], error.data["reason"]) == ("proxyFailed", "proxy", reason)
    assert "pages" not in str(error.data)


@pytest.mark.parametrize("agreement", [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                                       b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n",
                                       b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n"])  # fmt: skip
def test_fields_about_content_mean_nothing_in_an_agreement(
    peer: RealmPeer, through: Callable[..., str], proxy: RelayingProxy, nginx: Nginx, agreement: bytes
) -> None:
    proxy.agreement = agreement
    fetch = peer.start_fetch(through("ntlm"), nginx.tls + "/small")
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["body"]["text"] == documents.SMALL.decode()


ASKING = b"HTTP/1.1 407 No\r\nProxy-Authenticate: NTLM %b\r\nContent-Length: 5\r\n%b\r\npages"


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("connection", [b"", b"Connection: close\r\n"], ids=["keeps", "closes"])
@pytest.mark.parametrize(
    "token", [b"", b"AAAA", b"TlRMTVNTUAACAAAA", b"x" * 100_000], ids=["none", "short", "cut", "huge"]
)
def test_a_proxy_that_asks_for_ever_ends_the_task(
    peer: RealmPeer, scheme: str, connection: bytes, token: bytes
) -> None:
    def ask(request: ProxyRequest, client: socket.socket) -> bool:
        client.sendall(ASKING % (token if request.authorization else b"", connection))
        if connection:
            client.shutdown(socket.SHUT_RDWR)
        return True

    proxy = RelayingProxy(hook=ask)
    session = peer.open(
        configuration={
            "methods": SWITCHED_ON,
            "proxies": {"all": proxy.url.replace("//", f"//{sentinels.USER}:{sentinels.PASSWORD}@")},
        }
    )
    error = peer.error(lambda: peer.fetch(session, f"{scheme}://a.test/"))
    assert error.kind in ("proxyAuthenticationFailed", "authenticationFailed")
    assert error.data["hop"] == "proxy"
    assert "pages" not in str(error.data)
    assert len(proxy.requests) < 40
    proxy.stop()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
@pytest.mark.parametrize("step", range(3))
def test_what_is_cancelled_at_any_step_leaves_no_socket(
    peer: RealmPeer,
    daemon: Daemon,
    judge: NTLMJudge,
    authority: Authority,
    nginx: Nginx,
    step: int,
    scheme: str,
) -> None:
    """The first request, and each of the messages."""
    held = threading.Event()
    seen = 0

    def hold(request: ProxyRequest, client: socket.socket) -> bool:
        nonlocal seen
        seen += 1
        if seen == step + 1:
            held.set()
            client.recv(1)
            return True
        return False

    proxy = RelayingProxy(judge, hook=hold)
    # The connection of this peer is one of them.
    peer.call("ping")
    before = len(daemon.descriptors())
    session = peer.open(
        configuration={
            "methods": SWITCHED_ON,
            "proxies": {"all": proxy.url},
            "tls": {"roots": {"certificates": authority.pem}},
        },
        session=["ntlm"],
    )
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url, task="held")
    if step > 0:
        peer.answer(peer.asked(), READER)
    assert held.wait(20)
    peer.call("task/cancel", {"task": "held"})
    assert kind_of(peer.result, fetch) == "taskCancelled"
    # What is left serves the next one.
    again = peer.start_fetch(session, url)
    peer.answer(peer.asked(), READER)
    assert peer.result(again)["status"] == 200
    peer.call("session/invalidate", {"session": session})
    daemon.process.wait_until(lambda: len(daemon.descriptors()) <= before)
    proxy.stop()


@pytest.mark.parametrize("step", [1, 2])
def test_a_proxy_that_falls_silent_runs_into_the_connect_timeout(
    peer: RealmPeer, judge: NTLMJudge, step: int
) -> None:
    seen = 0

    def fall_silent(request: ProxyRequest, client: socket.socket) -> bool:
        nonlocal seen
        seen += 1
        return seen > step and client.recv(1) == b""

    proxy = RelayingProxy(judge, hook=fall_silent)
    session = peer.open(
        configuration={"methods": SWITCHED_ON, "proxies": {"all": proxy.url}}, session=["ntlm"]
    )
    fetch = peer.start_fetch(session, "https://a.test/", timeouts={"connectSeconds": 0.5})
    peer.answer(peer.asked(), READER)
    error = peer.error(lambda: peer.result(fetch))
    assert (error.kind, error.data["hop"], error.data["phase"]) == ("timedOut", "proxy", "connect")
    proxy.stop()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_restricted_connection_goes_through_a_tunnel_for_what_its_rules_allow(
    connect: Callable[[], RealmPeer],
    peer: RealmPeer,
    proxy: RelayingProxy,
    authority: Authority,
    nginx: Nginx,
    scheme: str,
) -> None:
    peer.open(
        "shared",
        configuration={
            "methods": SWITCHED_ON,
            "proxies": {"all": proxy.url},
            "tls": {"roots": {"certificates": authority.pem}},
        },
        session=["ntlm"],
    )
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
