"""Heads, lengths and bodies that are cut, lie or never end."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.hostile_origins.scene import outcome
from Integration.wire import Peer, RemoteError, body_of, kind_of, pause
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange, Script
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import (
    OK_BODY,
    byte_by_byte,
    endless,
    endless_headers,
    raw,
    reply,
    reset_after,
)

pytestmark = pytest.mark.core

BROKEN = {
    "malformedResponse",
    "connectionLost",
    "headersTooLarge",
    "transportFailed",
    "contentDecodingFailed",
}
MEBIBYTE = 1 << 20


@pytest.mark.parametrize("status", [200, 201, 204, 205, 299, 304, 400, 404, 418, 500, 503, 599, 999])
def test_every_status_is_a_result(peer: Peer, session: str, origin: ScriptedOrigin, status: int) -> None:
    peer.checked = status < 600
    head = f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode()
    assert outcome(peer, session, origin.serve("/", raw(head))) == status


@pytest.mark.parametrize("line", ["HTTP/1.1", "HTTP/1.1 20 X", "HTTP/1.1 2000 X", "HTTP/1.1 abc X"])
def test_a_status_line_that_is_none_is_malformed(
    peer: Peer, session: str, origin: ScriptedOrigin, line: str
) -> None:
    url = origin.serve("/", raw(f"{line}\r\nContent-Length: 0\r\n\r\n".encode()))
    assert outcome(peer, session, url) in BROKEN


WHOLE = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789"


@pytest.mark.parametrize("line", [b"\r\xff\n", b"\rX: y\r\n", b"\r\r\n"])
def test_nothing_is_delivered_of_a_response_whose_head_ends_in_a_field(
    peer: Peer, session: str, origin: ScriptedOrigin, line: bytes
) -> None:
    """For libcurl a line that begins with a carriage return ends the head, whatever follows it."""
    url = origin.serve("/", raw(b"HTTP/1.1 200 OK\r\nX: y\r\n" + line + b"body\r\n\r\n"))
    assert kind_of(lambda: peer.fetch(session, url, output="stream")) == "malformedResponse"
    assert [note["method"] for note in peer.notifications] == []


def test_a_reset_at_any_byte_is_an_error(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    for count in range(len(WHOLE)):
        assert outcome(peer, session, origin.serve("/", reset_after(WHOLE[:count]))) in BROKEN, count


def test_a_reply_byte_by_byte_is_whole(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    assert body_of(peer.fetch(session, origin.serve("/", byte_by_byte(WHOLE)))) == b"0123456789"


LYING = [
    pytest.param(b"Content-Length: 100\r\n\r\nshort", id="longer than the body"),
    pytest.param(b"Transfer-Encoding: chunked\r\n\r\n5\r\nabc", id="a chunk that ends early"),
    pytest.param(b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n", id="a chunk size that is no number"),
    pytest.param(b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", id="a chunk size too big"),
    pytest.param(b"Content-Length: -5\r\n\r\nabc", id="a negative length"),
]


@pytest.mark.parametrize("rest", LYING)
def test_a_server_that_lies_about_length_is_found_out(
    peer: Peer, session: str, origin: ScriptedOrigin, rest: bytes
) -> None:
    assert outcome(peer, session, origin.serve("/", raw(b"HTTP/1.1 200 OK\r\n" + rest))) in BROKEN


def test_a_lie_after_the_body_does_not_poison_the_next_fetch(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    extra = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
    url = origin.serve("/", raw(extra, close=False), reply())
    assert body_of(peer.fetch(session, url)) == b"ok"
    assert body_of(peer.fetch(session, url)) == OK_BODY


def test_early_hints_and_continue_come_before_the_response(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
    result = peer.fetch(session, origin.serve("/", raw(early * 3 + WHOLE)))
    assert (result["status"], body_of(result)) == (200, b"0123456789")
    assert [name for name, _ in result["headers"]] == ["Content-Type", "Content-Length"]


def test_an_endless_row_of_continues_ends(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    async def script(exchange: Exchange) -> None:
        while True:
            await exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)

    url = origin.serve("/", script)
    assert outcome(peer, session, url, timeouts={"resourceSeconds": 5}) in BROKEN | {"timedOut"}


def test_header_fields_keep_their_order_and_duplicates(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    fields = [("B", "1"), ("A", "2"), ("B", "3"), ("Empty", ""), ("X", "a, b;  c")]
    result = peer.fetch(session, origin.serve("/", reply(headers=fields)))
    assert result["headers"][:5] == [list(field) for field in fields]


def test_headers_without_end_are_too_large(
    daemon: Daemon, peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    before = daemon.resident_bytes()
    assert kind_of(peer.fetch, session, origin.serve("/", endless_headers())) == "headersTooLarge"
    assert daemon.resident_bytes(peak=True) - before < 64 * MEBIBYTE


def test_one_header_without_end_is_too_large(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 4 * MEBIBYTE))
    assert kind_of(peer.fetch, session, url) == "headersTooLarge"


def test_a_body_without_end_is_cut_at_the_inline_limit(
    daemon: Daemon, peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    before = daemon.resident_bytes()
    assert kind_of(peer.fetch, session, origin.serve("/", endless())) == "bodyTooLarge"
    assert daemon.resident_bytes(peak=True) - before < 100 * MEBIBYTE
    origin.wait_until(lambda: not origin.connections[0].open)


def test_a_body_without_end_can_be_cancelled(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    fetch = peer.start_fetch(session, origin.serve("/", endless()), task="t", output="discard")
    while not any(task["bytesReceived"] for task in peer.call("task/list", {"session": session})["tasks"]):
        pause()
    peer.call("task/cancel", {"task": "t"})
    assert kind_of(peer.result, fetch) == "taskCancelled"
    origin.wait_until(lambda: not origin.connections[0].open)


@pytest.mark.parametrize("end", [raw, reset_after], ids=["closed", "reset"])
@pytest.mark.parametrize("count", [3, 8, 17, 25, 36])
def test_a_head_that_is_cut_is_a_lost_connection(
    peer: Peer, origin: ScriptedOrigin, end: Callable[[bytes], Script], count: int
) -> None:
    session = peer.open()
    url = origin.serve("/cut", end(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"[:count]))
    with pytest.raises(RemoteError) as cut:
        peer.fetch(session, url, method="POST")
    assert cut.value.kind == "connectionLost"


def test_a_status_line_that_claims_http2_is_malformed(
    peer: Peer, origins: Callable[..., ScriptedOrigin], tls_context: ssl.SSLContext, authority: Authority
) -> None:
    """libcurl 7.88 believes it, and gives a busy connection to others."""
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    origin = origins(tls_context)
    url = origin.serve("/claim", raw(b"HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\nok", close=False))
    assert kind_of(lambda: peer.fetch(session, url)) == "malformedResponse"
