"""Uploads whose source changes, has no end, or whose server answers before it has read them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, password, pause
from Support.exchange import Exchange, Script
from Support.guards import BasicGuard
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

MEBIBYTE = 1 << 20
SIZE = 32 * MEBIBYTE


@pytest.fixture
def session(peer: Peer) -> str:
    return peer.open()


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    return path


def upload(peer: Peer, session: str, url: str, source: int, **members: Json) -> int:
    params = {"session": session, "url": url, "method": "PUT", "body": {"descriptor": 0}, **members}
    return peer.request("fetch", params, [source])


def after(count: int, act: Callable[[], None]) -> Script:
    """Reads `count` bytes of the body, does something, and reads the rest."""

    async def script(exchange: Exchange) -> None:
        size = int(exchange.request.header("Content-Length") or 0)
        if exchange.request.header("Expect"):
            await exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        await exchange.connection.read_exactly(count)
        act()
        exchange.request.body = await exchange.connection.read_exactly(size - count)
        await exchange.respond(200, [], b"taken")

    return script


@pytest.mark.threads
def test_a_file_that_shrinks_is_an_error_and_no_short_upload(
    peer: Peer, session: str, origin: ScriptedOrigin, large: Path
) -> None:
    url = origin.serve("/", after(1000, lambda: os.truncate(large, MEBIBYTE)), reply(), reads_body=False)
    with large.open("rb") as file:
        fetch = upload(peer, session, url, file.fileno())
        with pytest.raises(RemoteError) as failure:
            peer.result(fetch)
    assert failure.value.kind == "descriptorUnusable"
    assert failure.value.data["hop"] == "origin"
    origin.faults.clear()  # the server was cut off in the middle, as it should be
    assert peer.fetch(session, origin.serve("/other", reply()))["status"] == 200
    assert len(origin.connections) == 2, "a connection with half a request on it is not used again"


@pytest.mark.threads
def test_a_file_that_grows_is_sent_as_it_was(
    peer: Peer, session: str, origin: ScriptedOrigin, large: Path
) -> None:
    def grow() -> None:
        with large.open("ab") as more:
            more.write(b"more" * 1000)

    url = origin.serve("/", after(1000, grow), reads_body=False)
    with large.open("rb") as file:
        assert peer.result(upload(peer, session, url, file.fileno()))["status"] == 200
    assert origin.requests[0].header("Content-Length") == str(SIZE)


def endless(writer: int, stop: threading.Event) -> threading.Thread:
    def feed() -> None:
        try:
            while not stop.is_set():
                os.write(writer, bytes(65_536))
        except BrokenPipeError:
            pass
        finally:
            os.close(writer)

    thread = threading.Thread(target=feed)
    thread.start()
    return thread


async def swallow(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    await exchange.until_peer_leaves()


@pytest.mark.threads
@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_pipe_without_an_end_ends_with_its_task(
    peer: Peer, session: str, origin: ScriptedOrigin, is_cancelled: bool
) -> None:
    url = origin.serve("/", swallow, reads_body=False)
    reader, writer = os.pipe()
    stop = threading.Event()
    thread = endless(writer, stop)
    try:
        limits = {} if is_cancelled else {"timeouts": {"resourceSeconds": 1}}
        fetch = upload(peer, session, url, reader, task="endless", **limits)
        while not peer.call("task/list", {"session": session})["tasks"]:
            pause()
        assert peer.fetch(session, origin.serve("/other", reply()))["status"] == 200
        if is_cancelled:
            peer.call("task/cancel", {"task": "endless"})
        with pytest.raises(RemoteError) as failure:
            peer.result(fetch)
        assert failure.value.kind == ("taskCancelled" if is_cancelled else "timedOut")
    finally:
        stop.set()
        os.close(reader)
        thread.join()


@pytest.mark.threads
@pytest.mark.parametrize("closes", [True, False])
def test_a_refusal_before_the_body_costs_no_body(
    asked: tuple[Peer, str], origin: ScriptedOrigin, large: Path, closes: bool
) -> None:
    """The server refuses after the head; the file is sent whole after the answer."""
    peer, session = asked
    guard = BasicGuard("staff", USER, PASSWORD)
    received: list[int] = []

    async def script(exchange: Exchange) -> None:
        if guard.passes(exchange.request):
            await exchange.read_body()
            return await exchange.respond(200, [], b"")
        fields = [("WWW-Authenticate", guard.challenges(exchange.request)[0])]
        await exchange.respond(401, [*fields, *([("Connection", "close")] if closes else [])], b"no")
        count = len(exchange.connection.received)
        # To close with bytes unread would reset the connection, and the answer could be lost with it.
        await exchange.until_peer_leaves()
        received.append(len(exchange.connection.received) - count)

    url = origin.serve("/", script, reads_body=False)
    with large.open("rb") as file:
        fetch = upload(peer, session, url, file.fileno())
        peer.answer(peer.challenge(), password(USER, PASSWORD))
        assert peer.result(fetch)["status"] == 200
    assert len(origin.requests[-1].body) == SIZE
    assert received and received[0] < SIZE // 2, "the body was sent although it was refused"


@pytest.mark.threads
@pytest.mark.parametrize("status", [413, 500])
def test_an_answer_before_the_body_is_the_result(
    peer: Peer, session: str, origin: ScriptedOrigin, large: Path, status: int
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.respond(status, [], b"too much")
        await exchange.until_peer_leaves()

    url = origin.serve("/", script, reads_body=False)
    with large.open("rb") as file:
        result = peer.result(upload(peer, session, url, file.fileno()))
    assert (result["status"], result["body"]) == (status, {"text": "too much"})
