"""What the tests of server trust share."""

from __future__ import annotations

import pytest

from Integration.wire import Json, Peer, RemoteError
from Support.exchange import Exchange


async def fine(exchange: Exchange) -> None:
    await exchange.respond(200, body=b"fine")


def asked_of_task(peer: Peer) -> Json:
    return peer.notification("task/didReceiveChallenge")


def asked_of_session(peer: Peer) -> Json:
    return peer.notification("session/didReceiveChallenge")


def rejected(peer: Peer, fetch: int) -> Json:
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "serverTrustRejected"
    return caught.value.data
