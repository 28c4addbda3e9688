"""No server may hold the loop: beside every flood others are answered, and the fetch ends with an error."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable

import pytest

from Integration.latencies import Latencies
from Integration.wire import Peer, RemoteError
from Support.certificates import Authority
from Support.flooding_origin import FloodingOrigin
from Support.floods import FAULTS, FLOODS, Flood, Layer

pytestmark = pytest.mark.threads

#: For the table of latencies.
TOGETHER = Flood("many at once", Layer.TLS, b"")

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
        kind = _outcome(peer, fetch)
        latencies.end(flood, kind, origin.sent)
        assert _is_an_end(kind, flood)
        origin.wait_until_over()
        assert not origin.exhausted, "the connection was left open"
    finally:
        origin.stop()
    assert not origin.faults


def test_others_are_answered_beside_many_floods_at_once(
    connect: Callable[[], Peer], authority: Authority, latencies: Latencies
) -> None:
    peer, beside = connect(), connect()
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    identity = authority.issue("flooding")
    origins = [FloodingOrigin(flood, identity) for flood in FLOODS[::2]]
    outcomes: list[str] = []
    try:
        fetches = [
            peer.start_fetch(session, origin.url, output="discard", timeouts={"resourceSeconds": 5})
            for origin in origins
        ]
        assert len(fetches) >= 20
        reader = threading.Thread(target=lambda: outcomes.extend(_outcome(peer, fetch) for fetch in fetches))
        reader.start()
        while reader.is_alive():
            began = time.monotonic()
            assert beside.call("ping") == {}
            latencies.note(TOGETHER, time.monotonic() - began)
        for origin, outcome in zip(origins, outcomes, strict=True):
            assert _is_an_end(outcome, origin.flood)
        for origin in origins:
            origin.wait_until_over()
        assert not any(origin.exhausted for origin in origins)
    finally:
        for origin in origins:
            origin.stop()


def _outcome(peer: Peer, fetch: int) -> str:
    """What the fetch ended with."""
    try:
        return f"status {peer.result(fetch)['status']}"
    except RemoteError as error:
        return error.kind


def _is_an_end(outcome: str, flood: Flood) -> bool:
    return outcome in ENDS or (flood.name in FAULTS and outcome == "status 200")
