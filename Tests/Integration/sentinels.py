"""The secrets of the tests, all with one mark, so that a leak can be searched for anywhere."""

from __future__ import annotations

import base64

MARK = "sentinel7f3aQ"
USER = "reader"
PASSWORD = f"{MARK}-open"
OTHER_USER = "writer"
OTHER_PASSWORD = f"{MARK}-other"
WRONG_PASSWORD = f"{MARK}-wrong"
TOKEN = f"{MARK}.token"
WRONG_TOKEN = f"{MARK}.stale"


def _inner_base64(shift: int) -> bytes:
    """The mark in base64 when `shift` bytes precede it, without the characters its neighbours change."""
    coded = base64.b64encode(bytes(shift) + MARK.encode())
    return coded[4 if shift else 0 : len(coded) - 4]


#: The mark as it is, and as it looks inside `Basic dXNlcjpw…` wherever it starts.
TRACES = (MARK.encode(), *(_inner_base64(shift) for shift in range(3)))


def traces_in(data: bytes) -> list[bytes]:
    """Which forms of the mark the bytes contain."""
    return [trace for trace in TRACES if trace in data]
