"""JSON-RPC 2.0 and both framings, malformed and well-formed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import contract
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply, stall_after

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]

VECTORS = json.loads((Path(__file__).parents[1] / "Vectors" / "json_rpc.json").read_text())
PING = {"jsonrpc": "2.0", "id": "still here", "method": "ping"}


def raw_reply(peer: Peer, text: str | bytes, silent: bool = False) -> Json:
    """Sends one line, returns what comes back; a `silent` line may have no reply, a ping marks the end."""
    peer.checked = False
    peer.send_bytes((text.encode() if isinstance(text, str) else text) + b"\n")
    if not silent:
        return peer.next_message()
    peer.send(PING)
    answer = peer.next_message()
    if isinstance(answer, dict) and answer.get("id") == PING["id"]:
        return None
    peer.next_message()
    return answer


def shape(message: Json) -> Json:
    """What has to agree: ids, and the code of an error."""
    if isinstance(message, list):
        return sorted((shape(element) for element in message), key=str)
    if message is None:
        return None
    return (message.get("id"), message["error"]["code"] if "error" in message else "result")


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_a_request_gets_the_reply_of_the_specification(peer: Peer, case: Json) -> None:
    answer = raw_reply(peer, case["send"], silent=None in case["expect"])
    assert shape(answer) in [shape(expected) for expected in case["expect"]]


MALFORMED_TEXT = [
    b"{",
    b'{"jsonrpc":"2.0","id":1,"method":"ping"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping\\u0000"}',
    b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
    b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}',
    b'{"jsonrpc":"2.0","id":1,"method":"\xc0\xaf"}',
    b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping",}',
    b"{'jsonrpc':'2.0'}",
    b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
    b"[" * 100_000,
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + b"[" * 3000 + b"]" * 3000 + b"}}",
]


@pytest.mark.parametrize("text", MALFORMED_TEXT, ids=range(len(MALFORMED_TEXT)))
def test_text_that_is_not_json_is_a_parse_error_and_the_connection_goes_on(peer: Peer, text: bytes) -> None:
    answer = raw_reply(peer, text)
    assert answer["id"] is None
    assert answer["error"]["code"] == -32700
    assert answer["error"]["data"]["kind"] == "parseError"


def test_empty_lines_are_skipped(peer: Peer) -> None:
    assert raw_reply(peer, b"\n\n  \n", silent=True) is None


@pytest.mark.parametrize(
    "text",
    [f'{{"jsonrpc":"2.0","id":{identifier},"method":"ping"}}' for identifier in ("1.5", "1.0", "1e2", "[1]")],
)
def test_an_id_that_is_no_id_is_an_invalid_request(peer: Peer, text: str) -> None:
    answer = raw_reply(peer, text)
    assert (answer["id"], answer["error"]["data"]["kind"]) == (None, "invalidRequest")


@pytest.mark.parametrize("identifier", [0, -1, 2**63 - 1, -(2**63), "", "7", "ä\U0001f600", None, "x" * 1000])
def test_an_id_comes_back_as_it_was(peer: Peer, identifier: Json) -> None:
    text = json.dumps({"jsonrpc": "2.0", "id": identifier, "method": "ping"})
    answer = raw_reply(peer, text)
    assert answer == {"jsonrpc": "2.0", "id": identifier, "result": {}}
    assert type(answer["id"]) is type(identifier)


def test_every_method_refuses_an_unknown_member_with_its_path(peer: Peer) -> None:
    for method in contract.method_names():
        required = {
            param["name"]: "x"
            for entry in contract.document()["methods"]
            if entry["name"] == method
            for param in entry["params"]
            if param.get("required")
        }
        with pytest.raises(RemoteError) as caught:
            peer.call(method, {**required, "misspelt": 1})
        assert caught.value.kind == "invalidParams", method
        if not required:
            assert caught.value.data["path"] == "params.misspelt", method


def test_every_method_refuses_positional_parameters(peer: Peer) -> None:
    for method in contract.method_names():
        answer = raw_reply(peer, json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": [1]}))
        data = answer["error"]["data"]
        assert (data["kind"], data["path"]) == ("invalidParams", "params"), method


@pytest.mark.parametrize("method", ["agent/open", "vault/open", "rpc.foo", "", "Ping"])
def test_a_method_of_another_version_is_not_found(peer: Peer, method: str) -> None:
    assert kind_of(peer.call, method) == "methodNotFound"


def test_a_batch_is_answered_by_one_array(peer: Peer) -> None:
    batch = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(50)]
    answer = raw_reply(peer, json.dumps(batch))
    assert sorted(element["id"] for element in answer) == list(range(50))


def test_a_batch_waits_for_its_slowest_member(peer: Peer, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    batch = [
        {"jsonrpc": "2.0", "id": "f", "method": "fetch", "params": {"url": url}},
        {"jsonrpc": "2.0", "id": "p", "method": "ping"},
        {"jsonrpc": "2.0", "method": "ping"},
        {"jsonrpc": "2.0", "id": "u", "method": "unknown"},
    ]
    peer.checked = False
    peer.send(batch)
    origin.wait_for_requests(1)
    assert peer.call("ping") == {}
    assert peer.others == []
    gate.open()
    answer = peer.next_message()
    assert {element["id"]: "result" in element for element in answer} == {"f": True, "p": True, "u": False}


def test_cancelling_a_request_ends_it_with_request_cancelled(peer: Peer, origin: ScriptedOrigin) -> None:
    fetch = peer.start_fetch(peer.open(), origin.serve("/", stall_after()))
    origin.wait_for_requests(1)
    peer.notify("$/cancelRequest", {"id": fetch})
    assert kind_of(peer.result, fetch) == "requestCancelled"
    origin.wait_until(lambda: not origin.connections[0].open)


def test_cancelling_what_is_done_or_unknown_does_nothing(peer: Peer) -> None:
    request = peer.request("ping")
    peer.result(request)
    peer.notify("$/cancelRequest", {"id": request})
    peer.notify("$/cancelRequest", {"id": "nothing"})
    peer.notify("$/cancelRequest", {})
    peer.notify("$/cancelRequest", [1])
    assert peer.call("ping") == {}
    assert peer.others == []


def test_one_connection_cannot_cancel_the_request_of_another(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    owner, other = connect(), connect()
    gate = origin.gate()
    fetch = owner.start_fetch(owner.open("s"), origin.serve("/", held(gate, reply())))
    origin.wait_for_requests(1)
    other.notify("$/cancelRequest", {"id": fetch})
    other.call("ping")
    gate.open()
    assert owner.result(fetch)["status"] == 200


def test_an_id_that_is_in_use_is_refused_or_answered_twice(peer: Peer, origin: ScriptedOrigin) -> None:
    """The daemon may take it or refuse it, but every request gets one reply."""
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    peer.checked = False
    for _ in range(2):
        peer.send({"jsonrpc": "2.0", "id": "same", "method": "fetch", "params": {"url": url}})
    origin.wait_for_requests(1)
    gate.open()
    answers = [peer.next_message(), peer.next_message()]
    assert [answer["id"] for answer in answers] == ["same", "same"]


# Lines, however they are cut


def test_a_line_may_come_byte_by_byte(peer: Peer) -> None:
    for byte in json.dumps({"jsonrpc": "2.0", "id": "slow", "method": "ping"}).encode() + b"\n":
        peer.send_bytes(bytes([byte]))
    assert peer.next_message()["id"] == "slow"


def test_many_lines_may_come_at_once(peer: Peer) -> None:
    lines = [json.dumps({"jsonrpc": "2.0", "id": f"l{n}", "method": "ping"}) for n in range(500)]
    peer.send_bytes("\n".join(lines).encode() + b"\n")
    assert {peer.next_message()["id"] for _ in lines} == {f"l{n}" for n in range(500)}


def test_carriage_returns_before_the_line_feed_are_white_space(peer: Peer) -> None:
    peer.send_bytes(b'{"jsonrpc":"2.0","id":"cr","method":"ping"}\r\n')
    assert peer.next_message()["id"] == "cr"


@pytest.mark.parametrize("end", [b"", b" \r"])
def test_the_end_of_input_ends_the_last_line(peer: Peer, end: bytes) -> None:
    peer.send_bytes(json.dumps({"jsonrpc": "2.0", "id": "last", "method": "ping"}).encode() + end)
    peer.half_close()
    assert peer.next_message() == {"jsonrpc": "2.0", "id": "last", "result": {}}
    peer.wait_for_end()


def test_the_end_of_input_ends_a_batch(peer: Peer) -> None:
    batch = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(1000)]
    peer.checked = False
    peer.send_bytes(json.dumps(batch).encode())
    peer.half_close()
    assert len(peer.next_message()) == len(batch)
    peer.wait_for_end()


def test_the_last_line_waits_for_those_before_it(peer: Peer) -> None:
    """More than a step takes, with replies of more bytes than may wait to be read."""
    lines = [json.dumps({"jsonrpc": "2.0", "id": n, "method": "rpc.discover"}) for n in range(400)]
    peer.send_bytes("\n".join(lines).encode())
    peer.half_close()
    assert [peer.next_message()["id"] for _ in lines] == list(range(400))
    peer.wait_for_end()


def test_a_descriptor_comes_with_the_last_line(peer: Peer, tmp_path: Path) -> None:
    message = {"jsonrpc": "2.0", "id": "last", "method": "ping", "descriptors": 1}
    with (tmp_path / "file").open("w") as file:
        peer.send_bytes(json.dumps(message).encode(), [file.fileno()])
        peer.half_close()
        assert peer.next_message() == {"jsonrpc": "2.0", "id": "last", "result": {}}
    peer.wait_for_end()


def test_an_id_beyond_64_bits_is_named(peer: Peer) -> None:
    answer = raw_reply(peer, '{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}')
    assert "id 18446744073709551616" in answer["error"]["message"]


@pytest.mark.parametrize("member", ['"params":1', '"unknown":1', '"descriptors":17'])
def test_a_notification_is_never_answered(peer: Peer, member: str) -> None:
    assert raw_reply(peer, f'{{"jsonrpc":"2.0","method":"ping",{member}}}', silent=True) is None


def test_a_half_message_at_the_end_of_input_is_dropped(peer: Peer) -> None:
    peer.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"pi')
    peer.half_close()
    peer.wait_for_end()
    assert all("result" not in message for message in peer.others)


@pytest.mark.parametrize(
    "first",
    [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"POST / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00", b"\0"],
)
def test_another_protocol_is_answered_with_a_parse_error_and_closed(peer: Peer, first: bytes) -> None:
    peer.send_bytes(first)
    message = peer.next_message()
    assert (message["id"], message["error"]["code"]) == (None, -32700)
    peer.wait_for_end()


def test_requests_in_hand_are_answered_after_the_end_of_input(peer: Peer, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    fetch = peer.request("fetch", {"url": origin.serve("/", held(gate, reply()))})
    ping = peer.request("ping")
    peer.half_close()
    origin.wait_for_requests(1)
    gate.open()
    assert peer.result(ping) == {}
    assert peer.result(fetch)["status"] == 200
    peer.wait_for_end()
