"""NTLM at a proxy that opens no tunnel, asks for ever or falls silent (methods.md 15.13)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import pytest

from Integration import sentinels
from Integration.negotiate.ntlm.scene import READER, SWITCHED_ON, open_through
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import kind_of
from Support import documents
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.nginx import Nginx
from Support.ntlm_judge import NTLMJudge
from Support.relaying_proxy import ProxyRequest, RelayingProxy

pytestmark = pytest.mark.usefixtures("users")


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
    proxies = {"all": proxy.url.replace("//", f"//{sentinels.USER}:{sentinels.PASSWORD}@")}
    session = peer.open(configuration={"methods": SWITCHED_ON, "proxies": proxies})
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
    session = open_through(proxy, peer, authority, "ntlm")
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
    peer: RealmPeer, judge: NTLMJudge, authority: Authority, step: int
) -> None:
    seen = 0

    def fall_silent(request: ProxyRequest, client: socket.socket) -> bool:
        nonlocal seen
        seen += 1
        return seen > step and client.recv(1) == b""

    proxy = RelayingProxy(judge, hook=fall_silent)
    session = open_through(proxy, peer, authority, "ntlm")
    fetch = peer.start_fetch(session, "https://a.test/", timeouts={"connectSeconds": 0.5})
    peer.answer(peer.asked(), READER)
    error = peer.error(lambda: peer.result(fetch))
    assert (error.kind, error.data["hop"], error.data["phase"]) == ("timedOut", "proxy", "connect")
    proxy.stop()
