"""What the tests of outputs share."""

from __future__ import annotations

import os

from Integration.wire import Json, Peer

MEBIBYTE = 1 << 20


def content(descriptor: int) -> bytes:
    return os.pread(descriptor, 64 * MEBIBYTE, 0)


def fetch_into(peer: Peer, session: str, url: str, descriptor: int, **members: Json) -> Json:
    params = {"session": session, "url": url, "output": {"descriptor": 0}, **members}
    return peer.call("fetch", params, [descriptor])
