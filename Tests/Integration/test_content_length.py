"""Messages in Content-Length frames, and what is neither a frame nor a line."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable

import pytest

from Integration.wire import Closed, Peer
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]

PING = {"jsonrpc": "2.0", "id": "still here", "method": "ping"}


def framed(text: str) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(text.encode()), text.encode())


PING_TEXT = json.dumps({"jsonrpc": "2.0", "id": "é世", "method": "ping"}, ensure_ascii=False)


WELL_FRAMED = [
    framed(PING_TEXT),
    framed(PING_TEXT).replace(b"Content-Length", b"Content-length"),
    framed(PING_TEXT).replace(b"Length: ", b"Length: 00"),
    framed(PING_TEXT).replace(b"\r\n\r\n", b"\r\nContent-Type: x; charset=utf-8\r\n\r\n"),
    b"Content-Type: application/json\r\n" + framed(PING_TEXT),
    framed(PING_TEXT).replace(b"Length: ", b"Length:"),
]


@pytest.mark.parametrize("data", WELL_FRAMED, ids=range(len(WELL_FRAMED)))
@pytest.mark.parametrize("bytewise", [False, True], ids=["whole", "byte by byte"])
def test_content_length_frames_are_understood(connect: Connect, data: bytes, bytewise: bool) -> None:
    peer = connect(framing="length", checked=False)
    for piece in [bytes([byte]) for byte in data] if bytewise else [data]:
        peer.send_bytes(piece)
    assert peer.next_message() == {"jsonrpc": "2.0", "id": "é世", "result": {}}


def test_a_whole_conversation_in_content_length_frames(connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect(framing="length")
    session = peer.open()
    assert peer.fetch(session, origin.serve("/", reply()))["status"] == 200
    peer.send_bytes(framed(PING_TEXT) + framed(PING_TEXT))
    assert [peer.next_message()["id"] for _ in range(2)] == ["é世", "é世"]


@pytest.mark.parametrize("text", ["", "{", '{"id":1,"id":2}', '{"method":"\\ud800"}', "hi"])
def test_bad_json_in_a_good_frame_is_a_parse_error_and_the_connection_goes_on(
    connect: Connect, text: str
) -> None:
    peer = connect(framing="length", checked=False)
    peer.send_bytes(framed(text) + framed(PING_TEXT))
    refused, answered = peer.next_message(), peer.next_message()
    assert (refused["id"], refused["error"]["code"]) == (None, -32700)
    assert answered == {"jsonrpc": "2.0", "id": "é世", "result": {}}


REQUEST = b"\r\nHost: localhost\r\n\r\n" + PING_TEXT.encode() + b"\n"


@pytest.mark.parametrize(
    "text",
    [
        framed(PING_TEXT).lower(),
        b"POST / HTTP/1.1" + REQUEST,
        b"trace / HTTP/1.1" + REQUEST,
        b"null / HTTP/1.1" + REQUEST,
        b"1 / HTTP/1.1" + REQUEST,
        b"\x16\x03\x01\x02\x00\n" + PING_TEXT.encode() + b"\n",
        b"'f\n" + PING_TEXT.encode() + b"\n",
    ],
)
def test_a_connection_that_begins_with_anything_else_is_closed(connect: Connect, text: bytes) -> None:
    peer = connect(checked=False)
    peer.send_bytes(text)
    peer.wait_for_end()
    assert [message["error"]["code"] for message in peer.others] == [-32700]


@pytest.mark.parametrize("text", ["1", "-0.5", "null", "true", "false", '"ping"', "\t 1"])
def test_json_that_is_no_message_is_an_invalid_request_on_the_first_line_too(
    connect: Connect, text: str
) -> None:
    peer = connect(checked=False)
    peer.send_bytes(f"{text}\n{PING_TEXT}\n".encode())
    refused, answered = peer.next_message(), peer.next_message()
    assert (refused["id"], refused["error"]["code"]) == (None, -32600)
    assert answered == {"jsonrpc": "2.0", "id": "é世", "result": {}}


BADLY_FRAMED = [
    b"Content-Length: -1\r\n\r\nhi",
    b"Content-Length: 99999999999999999999\r\n\r\nhi",
    b"Content-Length: 18446744073709551617\r\n\r\nhi",
    b"Content-Length: 0x10\r\n\r\nhi",
    b"Content-Length: asdf\r\n\r\nhi",
    b"Content-Length: 1 1\r\n\r\nhi",
    b"Content-Length\r\n\r\nhi",
    b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!",
    b"Content-Type: x\r\n\r\nhi",
    b"C" * 100_000,
    b"Content-Length: 1048577\r\n\r\n",
]


@pytest.mark.parametrize("data", BADLY_FRAMED, ids=range(len(BADLY_FRAMED)))
def test_a_framing_fault_closes_the_connection(connect: Connect, data: bytes) -> None:
    peer, other = connect(framing="length", checked=False), connect()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        peer.send_bytes(data)
    peer.wait_for_end()
    assert all(message["error"]["code"] in (-32700, 1005, -32600) for message in peer.others)
    assert other.call("ping") == {}


def test_a_frame_cut_off_by_the_end_of_input_is_dropped(connect: Connect) -> None:
    peer = connect(framing="length", checked=False)
    peer.send_bytes(b'Content-Length: 10\r\n\r\n{"a"')
    peer.half_close()
    try:
        peer.next_message()
    except Closed:
        return
    peer.wait_for_end()
