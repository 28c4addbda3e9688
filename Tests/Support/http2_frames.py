"""HTTP/2 frames (RFC 9113 §4.1) written by hand, so that a test can send those that no library would."""

from __future__ import annotations

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADER_BYTES = 9

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    range(10)
)
ALTSVC, ORIGIN, PRIORITY_UPDATE = 0x0A, 0x0C, 0x10

ACK = END_STREAM = 0x1
END_HEADERS = 0x4
PADDED = 0x8

#: Header blocks (RFC 7541): `:status: 200` is in the static table, `:status: 103` is written out.
STATUS_200 = b"\x88"
STATUS_103 = b"\x08\x03103"
FIELD = b"\x00\x01x\x01y"


def frame(kind: int, payload: bytes = b"", stream: int = 0, flags: int = 0) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(*pairs: tuple[int, int]) -> bytes:
    return frame(SETTINGS, b"".join(struct.pack(">HI", *pair) for pair in pairs))


def goaway(last_stream: int, error: int = 0) -> bytes:
    return frame(GOAWAY, struct.pack(">II", last_stream, error))


def altsvc(value: bytes, origin: bytes = b"", stream: int = 0) -> bytes:
    return frame(ALTSVC, struct.pack(">H", len(origin)) + origin + value, stream)


def request_has_come(data: bytes) -> bool:
    """Whether the bytes of a client hold a preface and a HEADERS frame."""
    position = len(PREFACE)
    while len(data) >= position + HEADER_BYTES:
        length = int.from_bytes(data[position : position + 3], "big")
        if data[position + 3] == HEADERS:
            return True
        position += HEADER_BYTES + length
    return False
