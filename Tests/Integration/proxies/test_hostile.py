"""Proxies that lie, drop, stall and die: the error names the hop, and the next fetch recovers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER, MakeProxy, Roots, open_through
from Integration.wire import Json, Peer, RemoteError
from Support.nginx import Nginx
from Support.squid import Squid

Connect = Callable[..., Peer]


def failure(peer: Peer, session: str, url: str, **members: Json) -> tuple[str, Json]:
    with pytest.raises(RemoteError) as failed:
        peer.fetch(session, url, **members)
    return failed.value.kind, failed.value.data


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\npages", "refused"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\nContent-Length: 5\r\n\r\npages", "refused"),
        (b"HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 5\r\n\r\npages", "refused"),
        (b"HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\npages\r\n", "refused"),
        (b"HTTP/1.1 100 Continue\r\n\r\n", "malformedResponse"),
        (b"HTTP/1.1 101 Switching\r\n\r\n", "malformedResponse"),
        (b"HTTP/2 200\r\n\r\n", "malformedResponse"),
        (b"HTTP/1.1 200 OK\r\nbroken\r\n\r\n", "malformedResponse"),
        (b"HTTP/1.1 407 No\r\n" + (b"X: " + b"a" * 10_000 + b"\r\n") * 20, "headersTooLarge"),
        (b"HTTP/1.1 407 No\r\n" + b"X: y\r\n" * 30_000, "headersTooLarge"),
        (b"HTTP/1.1 407 No\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", "headersTooLarge"),
        (None, "connectionLost"),
    ],
)
def test_a_proxy_that_opens_no_tunnel_is_named(
    connect: Connect, scripted_proxy: MakeProxy, answer: bytes | None, reason: str
) -> None:
    peer = connect()
    kind, data = failure(peer, open_through(peer, scripted_proxy(answer).url, "*"), "https://a.test/")
    assert (kind, data["hop"], data["reason"]) == ("proxyFailed", "proxy", reason)
    assert "pages" not in str(data)
    peer.nothing_asked()


@pytest.mark.parametrize(
    "answer", [b"garbage\r\n\r\n", b"HTTP/1.1 2", b"\x16\x03\x01\x00\x05hello", b"\r\n" * 10]
)
def test_an_answer_that_is_no_http_is_the_proxys(
    connect: Connect, scripted_proxy: MakeProxy, answer: bytes
) -> None:
    peer = connect()
    kind, data = failure(peer, open_through(peer, scripted_proxy(answer).url), "https://a.test/")
    assert (kind, data["hop"]) == ("proxyFailed", "proxy")


def test_a_tunnel_to_garbage_is_no_tls(connect: Connect, scripted_proxy: MakeProxy) -> None:
    peer = connect()
    proxy = scripted_proxy(b"HTTP/1.1 200 OK\r\n\r\nthis is no TLS at all, and goes on for a while")
    kind, data = failure(peer, open_through(peer, proxy.url), "https://a.test/")
    assert (kind, data["hop"], data["reason"]) == ("tlsFailed", "origin", "notTLS")


def test_a_tunnel_that_ends_before_the_origin_is_heard_is_lost(
    connect: Connect, scripted_proxy: MakeProxy
) -> None:
    peer = connect()
    proxy = scripted_proxy(b"HTTP/1.1 203 OK\r\n\r\n")
    kind, data = failure(peer, open_through(peer, proxy.url), "https://a.test/")
    assert (kind, data["hop"], data["reason"]) == ("proxyFailed", "proxy", "connectionLost")
    assert data["processed"] == "no"


def test_a_silent_proxy_runs_into_the_connect_timeout(connect: Connect, scripted_proxy: MakeProxy) -> None:
    peer = connect()
    session = open_through(peer, scripted_proxy(b"").url)
    kind, data = failure(peer, session, "https://a.test/", timeouts={"connectSeconds": 0.3})
    assert (kind, data["hop"], data["phase"]) == ("timedOut", "proxy", "connect")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://no-such-proxy.invalid:1", "https://127.0.0.1:1",
                                 "socks5h://127.0.0.1:1", "socks4a://no-such-proxy.invalid:1"])  # fmt: skip
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_is_not_there_is_named(connect: Connect, url: str, scheme: str) -> None:
    peer = connect()
    kind, data = failure(peer, open_through(peer, url), f"{scheme}://a.test/")
    assert (kind, data["hop"], data["proxy"]) == ("proxyFailed", "proxy", url)
    assert data["reason"] == ("nameNotResolved" if "invalid" in url else "connectionFailed")


@pytest.fixture
def mortal_squid(tmp_path_factory: pytest.TempPathFactory, run_directory: Path) -> Iterator[Squid]:
    squid = Squid(run_directory / tmp_path_factory.mktemp("squid").name, PROXY_USER, PROXY_PASSWORD)
    yield squid
    squid.stop()


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_killing_the_proxy_fails_its_fetches_and_the_next_one_recovers(
    connect: Connect, mortal_squid: Squid, nginx: Nginx, roots: Roots, scheme: str
) -> None:
    peer = connect()
    session = open_through(peer, mortal_squid.url, **roots)
    url = getattr(nginx, scheme) + "/small"
    assert peer.fetch(session, url)["status"] == 200
    mortal_squid.kill()
    kind, data = failure(peer, session, url)
    assert (kind, data["hop"]) == ("proxyFailed", "proxy")
    mortal_squid.start()
    assert peer.fetch(session, url)["status"] == 200


def test_a_proxy_that_dies_in_the_middle_of_a_body_is_named(
    connect: Connect, scripted_proxy: MakeProxy
) -> None:
    proxy = scripted_proxy(b"HTTP/1.1 203 OK\r\nContent-Length: 1000\r\n\r\nthe beginning")
    peer = connect()
    kind, data = failure(peer, open_through(peer, proxy.url), "http://a.test/")
    assert (kind, data["hop"], data["reason"]) == ("proxyFailed", "proxy", "connectionLost")
