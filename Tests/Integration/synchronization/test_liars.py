"""Endpoints that speak no etcd, or lie: they are left after a bounded time, and no request waits for them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from Integration.sentinels import USER
from Integration.synchronization.scene import Fleet, keep, shared, users
from Integration.wire import Json
from Support.etcd import Etcd
from Support.exchange import Exchange
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


def test_a_liar_is_followed_by_the_next_endpoint(fleet: Fleet, origin: ScriptedOrigin) -> None:
    host = fleet.ready(endpoints=[origin.url, *fleet.etcd.endpoints])
    keep(host.peer, shared())
    host.wait_for("watching")
    assert host.status["endpoint"].rstrip("/") in fleet.etcd.endpoints
