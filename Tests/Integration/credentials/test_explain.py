"""What `explain` says would be sent."""

from __future__ import annotations

import pytest

from Integration.credentials.scene import explain, log_in, staff
from Integration.sentinels import (
    TOKEN,
    USER,
)
from Integration.wire import Peer
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]


def test_explain_says_what_would_happen_and_sends_nothing(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    nothing = explain(peer, session, url)
    assert nothing["credential"] is None
    assert nothing["preemptive"] is False
    assert nothing["authorizationHeader"] == "none"
    assert origin.requests == []
    log_in(peer, session, url)
    before = len(origin.requests)
    something = explain(peer, session, url)
    assert something["credential"] == {
        "user": USER,
        "authenticationMethod": "basic",
        "realm": "staff",
        "source": "session",
    }
    assert something["preemptive"] is True
    assert something["authorizationHeader"] == "session"
    assert something["origin"] == origin.url
    assert len(origin.requests) == before


def test_explain_hides_sensitive_fields_of_the_session(peer: Peer, origin: ScriptedOrigin) -> None:
    fields = [["Authorization", f"Bearer {TOKEN}"], ["X-Plain", "shown"]]
    session = peer.open(configuration={"headers": fields})
    shown = dict(explain(peer, session, origin.url)["headers"])
    assert shown["Authorization"] == "<secret>"
    assert shown["X-Plain"] == "shown"


def test_explain_lists_pending_challenges(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert explain(peer, session, url)["pendingChallenges"] == [challenge["challenge"]]
    peer.answer(challenge, None)
    peer.result(fetch)
