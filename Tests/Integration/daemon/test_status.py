"""What it tells of itself: status, counters, versions, its own document."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from Integration import contract
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, reply, stall_after

pytestmark = pytest.mark.threads


def test_status_is_a_whole_snapshot(daemon: Daemon, peer: Peer) -> None:
    peer.open("s")
    snapshot = peer.call("status")
    assert snapshot["pid"] == daemon.pid
    assert snapshot["socket"] == str(daemon.socket)
    assert snapshot["residentBytes"] > 0
    assert "s" in [entry["session"] for entry in snapshot["sessions"]]


@pytest.mark.skipif(os.getuid() != 0, reason="root sees all sessions")
def test_root_sees_a_private_session_and_not_what_is_in_it(
    peer: Peer, connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    private = peer.open(tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    fetch = peer.start_fetch(private, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    waiting = peer.start_fetch(private, origin.serve("/other", challenged('Basic realm="other"')))
    challenge = peer.challenge()

    def seen_by(one: Peer) -> tuple[list[str], list[str]]:
        snapshot = one.call("status")
        [entry] = [entry for entry in snapshot["sessions"] if entry["session"] == private]
        assert (entry["tasks"], entry["pendingChallenges"]) == (1, 1)
        return [kept["user"] for kept in entry["credentials"]], [
            pending["challenge"] for pending in snapshot["challenges"]
        ]

    assert seen_by(peer) == ([USER], [challenge["challenge"]])
    users, challenges = seen_by(connect())
    assert users == []
    assert challenge["challenge"] not in challenges
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(waiting)["status"] == 401


def test_every_counter_is_in_the_contract(peer: Peer) -> None:
    described = contract.document()["components"]["schemas"]["Counters"]["properties"]
    assert list(peer.call("status")["counters"]) == list(described)


def test_times_are_counted_by_how_long_they_were(peer: Peer, origin: ScriptedOrigin) -> None:
    """Two tasks, one of which waited for a reply; then a challenge that still waits."""
    session = peer.open(tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    waiting = peer.call("status")
    assert waiting["oldestChallengeSeconds"] > 0
    assert (sum(waiting["taskSeconds"]["counts"]), sum(waiting["replySeconds"]["counts"])) == (0, 0)
    peer.answer(challenge, password(USER, PASSWORD))
    peer.result(fetch)
    peer.fetch(session, url)
    status = peer.call("status")
    assert status["oldestChallengeSeconds"] is None
    tasks, replies = status["taskSeconds"], status["replySeconds"]
    assert (sum(tasks["counts"]), sum(replies["counts"])) == (2, 1)
    assert len(tasks["counts"]) == len(tasks["bounds"]) + 1
    # The first task waited for the reply.
    assert tasks["sum"] > replies["sum"] > 0
    assert status["counters"]["fetches.responses.2xx"] == 2


def test_counters_count(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    peer.fetch(session, url)
    stalled = origin.serve("/stall", stall_after())
    assert kind_of(lambda: peer.fetch(session, stalled, timeouts={"resourceSeconds": 0.1})) == "timedOut"
    counters = peer.call("status")["counters"]
    expected = {
        "fetches.started": 3,
        "fetches.succeeded": 2,
        "fetches.failed": 1,
        "exchanges": 4,
        "challenges.raised": 1,
        "challenges.answered": 1,
        "credentials.preemptive": 2,
    }
    assert {name: counters.get(name) for name in expected} == expected
    assert counters["bytes.received"] > 0


def test_changes_of_status_are_told_to_subscribers(peer: Peer, origin: ScriptedOrigin) -> None:
    assert peer.call("status/subscribe", {"intervalSeconds": 0.1}) == {"subscribed": True}
    peer.open("news")

    def has_news(snapshot: dict[str, list[dict[str, str]]]) -> bool:
        return "news" in [entry["session"] for entry in snapshot["sessions"]]

    peer.notification("status/didChange", has_news)
    assert peer.call("status/unsubscribe") == {"subscribed": False}
    peer.notifications.clear()
    peer.open("latest")
    peer.fetch("latest", origin.serve("/", reply()))
    assert [note for note in peer.notifications if note["method"] == "status/didChange"] == []


def test_initialize_says_who_is_there(daemon: Daemon, peer: Peer) -> None:
    hello = peer.call("initialize", {"name": "tests", "version": "1", "protocolVersion": "1"})
    assert (hello["name"], hello["protocolVersion"]) == ("watchwordd", "1")
    assert (hello["pid"], hello["uid"]) == (daemon.pid, os.getuid())
    assert hello["capabilities"] == {"descriptors": True, "framings": ["line", "contentLength"]}
    (holder,) = peer.call("session/describe")["holders"]
    assert (holder["name"], holder["version"]) == ("tests", "1")


def test_another_protocol_version_is_refused(peer: Peer) -> None:
    assert kind_of(peer.call, "initialize", {"protocolVersion": "2"}) == "invalidParams"


def test_discover_returns_the_document(peer: Peer) -> None:
    assert peer.call("rpc.discover") == contract.document()
