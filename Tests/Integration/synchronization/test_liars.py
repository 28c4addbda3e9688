"""Endpoints that speak no etcd, or lie: they are left after a bounded time, and no request waits for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from Integration.sentinels import OTHER_USER, USER
from Integration.synchronization.scene import Fleet, keep, shared, users
from Integration.wire import Json
from Support.etcd import Etcd
from Support.exchange import Exchange, head
from Support.scripted_origin import ScriptedOrigin

MakeFleet = Callable[[Etcd], Fleet]


def reply(value: Json) -> bytes:
    return json.dumps(value).encode()


EMPTY = reply({"header": {"revision": "5"}})
CREATED = reply({"result": {"header": {"revision": "5"}, "watch_id": "1", "created": True}}) + b"\n"


@pytest.mark.parametrize(
    ("page", "line", "fault"),
    [
        (b"<html>", b"", "malformed"),
        (b'{"header":{"revision":"5"},"kvs":[{', b"", "malformed"),
        (reply({"header": {"revision": "-1"}}), b"", "malformed"),
        (reply({"kvs": [{"key": "%%%"}]}), b"", "malformed"),
        (EMPTY, b"no line\n", "malformed"),
        (EMPTY, CREATED + b'{"result":{"watch_id":"9","header":{"revision":"6"}}}\n', "malformed"),
        (EMPTY, CREATED, "unreachable"),
        (EMPTY, CREATED + b'{"result":{"events":[', "unreachable"),
        (EMPTY, reply({"result": {"watch_id": "1", "canceled": True}}) + b"\n", "refused"),
        (EMPTY, CREATED + b" " * (17 * 1024 * 1024), "tooLarge"),
    ],
)
def test_a_store_that_lies_is_left(
    fleet: Fleet, origin: ScriptedOrigin, page: bytes, line: bytes, fault: str
) -> None:
    async def answer(exchange: Exchange) -> None:
        body = page if exchange.request.target == "/v3/kv/range" else line
        await exchange.respond(200, [("Content-Type", "application/json")], body)

    for path in ("/v3/kv/range", "/v3/watch"):
        origin.serve(path, answer)
    host = fleet.host(endpoints=[origin.url])
    host.wait(lambda status: status["synchronization"]["lastError"] == fault)
    keep(host.peer, shared())
    assert users(host.peer) == [USER]
    # It is kept for a store that does not lie.
    assert host.status["pending"] == 1


def test_a_write_whose_reply_is_lost_is_done_once(fleet: Fleet, origin: ScriptedOrigin) -> None:
    """etcd gets every request; the first write has no reply, and the second finds what it wrote."""
    written: list[Json] = []
    streams = 0

    async def relay(exchange: Exchange) -> None:
        asked = json.loads(exchange.request.body)
        method = exchange.request.target.removeprefix("/v3/")
        answer = await asyncio.to_thread(fleet.etcd.call, method, asked)
        if method == "kv/txn":
            written.append(answer.get("succeeded", False))
            if len(written) == 1:
                return await exchange.until_peer_leaves()
        await exchange.respond(200, [("Content-Type", "application/json")], reply(answer))

    async def watch(exchange: Exchange) -> None:
        nonlocal streams
        streams += 1
        # Of a store that is older than what was read, everything would be read again.
        created = CREATED.replace(b'"5"', b'"1000000"')
        await exchange.send(head(200, [("Transfer-Encoding", "chunked")]))
        await exchange.send(f"{len(created):x}\r\n".encode() + created + b"\r\n")
        await exchange.until_peer_leaves()

    for method in ("kv/range", "kv/txn"):
        origin.serve(f"/v3/{method}", relay)
    origin.serve("/v3/watch", watch)
    host = fleet.ready(endpoints=[origin.url])
    keep(host.peer, shared())
    host.wait_for("watching")
    assert written == [True, False]
    assert len(fleet.records) == 1
    # The stream was not left, and the next write goes through at once.
    assert (streams, host.peer.call("status")["counters"]["synchronization.faults"]) == (1, 1)
    keep(host.peer, shared(OTHER_USER), default=False)
    host.wait_for("watching")
    assert written == [True, False, True]
    assert users(host.peer) == sorted([USER, OTHER_USER])


def test_a_liar_is_followed_by_the_next_endpoint(fleet: Fleet, origin: ScriptedOrigin) -> None:
    host = fleet.ready(endpoints=[origin.url, *fleet.etcd.endpoints])
    keep(host.peer, shared())
    host.wait_for("watching")
    assert host.status["endpoint"].rstrip("/") in fleet.etcd.endpoints
