"""How far a credential reaches, and for how long."""

from __future__ import annotations

import pytest

from Integration.credentials.scene import exchanges, listed, log_in, staff
from Integration.sentinels import (
    OTHER_PASSWORD,
    OTHER_USER,
    PASSWORD,
    TOKEN,
    USER,
)
from Integration.wire import Peer, password, wait_for_waiters
from Support.exchange import Exchange
from Support.guards import BasicGuard, BearerGuard, DigestGuard, Guard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]


def test_a_task_that_came_later_is_not_served_by_persistence_none(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    gate = origin.gate()
    guard = BasicGuard("staff", USER, PASSWORD)

    async def slow(exchange: Exchange) -> None:
        if guard.passes(exchange.request):
            await gate.opened()
        await guarded(guard)(exchange)

    first = peer.start_fetch(session, origin.serve("/slow", slow))
    peer.answer(peer.challenge(), password(USER, PASSWORD, "none"))
    origin.wait_for_requests(2)
    second = peer.start_fetch(session, staff(origin))
    peer.answer(peer.challenge(), None)
    assert peer.result(second)["status"] == 401
    gate.open()
    assert peer.result(first)["status"] == 200


def test_a_path_of_another_realm_leaves_the_scope(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    origin.serve("/*", guarded(BasicGuard("root", USER, PASSWORD)))
    deep = origin.serve("/deep/x", guarded(BasicGuard("deep", OTHER_USER, OTHER_PASSWORD)))
    log_in(peer, session, origin.url + "/index")

    def sent_to_deep() -> list[bool]:
        before = len(origin.requests)
        fetch = peer.start_fetch(session, deep)
        peer.answer(peer.challenge(), None)
        assert peer.result(fetch)["status"] == 401
        return [request.authorization is not None for request in origin.requests[before:]]

    assert sent_to_deep() == [True]
    assert sent_to_deep() == [False]
    assert exchanges(peer.fetch(session, origin.url + "/deep/y", metrics=True)) == 1, (
        "another path is in the scope"
    )
    origin.serve("/deep/x", guarded(BasicGuard("root", USER, PASSWORD)))
    assert exchanges(peer.fetch(session, deep, metrics=True)) == 2
    assert exchanges(peer.fetch(session, deep, metrics=True)) == 1, "it has been accepted there"


def test_persistence_none_serves_the_waiting_tasks_and_is_forgotten(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    url = staff(origin)
    fetches = [peer.start_fetch(session, url) for _ in range(3)]
    challenge = peer.challenge()
    wait_for_waiters(peer, challenge, 3)
    peer.answer(challenge, password(USER, PASSWORD, "none"))
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200, 200, 200]
    assert listed(peer, session) == []
    fetch = peer.start_fetch(session, url)
    assert peer.challenge()["proposedCredential"] is None
    assert origin.requests[-1].authorization is None
    peer.answer(peer.call("challenge/list", {"session": session})["challenges"][0], None)
    assert peer.result(fetch)["status"] == 401


SCOPES = [
    ("/a/b/c", "/a/b/c", True),
    ("/a/b/c", "/a/b/d", True),
    ("/a/b/c", "/a/b/d/e/f", True),
    ("/a/b/c", "/a/b/", True),
    ("/a/b/c", "/a/b", False),
    ("/a/b/c", "/a/x", False),
    ("/a/b/c", "/a/bc/x", False),
    ("/a/b/c", "/", False),
    ("/top", "/anything/below", True),
    ("/a/b/c", "/a/b/../x", False),
    ("/a/b/c", "/a/b/%2e%2e/x", False),
]


@pytest.mark.parametrize("guard", [BasicGuard("r", USER, PASSWORD), BearerGuard("r", TOKEN)])
@pytest.mark.parametrize(("accepted", "path", "unasked"), SCOPES)
def test_basic_and_bearer_go_ahead_in_their_directory_and_below(
    asked: Asked, origin: ScriptedOrigin, guard: Guard, accepted: str, path: str, unasked: bool
) -> None:
    peer, session = asked
    origin.serve("/*", guarded(guard))
    credential = {"token": TOKEN} if isinstance(guard, BearerGuard) else password(USER, PASSWORD)
    log_in(peer, session, origin.url + accepted, credential)
    before = len(origin.requests)
    result = peer.fetch(session, origin.url + path)
    assert result["status"] == 200
    assert (origin.requests[before].authorization is not None) == unasked
    peer.nothing_asked()


def test_a_digest_credential_goes_ahead_in_the_whole_origin(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    origin.serve("/*", guarded(DigestGuard("staff", USER, PASSWORD)))
    log_in(peer, session, f"{origin.url}/a/b")
    assert exchanges(peer.fetch(session, f"{origin.url}/", metrics=True)) == 1


def test_the_deepest_scope_wins(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    outer = origin.serve("/x", guarded(BasicGuard("outer", USER, PASSWORD)))
    inner = origin.serve("/deep/x", guarded(BasicGuard("inner", OTHER_USER, OTHER_PASSWORD)))
    log_in(peer, session, inner, password(OTHER_USER, OTHER_PASSWORD))
    log_in(peer, session, outer)
    assert exchanges(peer.fetch(session, inner, metrics=True)) == 1
    assert exchanges(peer.fetch(session, outer, metrics=True)) == 1


def test_a_url_with_a_user_gets_nothing_unasked(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    before = len(origin.requests)
    with_user = url.replace("http://", f"http://{USER}:{PASSWORD}@")
    result = peer.fetch(session, with_user, metrics=True)
    assert (result["status"], exchanges(result)) == (200, 2)
    assert origin.requests[before].authorization is None
