"""Requests whose connection breaks: repeated only where that is safe (challenges.md 13.10)."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, password
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.guards import BasicGuard
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import raw, reply, reset_after

pytestmark = pytest.mark.core

IDEMPOTENT = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]
OTHERS = ["POST", "PATCH", "SUBSCRIBE"]
BREAK = reset_after(b"")


@pytest.fixture(params=["http", "https"])
def fragile(
    request: pytest.FixtureRequest,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
) -> ScriptedOrigin:
    return origins(tls_context if request.param == "https" else None)


@pytest.fixture
def session(peer: Peer, authority: Authority) -> str:
    return peer.open(tasks=["basic"], configuration={"tls": {"roots": {"certificates": authority.pem}}})


def error_of(peer: Peer, session: str, url: str, **members: Json) -> RemoteError:
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, url, **members)
    return caught.value


@pytest.mark.parametrize("method", IDEMPOTENT)
def test_an_idempotent_request_is_sent_again_on_another_connection(
    peer: Peer, session: str, fragile: ScriptedOrigin, method: str
) -> None:
    warm = fragile.serve("/warm", reply())
    target = fragile.serve("/target", BREAK, reply())
    peer.fetch(session, warm)
    body: Json = {"body": {"text": "new"}} if method == "PUT" else {}
    result = peer.fetch(session, target, method=method, metrics=True, **body)
    assert result["status"] == 200
    first, second = fragile.requests_to("/target")
    assert first.connection != second.connection
    assert first.body == second.body == (b"new" if body else b"")
    # The machine has repeated it, as an exchange of its own.
    assert len(result["metrics"]["exchanges"]) == 2


@pytest.mark.parametrize("method", OTHERS)
def test_another_request_is_executed_once(
    peer: Peer, session: str, fragile: ScriptedOrigin, method: str
) -> None:
    warm = fragile.serve("/warm", reply())
    target = fragile.serve("/target", BREAK, reply())
    peer.fetch(session, warm)
    error = error_of(peer, session, target, method=method, body={"text": "order"})
    assert (error.kind, error.data["processed"]) == ("connectionLost", "unknown")
    assert peer.fetch(session, warm)["status"] == 200
    assert len(fragile.requests_to("/target")) == 1


def test_the_retry_with_credentials_is_executed_once(
    peer: Peer, session: str, fragile: ScriptedOrigin
) -> None:
    guard = BasicGuard("staff", USER, PASSWORD)
    executed: list[str] = []

    async def execute(exchange: Exchange) -> None:
        if guard.passes(exchange.request):
            executed.append(exchange.request.method)
            await exchange.reset()
        else:
            await exchange.respond(401, [("WWW-Authenticate", 'Basic realm="staff"')])

    target = fragile.serve("/target", execute)
    fetch = peer.start_fetch(session, target, method="POST", body={"text": "order"})
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "connectionLost"
    assert executed == ["POST"]


def test_a_new_connection_that_breaks_is_not_tried_again(
    peer: Peer, session: str, fragile: ScriptedOrigin
) -> None:
    target = fragile.serve("/target", BREAK, reply())
    assert error_of(peer, session, target).data["processed"] == "unknown"
    assert len(fragile.requests_to("/target")) == 1


def test_an_origin_that_breaks_every_connection_is_given_up(
    peer: Peer, session: str, fragile: ScriptedOrigin
) -> None:
    """Each repetition finds a connection that has been used."""
    warm = fragile.serve("/warm", reply())
    target = fragile.serve("/target", BREAK)
    peer.fetch(session, warm)
    assert error_of(peer, session, target).kind == "connectionLost"
    assert 1 < len(fragile.requests_to("/target")) < 8


def test_a_response_that_has_begun_is_not_asked_for_again(
    peer: Peer, session: str, fragile: ScriptedOrigin
) -> None:
    warm = fragile.serve("/warm", reply())
    half = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
    target = fragile.serve("/target", reset_after(half), reply())
    peer.fetch(session, warm)
    assert error_of(peer, session, target).data["processed"] == "unknown"
    assert len(fragile.requests_to("/target")) == 1


@pytest.mark.parametrize("warm", [False, True])
def test_a_pipe_goes_out_without_expect_when_that_is_refused(
    peer: Peer, session: str, fragile: ScriptedOrigin, warm: bool
) -> None:
    if warm:
        peer.fetch(session, fragile.serve("/warm", reply()))

    async def refuse(exchange: Exchange) -> None:
        if exchange.request.header("Expect"):
            await exchange.respond(417, body=b"no expectations")
        else:
            body = await exchange.read_body()
            await exchange.respond(200, body=body)

    target = fragile.serve("/target", refuse, reads_body=False)
    reader, writer = os.pipe()
    os.write(writer, b"streamed")
    os.close(writer)
    try:
        call = {"session": session, "url": target, "method": "POST", "body": {"descriptor": 0}}
        result = peer.call("fetch", call, [reader])
    finally:
        os.close(reader)
    assert (result["status"], result["body"]) == (200, {"text": "streamed"})
    assert [request.header("Expect") for request in fragile.requests_to("/target")] == ["100-continue", None]


def test_a_417_that_stays_is_the_result(peer: Peer, session: str, fragile: ScriptedOrigin) -> None:
    async def refuse(exchange: Exchange) -> None:
        if not exchange.request.header("Expect"):
            await exchange.read_body()
        await exchange.respond(417, body=b"never")

    target = fragile.serve("/target", refuse, reads_body=False)
    reader, writer = os.pipe()
    os.close(writer)
    try:
        call = {"session": session, "url": target, "method": "POST", "body": {"descriptor": 0}}
        result = peer.call("fetch", call, [reader])
    finally:
        os.close(reader)
    assert (result["status"], result["body"]) == (417, {"text": "never"})
    assert len(fragile.requests_to("/target")) == 2


def test_a_misdirected_request_takes_another_connection_once(
    peer: Peer, session: str, fragile: ScriptedOrigin
) -> None:
    target = fragile.serve("/target", reply(421), reply(), reply(421))
    assert peer.fetch(session, target, method="POST", body={"text": "x"})["status"] == 200
    first, second = fragile.requests_to("/target")
    assert first.connection != second.connection
    assert peer.fetch(session, target)["status"] == 421
    assert len(fragile.requests_to("/target")) == 4


def test_a_range_is_asked_for_without_codings(peer: Peer, session: str, fragile: ScriptedOrigin) -> None:
    """A part of a coded body cannot be decoded."""
    part = b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-3/9\r\nContent-Length: 4\r\n\r\nhalf"
    target = fragile.serve("/target", raw(part, close=False))
    assert peer.fetch(session, target, headers=[["Range", "bytes=0-3"]])["body"] == {"text": "half"}
    peer.fetch(session, target, headers=[["Range", "bytes=0-3"], ["Accept-Encoding", "br"]])
    offered = [request.all("Accept-Encoding") for request in fragile.requests_to("/target")]
    assert offered == [["identity"], ["br"]]
