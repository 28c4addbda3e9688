"""The protocol without I/O: bytes and descriptors in, events out; requests in, bytes out.

One JSON value per line. Descriptors arrive beside the bytes, no later than the first byte of the message
that says ``"descriptors": n``; they are handed to that message in order of arrival.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Union

from ._errors import InvalidArgument, ProtocolError, RPCError, error_from_wire
from ._json import decode, encode, quote
from ._message_limits import MessageLimits

__all__ = ["Broken", "Event", "Notification", "Protocol", "Reply", "close_descriptors"]

#: An inline body is at most 8 MiB by default and JSON escapes make six bytes of one at worst.
MAXIMUM_MESSAGE_BYTES = 128 << 20
#: The protocol's own limit for one message.
MAXIMUM_DESCRIPTORS = 16


class Reply:
    """The answer to request ``id``; an id of None is an error that belongs to no request."""

    __slots__ = ("descriptors", "error", "id", "result")

    def __init__(self, id: int | None, result: Any, error: RPCError | None, descriptors: Sequence[int]) -> None:
        self.id = id
        self.result = result
        self.error = error
        self.descriptors = descriptors


class Notification:
    """A message of the daemon that wants no answer (as JSON-RPC; a challenge wants its own)."""

    __slots__ = ("descriptors", "method", "params")

    def __init__(self, method: str, params: Any, descriptors: Sequence[int] = ()) -> None:
        self.method = method
        self.params = params
        self.descriptors = descriptors


class Broken:
    """The stream cannot be understood from here on; always the last event."""

    __slots__ = ("error",)

    def __init__(self, error: ProtocolError) -> None:
        self.error = error


Event = Union[Reply, Notification, Broken]


class Protocol:
    """Framing and JSON-RPC for one connection."""

    __slots__ = ("_broken", "_buffer", "_descriptors", "_last_id", "_maximum", "_searched", "limits")

    def __init__(self, maximum_message_bytes: int = MAXIMUM_MESSAGE_BYTES) -> None:
        self.limits = MessageLimits()
        self._last_id = 0
        self._buffer = bytearray()
        self._searched = 0
        self._descriptors: deque[int] = deque()
        self._maximum = maximum_message_bytes
        self._broken = False

    def request(self, method: str, params: Any, descriptor_count: int = 0) -> tuple[int, bytes]:
        """A new request: its id and its line."""
        return self.encoded_request(method, encode(params), descriptor_count)

    def encoded_request(self, method: str, params: str, descriptor_count: int = 0) -> tuple[int, bytes]:
        """The same for parameters that are JSON text already."""
        self._last_id += 1
        if descriptor_count:
            if descriptor_count > MAXIMUM_DESCRIPTORS:
                raise InvalidArgument(f"at most {MAXIMUM_DESCRIPTORS} descriptors a message")
            head = f'{{"jsonrpc":"2.0","descriptors":{descriptor_count},"id":{self._last_id},"method":'
        else:
            head = f'{{"jsonrpc":"2.0","id":{self._last_id},"method":'
        return self._last_id, self._line(f'{head}{quote(method)},"params":{params}}}\n')

    def notification(self, method: str, params: Any) -> bytes:
        """A message that gets no reply."""
        return self._line(f'{{"jsonrpc":"2.0","method":{encode(method)},"params":{encode(params)}}}\n')

    def _line(self, text: str) -> bytes:
        try:
            line = text.encode()
        except UnicodeEncodeError:
            raise InvalidArgument("lone surrogates cannot be sent") from None
        self.limits.check(text, len(line))
        return line

    def receive(self, data: bytes, descriptors: Iterable[int] = ()) -> list[Event]:
        """What the bytes complete. Takes the descriptors; those that no message claims are closed."""
        if descriptors:
            self._descriptors.extend(descriptors)
        if self._broken:
            self.close()
            return []
        events: list[Event] = []
        try:
            if not self._buffer and len(data) > 1 and data.find(b"\n") == len(data) - 1:
                events.append(self._message(data))  # the usual case: one whole message
            else:
                self._receive_parts(data, events)
        except ProtocolError as error:
            self._broken = True
            self._buffer.clear()
            events.append(Broken(error))
        if self._descriptors and not self._buffer:
            self.close()
        return events

    def _receive_parts(self, data: bytes, events: list[Event]) -> None:
        self._buffer += data
        start = 0
        while True:
            end = self._buffer.find(b"\n", max(start, self._searched))
            if end < 0:
                break
            line = bytes(self._buffer[start : end + 1])
            start = end + 1
            if line.strip():
                events.append(self._message(line))
        del self._buffer[:start]
        self._searched = len(self._buffer)
        if len(self._buffer) > self._maximum:
            raise ProtocolError("the daemon sent a message over the size limit")

    def end(self) -> ProtocolError | None:
        """The daemon closed its side; an error when that was in the middle of a message."""
        half = bool(self._buffer) and not self._broken
        self._broken = True
        self.close()
        return ProtocolError("the daemon closed the connection within a message") if half else None

    def close(self) -> None:
        """Closes the descriptors that no message claimed."""
        close_descriptors(self._descriptors)
        self._descriptors.clear()

    def _message(self, line: bytes) -> Event:
        message = decode(line)
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise ProtocolError("the daemon sent a message that is no JSON-RPC 2.0")
        descriptors = self._claim(message["descriptors"]) if "descriptors" in message else ()
        try:
            return _event(message, descriptors)
        except ProtocolError:
            close_descriptors(descriptors)
            raise

    def _claim(self, count: Any) -> Sequence[int]:
        if type(count) is not int or not 0 <= count <= MAXIMUM_DESCRIPTORS:
            raise ProtocolError("the daemon announced an impossible number of descriptors")
        if count > len(self._descriptors):
            raise ProtocolError("the daemon announced descriptors that did not come")
        return [self._descriptors.popleft() for _ in range(count)]


def _event(message: dict[str, Any], descriptors: Sequence[int]) -> Event:
    id = message.get("id")
    if "method" in message:
        method = message["method"]
        if "id" in message or not isinstance(method, str):
            raise ProtocolError("the daemon sent a request instead of a notification")
        return Notification(method, message.get("params"), descriptors)
    if "result" in message:
        if type(id) is not int or "error" in message:
            raise ProtocolError("the daemon sent a reply without a proper id")
        return Reply(id, message["result"], None, descriptors)
    if "error" in message and (id is None or type(id) is int):
        return Reply(id, None, _error(message["error"]), descriptors)
    raise ProtocolError("the daemon sent a message that is neither reply nor notification")


def _error(value: Any) -> RPCError:
    if isinstance(value, dict):
        code, message, data = value.get("code"), value.get("message"), value.get("data")
        if type(code) is int and isinstance(message, str):
            return error_from_wire(code, message, data if isinstance(data, dict) else None)
    raise ProtocolError("the daemon sent an error without code and message")


def close_descriptors(descriptors: Iterable[int]) -> None:
    """Closes descriptors that are not used."""
    for descriptor in descriptors:
        os.close(descriptor)
