"""What a server may send for ever: frames, chunks, fields and records that bring a response no further."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from Support import http2_frames as http2
from Support.http2_frames import frame
from Support.tls_records import (
    ALERT,
    APPLICATION_DATA,
    HANDSHAKE,
    NEW_SESSION_TICKET,
    USER_CANCELED,
    RecordWriter,
)

#: How many bytes are handed over at once; whole frames, chunks and fields.
BLOCK_BYTES = 1 << 18


Record = Callable[[RecordWriter], bytes]


class Layer(enum.Enum):
    """Under which layers of the protocol the flood is sent."""

    CLEAR = "clear"
    TLS = "TLS"
    #: The flood consists of records written by hand.
    RECORDS = "records"
    HTTP2 = "h2"


@dataclass(frozen=True)
class Flood:
    """`head` is sent once, `unit` again and again; `record` makes each record of a flood of those."""

    name: str
    layer: Layer
    head: bytes
    unit: bytes = b""
    record: Record | None = None

    @property
    def block(self) -> bytes:
        return self.unit * max(1, BLOCK_BYTES // len(self.unit))


STREAM = 1
RESPONSE = frame(http2.HEADERS, http2.STATUS_200, STREAM, http2.END_HEADERS)
FIELD_FRAME = frame(http2.CONTINUATION, http2.FIELD, STREAM)
OPEN_HEAD = frame(http2.HEADERS, http2.STATUS_200, STREAM)

HTTP2_UNITS = {
    "empty DATA": frame(http2.DATA, stream=STREAM),
    "DATA of padding": frame(http2.DATA, b"\xff" + bytes(255), STREAM, http2.PADDED),
    "DATA of a byte": frame(http2.DATA, b"x", STREAM),
    "PRIORITY": frame(http2.PRIORITY, b"\0\0\0\0\x0f", STREAM),
    "PING": frame(http2.PING, bytes(8)),
    "PING that acknowledges": frame(http2.PING, bytes(8), flags=http2.ACK),
    "SETTINGS": http2.settings(),
    "SETTINGS of many values": http2.settings(*[(4, 65_535), (1, 4_096)] * 1_000),
    "SETTINGS that acknowledge": frame(http2.SETTINGS, flags=http2.ACK),
    "WINDOW_UPDATE of the connection": frame(http2.WINDOW_UPDATE, b"\0\0\0\x01"),
    "WINDOW_UPDATE of the stream": frame(http2.WINDOW_UPDATE, b"\0\0\0\x01", STREAM),
    "GOAWAY": http2.goaway(STREAM),
    "ALTSVC": http2.altsvc(b"clear", b"https://localhost"),
    "ORIGIN": frame(http2.ORIGIN, b"\0\x11https://localhost"),
    "frames of an unknown type": frame(0x42),
    "long frames of an unknown type": frame(0x42, bytes(16_384)),
    "RST_STREAM of other streams": frame(http2.RST_STREAM, b"\0\0\0\x08", STREAM + 2),
    "PUSH_PROMISE": frame(http2.PUSH_PROMISE, b"\0\0\0\x02" + http2.STATUS_200, STREAM, http2.END_HEADERS),
    "informational responses": frame(http2.HEADERS, http2.STATUS_103, STREAM, http2.END_HEADERS),
    "trailers": frame(http2.HEADERS, http2.FIELD, STREAM, http2.END_HEADERS),
}

#: nghttp2 ends the connection at these; libcurl 7.88 then takes a body without length for whole.
FAULTS = {
    "SETTINGS",
    "SETTINGS of many values",
    "SETTINGS that acknowledge",
    "RST_STREAM of other streams",
    "PUSH_PROMISE",
}

#: These come before a response.
EARLY = {"informational responses", "PRIORITY", "GOAWAY", "ALTSVC"}

HEAD = b"HTTP/1.1 200 OK\r\n"
ENDLESS = HEAD + b"Content-Length: 1000000000000\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"

HTTP1_UNITS = {
    "chunks of a byte": (CHUNKED, b"1\r\nx\r\n"),
    "chunks with extensions": (CHUNKED, b"1;a=b\r\nx\r\n"),
    "a chunk extension without end": (CHUNKED + b"1;", b"a=b;"),
    "a chunk size of zeros": (CHUNKED, b"0"),
    "informational responses": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "informational responses with fields": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
    "header fields": (HEAD, b"X: y\r\n"),
    "a header field without end": (HEAD + b"X: ", b"y"),
    "empty lines before the response": (b"", b"\r\n"),
    "trailers": (CHUNKED + b"0\r\n", b"X: y\r\n"),
    "a trailer without end": (CHUNKED + b"0\r\nX: ", b"y"),
}


def _data(content: bytes) -> Record:
    return lambda writer: writer.record(APPLICATION_DATA, content)


RECORDS: dict[str, Record] = {
    "records of a byte": _data(b"x"),
    "empty records": _data(b""),
    "session tickets": lambda writer: writer.record(HANDSHAKE, NEW_SESSION_TICKET),
    "key updates": lambda writer: writer.key_update(),
    "alerts": lambda writer: writer.record(ALERT, USER_CANCELED),
}

FLOODS = [
    *[
        Flood(name, Layer.HTTP2, b"" if name in EARLY else RESPONSE, unit)
        for name, unit in HTTP2_UNITS.items()
    ],
    Flood("empty CONTINUATION", Layer.HTTP2, OPEN_HEAD, frame(http2.CONTINUATION, stream=STREAM)),
    Flood(
        "CONTINUATION with a field", Layer.HTTP2, OPEN_HEAD, frame(http2.CONTINUATION, http2.FIELD, STREAM)
    ),
    *[Flood(name, Layer.CLEAR, head, unit) for name, (head, unit) in HTTP1_UNITS.items()],
    *[
        Flood(name, Layer.TLS, *HTTP1_UNITS[name])
        for name in ("chunks of a byte", "informational responses", "trailers")
    ],
    *[Flood(name, Layer.RECORDS, ENDLESS, record=record) for name, record in RECORDS.items()],
]
