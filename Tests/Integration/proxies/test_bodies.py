"""Bodies on the way through a proxy that asks before it reads them (RFC 9110 §10.1.1)."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER, basic, open_through
from Integration.wire import Json, Peer, kind_of, password
from Support.exchange import Exchange, Script
from Support.scripted_origin import ScriptedOrigin

Connect = Callable[..., Peer]

URL = "http://intranet.test/upload"
PROXY = password(PROXY_USER, PROXY_PASSWORD)
CHALLENGE = [("Proxy-Authenticate", 'Basic realm="corp"')]


async def ask(exchange: Exchange) -> None:
    """Refuses the head, and has read nothing of the body."""
    await exchange.respond(407, CHALLENGE, b"the proxy's page")


async def ask_and_close(exchange: Exchange) -> None:
    await exchange.respond(407, [*CHALLENGE, ("Connection", "close")], b"the proxy's page")
    await exchange.close()


async def take(exchange: Exchange) -> None:
    assert exchange.request.header("Proxy-Authorization") == basic(PROXY_USER, PROXY_PASSWORD)
    body = await exchange.read_body()
    await exchange.respond(200, body=str(len(body)).encode())


def pipe_with(data: bytes) -> int:
    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    return reader


@pytest.mark.parametrize("refusal", [ask, ask_and_close])
def test_a_pipe_is_not_read_before_the_proxy_is_satisfied(
    connect: Connect, origin: ScriptedOrigin, refusal: Script
) -> None:
    origin.serve(URL, refusal, take, reads_body=False)
    peer = connect()
    session = open_through(peer, origin.url, "basic")
    reader = pipe_with(b"x" * 10_000)
    params: Json = {"session": session, "url": URL, "method": "PUT", "body": {"descriptor": 0}}
    fetch = peer.request("fetch", params, [reader])
    os.close(reader)
    peer.answer(peer.challenge(), PROXY)
    result = peer.result(fetch)
    assert (result["status"], result["body"]["text"]) == (200, "10000")
    assert [request.header("Expect") for request in origin.requests] == ["100-continue"] * 2
    assert [len(request.body) for request in origin.requests] == [0, 10_000]


def test_a_pipe_that_has_begun_is_not_replayed_for_a_proxy(connect: Connect, origin: ScriptedOrigin) -> None:
    async def read_and_ask(exchange: Exchange) -> None:
        await exchange.read_body()
        await ask(exchange)

    origin.serve(URL, read_and_ask, take, reads_body=False)
    peer = connect()
    session = open_through(peer, origin.url, "basic")
    reader = pipe_with(b"x" * 10_000)
    params: Json = {"session": session, "url": URL, "method": "PUT", "body": {"descriptor": 0}}
    fetch = peer.request("fetch", params, [reader])
    os.close(reader)
    peer.answer(peer.challenge(), PROXY)
    assert kind_of(peer.result, fetch) == "bodyNotReplayable"


@pytest.mark.parametrize("refusal", [ask, ask_and_close])
def test_a_body_in_memory_is_sent_again_after_an_early_407(
    connect: Connect, origin: ScriptedOrigin, refusal: Script
) -> None:
    async def early(exchange: Exchange) -> None:
        await refusal(exchange)
        if exchange.connection.open:
            exchange.request.body = await exchange.connection.read_exactly(500_000)

    origin.serve(URL, early, take, reads_body=False)
    peer = connect()
    session = open_through(peer, origin.url, "basic")
    fetch = peer.start_fetch(session, URL, method="POST", body={"text": "x" * 500_000})
    peer.answer(peer.challenge(), PROXY)
    result = peer.result(fetch)
    assert (result["status"], result["body"]["text"]) == (200, "500000")
