"""Tasks that wait for their turn with a nonce."""

from __future__ import annotations

import os

import pytest

from Integration.digest.scene import pass_once
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer, password
from Support.guards import DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]


def test_tasks_beyond_the_connections_send_nothing_while_one_tries_again(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    """Of 200 fetches over 6 connections, 6 may have been sent when the first is refused."""
    session = peer.open(tasks=["*"])
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once((peer, session), url)
    guard.password = PASSWORD + "2"
    fetches = [peer.start_fetch(session, url) for _ in range(200)]
    peer.answer(peer.challenge(), password(USER, guard.password))
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    assert guard.refused <= 6 + 1


def test_a_request_that_waits_in_turn_is_cancelled_and_the_others_go_on(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=1, says_stale=False)
    gate = origin.gate()
    passing = guarded(guard)
    url = origin.serve("/", passing)
    slow = origin.serve("/slow", held(gate, passing))
    pass_once(asked, url)
    assert peer.fetch(session, url)["status"] == 200
    before = len(origin.requests)
    holder = peer.start_fetch(session, slow)
    origin.wait_for_requests(before + 1)
    task = peer.call("task/start", {"session": session, "url": url, "output": "discard"})["task"]
    last = peer.start_fetch(session, url)
    assert peer.call("ping") is not None
    assert len(origin.requests) == before + 1
    peer.call("task/cancel", {"task": task})
    gate.open()
    assert [peer.result(fetch)["status"] for fetch in (holder, last)] == [200, 200]
    peer.nothing_asked()


@pytest.mark.parametrize("suspends", ["the one that has sent", "the one that waits"])
def test_a_suspended_task_delays_no_other_task(asked: Asked, origin: ScriptedOrigin, suspends: str) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=1, says_stale=False)
    gate = origin.gate()
    passing = guarded(guard)
    url = origin.serve("/", passing)
    pass_once(asked, url)
    assert peer.fetch(session, url)["status"] == 200
    before = len(origin.requests)
    first = peer.call(
        "task/start",
        {"session": session, "url": origin.serve("/held", held(gate, passing)), "output": "discard"},
    )
    origin.wait_for_requests(before + 1)
    second = peer.call(
        "task/start",
        {
            "session": session,
            "url": origin.serve("/never", held(origin.gate(), passing)),
            "output": "discard",
        },
    )
    last = peer.start_fetch(session, url)
    if suspends == "the one that has sent":
        peer.call("task/suspend", {"task": first["task"]})
        peer.call("task/cancel", {"task": second["task"]})
    else:
        peer.call("task/suspend", {"task": second["task"]})
        gate.open()
    assert peer.result(last)["status"] == 200


@pytest.mark.parametrize("quality", ["auth", "auth-int"])
def test_a_body_that_is_not_read_delays_no_other_task(
    asked: Asked, origin: ScriptedOrigin, quality: str
) -> None:
    """The turn ends with the head (methods.md 8.6), also where the body is part of the server's proof."""
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=1, says_stale=False, qop=quality)
    url = origin.serve("/", guarded(guard))
    large = origin.serve("/large", guarded(guard, b"x" * (16 << 20)))
    pass_once(asked, url)
    assert peer.fetch(session, url)["status"] == 200
    body, sink = os.pipe()
    try:
        start = {"session": session, "url": large, "output": {"descriptor": 0}}
        peer.call("task/start", start, [sink])
        peer.notification("task/didReceiveResponse")
        assert peer.fetch(session, url)["status"] == 200
    finally:
        os.close(body)
        os.close(sink)
