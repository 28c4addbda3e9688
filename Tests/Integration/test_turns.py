"""Connections take turns: what one has asked for is done in steps, between which others are served."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from Integration.wire import Peer

pytestmark = pytest.mark.core

COUNT = 400
STATUS = [{"jsonrpc": "2.0", "id": number, "method": "status"} for number in range(COUNT)]


def test_requests_that_wait_are_all_answered(connect: Callable[[], Peer]) -> None:
    """More than are taken in a step, from a caller that ends its input behind them."""
    peer = connect()
    lines = b"".join(json.dumps(request).encode() + b"\n" for request in STATUS)
    peer.socket.sendall(lines)
    peer.socket.shutdown(1)
    data = b""
    while chunk := peer.socket.recv(1 << 20):
        data += chunk
    assert [json.loads(line)["id"] for line in data.splitlines()] == list(range(COUNT))


def test_a_batch_is_answered_as_a_whole(connect: Callable[[], Peer]) -> None:
    peer = connect()
    peer.socket.sendall(json.dumps(STATUS).encode() + b"\n")
    data = b""
    while not data.endswith(b"]\n"):
        data += peer.socket.recv(1 << 20)
    assert [reply["id"] for reply in json.loads(data)] == list(range(COUNT))
