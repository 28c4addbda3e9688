"""The libcurl that the daemon loads: the system's."""

from __future__ import annotations

import ctypes
import re


def version() -> tuple[int, ...]:
    """Its version: (7, 88, 1)."""
    library = ctypes.CDLL("libcurl.so.4")
    library.curl_version.restype = ctypes.c_char_p
    found = re.match(rb"libcurl/([0-9]+)\.([0-9]+)\.([0-9]+)", library.curl_version())
    assert found
    return tuple(int(number) for number in found.groups())


#: What a request with a body is sent over where an origin speaks HTTP/1.1 and HTTP/2 (CTransport/README.md).
UPLOAD_PROTOCOL = "http/1.1" if version() < (8, 14, 1) else "h2"
