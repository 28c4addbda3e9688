"""The sans-IO core: whole, byte by byte, coalesced, broken."""

from __future__ import annotations

import os
from typing import Any

import pytest

from watchword import InvalidArgument, LimitExceeded, ProtocolError
from watchword._message_limits import MessageLimits
from watchword._protocol import Broken, Event, Notification, Protocol, Reply

REPLY = b'{"jsonrpc":"2.0","id":1,"result":{"text":"gr\xc3\xbc\xc3\x9fe"}}\n'
ERROR = (
    b'{"jsonrpc":"2.0","id":2,"error":{"code":1003,"message":"full","data":{"kind":"limitExceeded","retry":"later"}}}\n'
)
NOTICE = b'{"jsonrpc":"2.0","method":"session/didInvalidate","params":{"session":"s","reason":"idle"}}\n'
STREAM = REPLY + ERROR + b"\r\n" + NOTICE


def check(events: list[Event]) -> None:
    reply, error, notice = events
    assert isinstance(reply, Reply)
    assert reply.id == 1
    assert reply.result == {"text": "grüße"}
    assert isinstance(error, Reply)
    assert isinstance(error.error, LimitExceeded)
    assert isinstance(notice, Notification)
    assert notice.method == "session/didInvalidate"


def test_coalesced_messages_come_apart() -> None:
    check(Protocol().receive(STREAM))


def test_messages_arrive_byte_by_byte() -> None:
    protocol = Protocol()
    check([event for byte in STREAM for event in protocol.receive(bytes([byte]))])


def test_every_split_in_two_gives_the_same() -> None:
    for cut in range(len(STREAM) + 1):
        protocol = Protocol()
        check(protocol.receive(STREAM[:cut]) + protocol.receive(STREAM[cut:]))


@pytest.mark.parametrize(
    "line",
    [
        b"x",
        b"[]",
        b"7",
        b"{}",
        b'{"jsonrpc":"1.0","id":1,"result":1}',
        b'{"jsonrpc":"2.0","id":"1","result":1}',
        b'{"jsonrpc":"2.0","id":1.0,"result":1}',
        b'{"jsonrpc":"2.0","id":true,"result":1}',
        b'{"jsonrpc":"2.0","id":null,"result":1}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}',
        b'{"jsonrpc":"2.0","id":1,"error":"no"}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"x"}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ask","params":{}}',
        b'{"jsonrpc":"2.0","method":5}',
        b'{"jsonrpc":"2.0","id":1,"result":NaN}',
        b'{"jsonrpc":"2.0","id":1,"result":"\xff"}',
        b'{"jsonrpc":"2.0","id":1,"result":"\\ud800"}',
        b'{"jsonrpc":"2.0","id":1,"result":1} {}',
        b'{"jsonrpc":"2.0","id":1,"result":' + b"9" * 5000 + b"x}",
        b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":1,"result":{},"descriptors":1}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"descriptors":-1}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"descriptors":17}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"descriptors":"1"}',
    ],
)
def test_a_line_that_is_no_message_breaks_the_stream_after_what_came_before(line: bytes) -> None:
    for data in (line + b"\n" + REPLY, REPLY + line + b"\n" + REPLY):
        protocol = Protocol()
        events = protocol.receive(data)
        assert isinstance(events[-1], Broken)
        assert isinstance(events[-1].error, ProtocolError)
        assert len(events) == (2 if data.startswith(REPLY) else 1)
        assert protocol.receive(REPLY) == []


def test_surrogate_pairs_are_characters() -> None:
    (event,) = Protocol().receive(b'{"jsonrpc":"2.0","id":1,"result":"\\ud83d\\ude00"}\n')
    assert isinstance(event, Reply)
    assert event.result == "\N{GRINNING FACE}"


def test_a_message_over_the_limit_breaks_the_stream() -> None:
    protocol = Protocol(maximum_message_bytes=100)
    assert protocol.receive(b"[" * 100) == []
    assert isinstance(protocol.receive(b"[")[0], Broken)


def test_the_end_within_a_message_is_an_error() -> None:
    protocol = Protocol()
    protocol.receive(REPLY + b'{"json')
    assert isinstance(protocol.end(), ProtocolError)
    assert Protocol().end() is None


def pipes(count: int) -> list[int]:
    made = []
    for _ in range(count):
        reading, writing = os.pipe()
        os.close(writing)
        made.append(reading)
    return made


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def test_descriptors_go_to_the_messages_that_announce_them_in_order() -> None:
    one = b'{"jsonrpc":"2.0","descriptors":1,"id":1,"result":{}}\n'
    two = b'{"jsonrpc":"2.0","descriptors":2,"id":2,"result":{}}\n'
    first, second, third = pipes(3)
    protocol = Protocol()
    assert protocol.receive(one[:1], [first]) == []
    events = protocol.receive(one[1:] + two[:5], [second, third]) + protocol.receive(two[5:])
    got = [list(event.descriptors) for event in events if isinstance(event, Reply)]
    assert got == [[first], [second, third]]
    for descriptor in (first, second, third):
        os.close(descriptor)


def test_unclaimed_descriptors_are_closed() -> None:
    (first,), (second,) = pipes(1), pipes(1)
    protocol = Protocol()
    protocol.receive(REPLY, [first])
    assert not is_open(first)
    protocol.receive(REPLY[:4], [second])
    assert is_open(second)
    protocol.end()
    assert not is_open(second)


def test_descriptors_of_a_broken_message_are_closed() -> None:
    (first,) = pipes(1)
    assert isinstance(
        Protocol().receive(b'{"jsonrpc":"2.0","descriptors":1,"id":"x","result":1}\n', [first])[0], Broken
    )
    assert not is_open(first)


def test_requests_are_one_line_each_with_rising_ids() -> None:
    protocol = Protocol()
    assert protocol.request("ping", {}) == (1, b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}\n')
    assert protocol.request("a", {"b": "c\nd"}, 2) == (
        2,
        b'{"jsonrpc":"2.0","descriptors":2,"id":2,"method":"a","params":{"b":"c\\nd"}}\n',
    )
    assert protocol.notification("$/cancelRequest", {"id": 2}) == (
        b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}\n'
    )


@pytest.mark.parametrize("value", [float("nan"), {"a": b"x"}, {"a": "\0"}, {"a": "\ud800"}, [["\0"]], object()])
def test_what_the_daemon_would_hang_up_on_is_refused_here(value: Any) -> None:
    with pytest.raises(InvalidArgument):
        Protocol().request("a", value)


def test_an_escaped_backslash_is_no_nul() -> None:
    assert Protocol().request("a", {"b": "\\u0000"})[1].endswith(b'{"b":"\\\\u0000"}}\n')


def test_deep_arguments_are_refused_here() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(InvalidArgument):
        Protocol().request("a", value)


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        2**63,
        -(2**63) - 1,
        [2**64],
        {"a": 10**40},
        nested(64),
        {"a": "x" * (1 << 20)},
        list(range(100_000)),
        [[]] * 99_999,
    ],
    ids=["2^63", "-2^63-1", "2^64", "10^40", "levels", "bytes", "elements", "containers"],
)
def test_what_the_daemon_cannot_read_is_refused_here(value: Any) -> None:
    """It would answer with an error that belongs to no request, which ends every other call."""
    protocol = Protocol()
    with pytest.raises(InvalidArgument):
        protocol.request("a", value)
    assert protocol.request("ping", {})[1].endswith(b'"method":"ping","params":{}}\n')


@pytest.mark.parametrize(
    "value",
    [
        2**63 - 1,
        -(2**63),
        1e300,
        1.2345678901234567890,
        12345678901234567000.0,
        "9" * 40,
        "[{" * 100,
        nested(62),
        [0] * 99_990,
    ],
)
def test_what_the_daemon_can_read_is_sent(value: Any) -> None:
    Protocol().request("a", {"value": value})


def test_the_limits_are_those_of_the_greeting() -> None:
    protocol = Protocol()
    protocol.limits = MessageLimits({"messageBytes": 60, "nesting": 3, "elements": 6})
    values: list[Any] = [{"a": "x" * 60}, [[[]]], [1, 2, 3]]
    for value in values:
        with pytest.raises(InvalidArgument):
            protocol.request("a", value)
    protocol.request("a", {"b": []})


def test_more_descriptors_than_a_message_carries_are_refused_here() -> None:
    with pytest.raises(InvalidArgument):
        Protocol().request("a", {}, 17)
