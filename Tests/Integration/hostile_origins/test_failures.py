"""Servers that stall, are not there, or cannot be trusted."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.hostile_origins.scene import outcome
from Integration.wire import Peer, RemoteError, body_of, kind_of
from Support import loopback
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import (
    endless,
    raw,
    reply,
    reset_after,
    stall_after,
)
from Support.tls_server import TLSServer

pytestmark = pytest.mark.core
WHOLE = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789"

STALLS = [
    pytest.param(b"", id="before the response"),
    pytest.param(b"HTTP/1.1 200 OK\r\nX: y", id="inside the head"),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", id="inside the body"),
]


@pytest.mark.parametrize("before", STALLS)
@pytest.mark.parametrize(("name", "phase"), [("requestSeconds", "request"), ("resourceSeconds", "resource")])
def test_a_stall_times_out(
    peer: Peer, session: str, origin: ScriptedOrigin, before: bytes, name: str, phase: str
) -> None:
    url = origin.serve("/", stall_after(before))
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, url + "?secret=1", timeouts={name: 0.3})
    data = caught.value.data
    assert (data["kind"], data["phase"], data["hop"]) == ("timedOut", phase, "origin")
    assert data["url"] == url
    origin.wait_until(lambda: not origin.connections[0].open)


def test_the_session_sets_the_timeouts(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open("t", configuration={"timeouts": {"requestSeconds": 0.3}})
    assert kind_of(peer.fetch, session, origin.serve("/", stall_after())) == "timedOut"


def test_progress_keeps_the_request_timeout_away(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    """Two seconds of single bytes under a limit of 1.5 seconds without progress."""

    async def script(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        for _ in range(10):
            await asyncio.sleep(0.2)
            await exchange.send(b"x")

    result = peer.fetch(session, origin.serve("/", script), timeouts={"requestSeconds": 1.5})
    assert body_of(result) == b"x" * 10


def test_a_connection_that_is_never_accepted_times_out(peer: Peer, session: str) -> None:
    """TEST-NET-1 leads nowhere; where it is unreachable at once, that is an answer too."""
    found = outcome(peer, session, "http://192.0.2.1:9/", timeouts={"connectSeconds": 0.3})
    assert found in ("timedOut", "connectionFailed")


def test_a_refused_connection_is_an_error(peer: Peer, session: str) -> None:
    (port,) = loopback.free_ports(1)
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, f"http://127.0.0.1:{port}/x?q=1")
    assert caught.value.kind == "connectionFailed"
    assert caught.value.data["reason"] == "connectionRefused"
    assert caught.value.message == f"no connection to http://127.0.0.1:{port}: connection refused"
    assert caught.value.data["hop"] == "origin"
    assert caught.value.data["url"] == f"http://127.0.0.1:{port}/x"


def test_a_name_without_an_address_is_an_error(peer: Peer, session: str) -> None:
    assert outcome(peer, session, "http://no-such-host.invalid/") == "nameNotResolved"


def test_an_unknown_certificate_is_rejected_with_reasons(
    peer: Peer, session: str, origins: Callable[..., ScriptedOrigin], tls_context: ssl.SSLContext
) -> None:
    origin = origins(tls_context)
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, origin.serve("/", reply()))
    assert caught.value.kind == "serverTrustRejected"
    assert caught.value.data["reasons"]
    assert origin.requests == []


def test_a_certificate_for_another_name_is_rejected(
    peer: Peer, origins: Callable[..., ScriptedOrigin], tls_context: ssl.SSLContext, authority: Authority
) -> None:
    origin = origins(tls_context)
    configuration = {
        "tls": {"roots": {"certificates": authority.pem}},
        "addresses": {"resolve": {f"other.test:{origin.port}": "127.0.0.1"}},
    }
    session = peer.open("t", configuration=configuration)
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, f"https://other.test:{origin.port}/")
    assert caught.value.kind == "serverTrustRejected"
    assert {"reason": "hostMismatch", "depth": 0} in caught.value.data["reasons"]


def test_a_server_that_speaks_no_tls_is_said_to_speak_http(peer: Peer, session: str, nginx: Nginx) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, f"https://127.0.0.1:{nginx.plain_port}/")
    assert (caught.value.kind, caught.value.data["reason"]) == ("tlsFailed", "plainHTTP")
    assert caught.value.message == "the TLS handshake failed: the server speaks HTTP, not TLS"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "protocolVersion"),
        (["-tls1_2", "-cipher", "DHE-RSA-AES256-GCM-SHA384"], "handshakeFailure"),
    ],
)
def test_what_a_server_has_not_is_said(
    peer: Peer, session: str, authority: Authority, tmp_path: Path, options: list[str], reason: str
) -> None:
    server = TLSServer(tmp_path / "server.log", authority.issue("old"), *options)
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, server.url)
    assert (caught.value.kind, caught.value.data["reason"]) == ("tlsFailed", reason)
    server.stop()


def test_nothing_is_left_open_after_the_worst(daemon: Daemon, peer: Peer, origin: ScriptedOrigin) -> None:
    urls = [
        origin.serve("/a", reset_after(WHOLE[:30])),
        origin.serve("/b", raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")),
        origin.serve("/c", stall_after()),
        origin.serve("/d", endless()),
    ]
    session = peer.open()
    for url in urls:
        outcome(peer, session, url, timeouts={"resourceSeconds": 0.3})
    peer.call("session/close", {"session": session})
    origin.wait_until(lambda: not any(connection.open for connection in origin.connections))
    before = len(daemon.descriptors())
    for _ in range(5):
        session = peer.open()
        for url in urls:
            outcome(peer, session, url, timeouts={"resourceSeconds": 0.1})
        peer.call("session/close", {"session": session})
    origin.wait_until(lambda: not any(connection.open for connection in origin.connections))
    peer.call("ping")
    assert len(daemon.descriptors()) <= before + 1
