"""A user and password in a URL serve their task only."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.isolation.scene import assert_never_seen, serve_staff
from Integration.sentinels import MARK, PASSWORD, USER
from Integration.wire import Peer, kind_of
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]
Origins = Callable[..., ScriptedOrigin]


def test_userinfo_serves_this_task_and_is_cut_everywhere(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = serve_staff(origin)
    with_user = url.replace("http://", f"http://{USER}:{PASSWORD}@")
    result = peer.fetch(session, with_user, metrics=True)
    assert result["status"] == 200
    assert result["url"] == url
    assert peer.call("credential/list", {"session": session}) == {"credentials": []}
    assert peer.fetch(session, url)["status"] == 401
    assert origin.requests[-1].authorization is None
    assert all("@" not in request.target for request in origin.requests)
    assert [exchange["url"] for exchange in result["metrics"]["exchanges"]] == [url, url]


def test_userinfo_is_not_sent_unasked(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/open", reply()).replace("http://", f"http://{USER}:{PASSWORD}@")
    peer.fetch(peer.open(), url)
    assert_never_seen(origin)


def test_userinfo_is_decoded_once(peer: Peer, origin: ScriptedOrigin) -> None:
    origin.serve("/", guarded(BasicGuard("r", "a@b%20c", f"{MARK}:/")))
    url = f"http://a%40b%2520c:{MARK}%3A%2F@127.0.0.1:{origin.port}/"
    assert peer.fetch(peer.open(), url)["status"] == 200


@pytest.mark.parametrize("bad", ["a%0d%0ab:c", "a:b%0a", "a%00:b"])
def test_control_characters_in_userinfo_are_refused(peer: Peer, origin: ScriptedOrigin, bad: str) -> None:
    session = peer.open()
    assert kind_of(lambda: peer.fetch(session, f"http://{bad}@127.0.0.1:{origin.port}/")) == "invalidParams"
    assert origin.requests == []


def test_with_a_delegate_userinfo_that_failed_is_shown_as_refused(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    url = serve_staff(origin).replace("http://", f"http://{USER}:{MARK}-bad@")
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    if challenge["previousFailureCount"] == 0:
        assert challenge["proposedCredential"] == {"user": USER, "source": "url"}
        peer.dispose(challenge, "performDefaultHandling")
        challenge = peer.challenge()
    assert challenge["proposedCredential"]["user"] == USER
    assert "@" not in challenge["url"]
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_a_task_with_userinfo_is_not_coalesced_with_others(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = serve_staff(origin)
    waiting = peer.start_fetch(session, url)
    challenge = peer.challenge()
    with_user = url.replace("http://", f"http://{USER}:{PASSWORD}@")
    own = peer.start_fetch(session, with_user)
    own_challenge = None
    if not origin.wait_for_requests(2)[1].authorization:
        try:
            own_challenge = peer.challenge(seconds=2)
        except TimeoutError:
            own_challenge = None
    if own_challenge is not None:
        peer.dispose(own_challenge, "performDefaultHandling")
    assert peer.result(own)["status"] == 200
    assert waiting not in peer.replies
    peer.answer(challenge, None)
    assert peer.result(waiting)["status"] == 401


def test_userinfo_in_a_location_is_dropped(peer: Peer, origins: Origins) -> None:
    first, second = origins(), origins()
    serve_staff(second)
    target = f"http://{USER}:{PASSWORD}@127.0.0.1:{second.port}/staff"
    result = peer.fetch(peer.open(), first.serve("/", redirect(target)))
    assert result["status"] == 401
    assert_never_seen(second)
