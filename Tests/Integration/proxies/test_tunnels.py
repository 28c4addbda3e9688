"""Many exchanges through tunnels to an origin that speaks HTTP/2."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.proxies.scene import Roots, open_through
from Integration.wire import Peer, RemoteError
from Support.certificates import Authority
from Support.nginx import Nginx
from Support.relaying_proxy import ProxyRequest, RelayingProxy
from Support.squid import Squid

Connect = Callable[..., Peer]

FETCHES = 2000
#: More than all connections have streams.
IN_FLIGHT = 500


@pytest.fixture(scope="module")
def narrow(run_directory: Path, authority: Authority) -> Iterator[Nginx]:
    """Allows few streams on each connection."""
    settings = "http2_max_concurrent_streams 8;"
    server = Nginx(run_directory / "narrow", authority, "reader", "sentinel-narrow", settings)
    yield server
    server.stop()


def fetch_many(peer: Peer, session: str, url: str) -> set[tuple[int, str]]:
    """The statuses and protocols of many fetches."""
    assert peer.metrics(session, url)["protocol"] == "h2"
    waiting = [peer.start_fetch(session, url, metrics=True) for _ in range(IN_FLIGHT)]
    seen = set()
    for started in range(IN_FLIGHT, FETCHES + IN_FLIGHT):
        result = peer.result(waiting.pop(0))
        seen.add((result["status"], result["metrics"]["protocol"]))
        if started < FETCHES:
            waiting.append(peer.start_fetch(session, url, metrics=True))
    return seen


def outcome(peer: Peer, fetch: int) -> int | str:
    """The status of a fetch, or the kind of its error."""
    try:
        return int(peer.result(fetch)["status"])
    except RemoteError as error:
        return error.kind


def test_more_exchanges_than_a_tunnel_has_streams(
    connect: Connect, narrow: Nginx, open_squid: Squid, roots: Roots
) -> None:
    peer = connect()
    session = open_through(peer, open_squid.url, **roots)
    assert fetch_many(peer, session, narrow.http2 + "/small") == {(200, "h2")}


def test_nothing_is_written_into_a_tunnel_that_is_asked_for(
    connect: Connect, narrow: Nginx, roots: Roots
) -> None:
    """libcurl 7.88 gives a connection that is being made to further exchanges of an origin with HTTP/2."""
    asked, goes_on = threading.Event(), threading.Event()
    strays: list[bytes] = []

    def hold(request: ProxyRequest, connection: socket.socket) -> bool:
        if request.connection == 0:
            return False
        asked.set()
        goes_on.wait(30)
        connection.setblocking(False)
        try:
            strays.append(connection.recv(65_536, socket.MSG_PEEK))
        except BlockingIOError:
            strays.append(b"")
        connection.setblocking(True)
        return False

    proxy = RelayingProxy(hook=hold)
    try:
        peer = connect()
        session = open_through(peer, proxy.url, **roots)
        url = narrow.http2 + "/small"
        assert peer.metrics(session, url)["protocol"] == "h2"
        waiting = [peer.start_fetch(session, url) for _ in range(IN_FLIGHT)]
        assert asked.wait(30)
        waiting += [peer.start_fetch(session, url) for _ in range(IN_FLIGHT)]
        peer.call("ping")
        goes_on.set()
        outcomes = {outcome(peer, fetch) for fetch in waiting}
        assert (outcomes, set(strays)) == ({200}, {b""})
    finally:
        goes_on.set()
        proxy.stop()
