"""What the tests of Digest share."""

from __future__ import annotations

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password
from Support.guards import DigestGuard

Asked = tuple[Peer, str]


def pass_once(asked: Asked, url: str, user: str = USER, **members: Json) -> Json:
    peer, session = asked
    fetch = peer.start_fetch(session, url, **members)
    peer.answer(peer.challenge(), password(user, PASSWORD))
    return peer.result(fetch)


def assert_flawless(guard: DigestGuard) -> None:
    assert guard.faults == []
    assert guard.refused == 0
