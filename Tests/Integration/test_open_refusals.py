"""Refusals whose bodies stay open, as those of cameras do (challenges.md 4.6)."""

from __future__ import annotations

import pytest

from Integration.wire import Peer, password
from Support.exchange import Exchange, Script, head
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, reply

CHALLENGE = 'Basic realm="camera"'
#: Less than a body is read for.
SOON = {"resourceSeconds": 3}


def stays_open(length: list[tuple[str, str]], body: bytes) -> Script:
    async def refuse(exchange: Exchange) -> None:
        await exchange.send(head(401, [("WWW-Authenticate", CHALLENGE), *length]) + body)
        await exchange.until_peer_leaves()

    return refuse


OPEN = [
    stays_open([("Content-Length", "100")], b"who goes"),
    stays_open([("Content-Length", "100")], b""),
    stays_open([("Transfer-Encoding", "chunked")], b"4\r\nwho \r\n"),
    stays_open([], b"who goes"),
]


@pytest.mark.parametrize("refusal", OPEN, ids=["cut", "empty", "chunked", "endless"])
def test_an_open_refusal_asks_and_is_answered_on_another_connection(
    peer: Peer, origin: ScriptedOrigin, refusal: Script
) -> None:
    session = peer.open(tasks=["basic"])
    fetch = peer.start_fetch(session, origin.serve("/", refusal, reply()), timeouts=SOON)
    peer.answer(peer.challenge(), password("viewer", "sentinel-camera"))
    assert peer.result(fetch)["status"] == 200


@pytest.mark.parametrize("refusal", OPEN, ids=["cut", "empty", "chunked", "endless"])
def test_an_open_refusal_gets_the_credential_that_is_known(
    peer: Peer, origin: ScriptedOrigin, refusal: Script
) -> None:
    session = peer.open(tasks=["basic"])
    known = peer.start_fetch(session, origin.serve("/a/b/", challenged(CHALLENGE), reply()))
    peer.answer(peer.challenge(), password("viewer", "sentinel-camera"))
    assert peer.result(known)["status"] == 200
    assert peer.fetch(session, origin.serve("/c/", refusal, reply()), timeouts=SOON)["status"] == 200
    assert len(origin.requests_to("/c/")) == 2
