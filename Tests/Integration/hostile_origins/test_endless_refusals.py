"""Refusals and redirects whose bodies never end."""

from __future__ import annotations

import base64
import fcntl
import os
import termios

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, body_of, password, pause
from Support.documents import binary
from Support.exchange import Exchange, head
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import (
    OK_BODY,
    endless,
    reply,
    stall_after,
)

pytestmark = pytest.mark.core
MEBIBYTE = 1 << 20
ENDLESS_401 = endless([("WWW-Authenticate", 'Basic realm="r"')], status=401)


def test_a_refusal_without_end_is_asked_about_and_answered(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, origin.serve("/", ENDLESS_401, reply()))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == OK_BODY


def test_a_refusal_without_end_that_is_retried_at_once_is_cut_short(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", ENDLESS_401, reply())
    space = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": origin.port,
        "realm": "r",
        "authenticationMethod": "basic",
    }
    credential = {"user": USER, "password": PASSWORD}
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
    result = peer.fetch(session, url, metrics=True)
    assert body_of(result) == OK_BODY
    assert result["metrics"]["exchanges"][0]["bytesReceived"] < 16 * MEBIBYTE


#: The head and a part of the body; the rest never comes.
SLOW_401 = stall_after(
    b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="r"\r\nContent-Length: 100\r\n\r\nno'
)


def test_a_refusal_that_stalls_is_asked_about_and_answered(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, origin.serve("/", SLOW_401, reply()))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == OK_BODY


def test_a_refusal_that_stalls_and_is_the_result_is_cut(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, origin.serve("/", SLOW_401))
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    result = peer.result(fetch)
    assert (result["status"], result["body"]) == (401, {"text": "no", "truncated": True})


#: Bytes of a refusal that are held while a challenge is pending.
HELD = 256 * 1024


@pytest.mark.parametrize("output", ["inline", "discard"])
def test_a_refusal_without_end_that_is_the_result_is_cut(
    peer: Peer, origin: ScriptedOrigin, output: str
) -> None:
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, origin.serve("/", ENDLESS_401), output=output)
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    result = peer.result(fetch)
    assert (result["status"], result["body"]["truncated"]) == (401, True)
    assert (result["body"]["size"] if output == "discard" else len(body_of(result))) == HELD


@pytest.mark.parametrize(("size", "cut"), [(HELD, False), (HELD + 1, True)])
def test_a_refusal_is_cut_behind_what_is_held(
    peer: Peer, origin: ScriptedOrigin, size: int, cut: bool
) -> None:
    session = peer.open(tasks=["*"])
    page = binary(size)
    url = origin.serve("/", reply(401, page, [("WWW-Authenticate", 'Basic realm="r"')]))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), None)
    result = peer.result(fetch)
    assert body_of(result) == page[:HELD]
    assert result["body"].get("truncated", False) == cut


@pytest.mark.parametrize("tasks", [[], ["digest"]])
def test_a_refusal_without_a_delegate_streams(peer: Peer, origin: ScriptedOrigin, tasks: list[str]) -> None:
    """Its beginning arrives while the rest is still to come, and all of it in the end."""
    session = peer.open(tasks=tasks)
    gate = origin.gate()
    fields = [("WWW-Authenticate", 'Basic realm="r"'), ("Content-Length", str(3 * MEBIBYTE))]

    async def slow(exchange: Exchange) -> None:
        await exchange.send(head(401, fields) + bytes(1000))
        await gate.opened()
        await exchange.send(bytes(3 * MEBIBYTE - 1000))

    fetch = peer.start_fetch(session, origin.serve("/", slow), output="stream")
    assert base64.b64decode(peer.notification("task/didReceiveData")["base64"])[:1] == b"\0"
    gate.open()
    result = peer.result(fetch)
    assert (result["status"], result["body"]) == (401, {"size": 3 * MEBIBYTE})
    peer.nothing_asked()


def test_a_refused_trial_that_streams_keeps_no_task_waiting(peer: Peer, origin: ScriptedOrigin) -> None:
    """The budget is spent, so the 401 is the result; the other task is asked while its page still arrives."""
    session = peer.open(tasks=["*"], configuration={"challenges": {"refusalBudget": 1}})
    gate = origin.gate()
    challenge = ("WWW-Authenticate", 'Basic realm="r"')
    brief = reply(401, b"", [challenge])

    async def slow(exchange: Exchange) -> None:
        await exchange.send(head(401, [challenge, ("Content-Length", "2")]) + b"n")
        await gate.opened()
        await exchange.send(b"o")

    first = peer.start_fetch(session, origin.serve("/first", brief, slow))
    asked = peer.challenge()
    second = peer.start_fetch(session, origin.serve("/second", brief, reply()))
    while peer.call("challenge/describe", {"challenge": asked["challenge"]})["waiterCount"] < 2:
        pause()
    peer.answer(asked, password(USER, "wrong"))
    again = peer.challenge()
    assert len(origin.requests_to("/second")) == 1
    assert first not in peer.replies
    peer.answer(again, password(USER, PASSWORD))
    assert peer.result(second)["status"] == 200
    gate.open()
    assert body_of(peer.result(first)) == b"no"


def test_a_redirect_without_end_that_is_the_result_is_cut(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(configuration={"redirects": {"policy": "ask"}})
    url = origin.serve("/", endless([("Location", "/there")], status=302))
    fetch = peer.start_fetch(session, url, output="discard")
    asked = peer.notification("task/willRedirect")
    peer.call("redirect/reply", {"task": asked["task"], "request": None})
    assert peer.result(fetch)["body"] == {"size": HELD, "truncated": True}


def test_a_redirect_without_end_is_followed(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    there = origin.serve("/there", reply())
    url = origin.serve("/", endless([("Location", "/there")], status=302))
    result = peer.fetch(session, url)
    assert body_of(result) == OK_BODY and result["url"] == there


def test_a_redirect_without_end_is_asked_about(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(configuration={"redirects": {"policy": "ask"}})
    there = origin.serve("/there", reply())
    fetch = peer.start_fetch(session, origin.serve("/", endless([("Location", "/there")], status=302)))
    asked = peer.notification("task/willRedirect")
    peer.call("redirect/reply", {"task": asked["task"], "request": {"url": there}})
    assert body_of(peer.result(fetch)) == OK_BODY


def test_a_refusal_ends_an_upload_whose_pipe_is_silent(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    gate = origin.gate()

    async def refuse(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        await exchange.connection.read_until(b"beginning\r\n")
        await gate.opened()
        await exchange.send(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        await exchange.until_peer_leaves()

    url = origin.serve("/", refuse, reads_body=False)
    source, feed = os.pipe()
    try:
        call: Json = {"session": session, "url": url, "method": "POST", "timeouts": {"requestSeconds": 5}}
        fetch = peer.request("fetch", {**call, "body": {"descriptor": 0}}, [source])
        os.write(feed, b"beginning")
        # The daemon has gone back to waiting for more of the pipe then.
        while int.from_bytes(fcntl.ioctl(source, termios.FIONREAD, bytes(4)), "little"):
            peer.call("ping")
        for _ in range(3):
            peer.call("ping")
        gate.open()
        assert peer.result(fetch)["status"] == 413
    finally:
        os.close(source)
        os.close(feed)
