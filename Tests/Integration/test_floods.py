"""No server may hold the loop: beside every flood others are answered, and the fetch ends with an error."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

import pytest

from Integration.latencies import Latencies
from Integration.wire import Peer, RemoteError
from Support.certificates import Authority
from Support.flooding_origin import FloodingOrigin
from Support.floods import FAULTS, FLOODS, Flood

pytestmark = pytest.mark.core

ENDS = {
    "bodyTooLarge",
    "connectionLost",
    "headersTooLarge",
    "malformedResponse",
    "timedOut",
    "tlsFailed",
    "transportFailed",
}


@pytest.mark.parametrize("flood", FLOODS, ids=lambda flood: f"{flood.layer.value} {flood.name}")
def test_others_are_answered_before_the_flood_ends(
    connect: Callable[[], Peer], authority: Authority, flood: Flood, latencies: Latencies
) -> None:
    peer, beside = connect(), connect()
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    origin = FloodingOrigin(flood, authority.issue("flooding"))
    try:
        # The limit is far below the flood's own, so that it is what ends a fetch that goes on for ever.
        fetch = peer.start_fetch(session, origin.url, output="discard", timeouts={"resourceSeconds": 1})
        origin.wait_until_felt()
        ended = False
        while not ended:
            began = time.monotonic()
            assert beside.call("ping") == {}
            latencies.note(flood, time.monotonic() - began)
            assert not origin.exhausted, "the flood was over before the ping was answered"
            ended = bool(select.select([peer.socket], [], [], 0)[0])
        try:
            kind = f"status {peer.result(fetch)['status']}"
        except RemoteError as error:
            kind = error.kind
        latencies.end(flood, kind, origin.sent)
        assert kind in ENDS or (flood.name in FAULTS and kind == "status 200")
        origin.wait_until_over()
        assert not origin.exhausted, "the connection was left open"
    finally:
        origin.stop()
    assert not origin.faults
