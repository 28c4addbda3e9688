"""Every odd reply has one outcome, whatever the session and its connections have been through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError
from Support.exchange import Exchange, Script
from Support.http_replies import ODD_REPLIES, OddReply
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import raw, reply

pytestmark = pytest.mark.core

BROKEN = {
    "malformedResponse",
    "connectionLost",
    "headersTooLarge",
    "transportFailed",
    "contentDecodingFailed",
    "timedOut",
}

#: How much of a reply is sent in pieces of a byte, so that the longest ones come to an end.
BYTE_BY_BYTE = 4096
LONGER_PIECES = 1024


def in_pieces(odd: OddReply) -> Script:
    first, rest = odd.data[:BYTE_BY_BYTE], odd.data[BYTE_BY_BYTE:]
    pieces = [first[index : index + 1] for index in range(len(first))]
    pieces += [rest[index : index + LONGER_PIECES] for index in range(0, len(rest), LONGER_PIECES)]

    async def script(exchange: Exchange) -> None:
        for piece in pieces:
            await exchange.send(piece)
            await asyncio.sleep(0)
        if odd.closes:
            await exchange.close()

    return script


CHALLENGE = ("WWW-Authenticate", 'Basic realm="r"')

#: What follows is on another connection.
CLOSE = ("Connection", "close")

#: What comes before the odd reply: scripts of fetches of their own, then of the same fetch.
WAYS: dict[str, tuple[list[Script], list[Script]]] = {
    "fresh": ([], []),
    "warm": ([reply(), reply()], []),
    "warm, on a new connection": ([reply(), reply(headers=[CLOSE])], []),
    "after a 401": ([], [reply(401, headers=[CHALLENGE])]),
    "after a 401, on a new connection": ([], [reply(401, headers=[CHALLENGE, CLOSE])]),
    "warm, after a 401": ([reply()], [reply(401, headers=[CHALLENGE])]),
}


def outcome(peer: Peer, fetch: int) -> Json:
    """The status with header fields and body, or the kind of the error."""
    try:
        result = peer.result(fetch)
    except RemoteError as error:
        return error.kind
    return {key: result[key] for key in ("status", "headers", "body")}


@pytest.fixture
def start(peer: Peer, origin: ScriptedOrigin) -> Callable[[str, str, Script], int]:
    """Makes a session, sends it what comes first, and starts the fetch of the odd reply."""
    space = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": origin.port,
        "realm": "r",
        "authenticationMethod": "basic",
    }

    def make(name: str, way: str, script: Script) -> int:
        before, same = WAYS[way]
        session = peer.open(configuration={"redirects": {"policy": "manual"}})
        credential = {"user": USER, "password": PASSWORD}
        peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
        path = "/" + name.replace(",", "").replace(" ", "-")
        url = origin.serve(path, *before, *same, script)
        for _ in before:
            assert peer.fetch(session, url)["status"] == 200
        return peer.start_fetch(session, url, timeouts={"requestSeconds": 2})

    return make


@pytest.mark.parametrize("odd", ODD_REPLIES, ids=lambda odd: odd.name)
def test_an_odd_reply_ends_as_it_should(
    peer: Peer, start: Callable[[str, str, Script], int], odd: OddReply
) -> None:
    peer.checked = False
    fetches: dict[str, int] = {}
    for way in WAYS:
        fetches[way] = start(way, way, raw(odd.data, close=odd.closes))
        fetches[f"{way}, in pieces"] = start(f"{way}, in pieces", way, in_pieces(odd))
    outcomes = {way: outcome(peer, fetch) for way, fetch in fetches.items()}
    expected = outcomes["fresh"]
    assert {way: found for way, found in outcomes.items() if found != expected} == {}, expected
    if odd.succeeds is not None:
        assert isinstance(expected, dict) if odd.succeeds else expected in BROKEN
    assert peer.call("ping") == {}
