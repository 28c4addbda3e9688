"""What the tests of isolation share."""

from __future__ import annotations

from Integration.sentinels import PASSWORD, USER, traces_in
from Integration.wire import Peer, password
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin


def log_in(peer: Peer, session: str, url: str) -> None:
    """Answers the one challenge of a fetch that must then succeed."""
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def serve_staff(origin: ScriptedOrigin) -> str:
    return origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))


def assert_never_seen(origin: ScriptedOrigin) -> None:
    assert traces_in(origin.received()) == []
    assert b"authorization" not in origin.received().lower()
