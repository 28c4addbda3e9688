"""`traceparent` of a fetch: what goes out, and where it is found again (messages.md 5.1.12)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
OTHER = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-00"

pytestmark = pytest.mark.core


def sent(origin: ScriptedOrigin, path: str) -> list[list[str]]:
    return [request.all("traceparent") for request in origin.requests if request.path == path]


def history(peer: Peer, origin: ScriptedOrigin) -> list[Json]:
    entries: list[Json] = peer.call("credential/history", {"origin": origin.url})["entries"]
    return entries


GIVEN = pytest.mark.parametrize(
    "given", [{"traceparent": TRACE}, {"headers": [["TraceParent", TRACE]]}], ids=["member", "field"]
)


@GIVEN
def test_every_request_of_a_task_has_it_and_so_has_its_history(
    connect: Callable[..., Peer], origin: ScriptedOrigin, given: Json
) -> None:
    peer = connect()
    session = peer.open(tasks=["basic"])
    url = origin.serve("/a", guarded(BasicGuard("staff", USER, PASSWORD)))
    fetch = peer.start_fetch(session, url, **given)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert sent(origin, "/a") == [[TRACE], [TRACE]]
    assert [entry["traceparent"] for entry in history(peer, origin)] == [TRACE, TRACE]

    assert peer.fetch(session, url, traceparent=OTHER)["status"] == 200
    (accepted, answered) = history(peer, origin)
    assert (accepted["uses"], accepted["traceparent"], answered["traceparent"]) == (2, OTHER, TRACE)
    assert peer.fetch(session, url)["status"] == 200
    assert "traceparent" not in history(peer, origin)[0]


@pytest.mark.parametrize("sensitive", [False, True])
def test_it_goes_to_another_origin_unless_it_is_sensitive(
    peer: Peer, origins: Callable[..., ScriptedOrigin], sensitive: bool
) -> None:
    first, second = origins(), origins()
    url = first.serve("/a", redirect(second.serve("/b", reply())))
    options = {"sensitiveHeaders": ["traceparent"]} if sensitive else {}
    peer.fetch(peer.open(), url, traceparent=TRACE, **options)
    assert sent(first, "/a") == [[TRACE]]
    assert sent(second, "/b") == [[] if sensitive else [TRACE]]


def test_it_replaces_the_sessions(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(configuration={"headers": [["traceparent", OTHER]]})
    url = origin.serve("/a", reply())
    peer.fetch(session, url, traceparent=TRACE)
    assert sent(origin, "/a") == [[TRACE]]


def test_a_restricted_connection_may_give_it(connect: Callable[..., Peer], origin: ScriptedOrigin) -> None:
    peer, observer = connect(), connect()
    session = peer.open("traced")
    observer.open("traced")
    url = origin.serve("/a", reply())
    rules = [{"origin": origin.url, "methods": ["GET"], "path": "/a"}]
    peer.call("peer/restrict", {"session": session, "rules": rules})
    assert peer.fetch(session, url, traceparent=TRACE)["status"] == 200
    assert sent(origin, "/a") == [[TRACE]]
    assert kind_of(peer.fetch, session, origin.url + "/b", traceparent=OTHER) == "restricted"
    (violation,) = history(observer, origin)
    assert (violation["outcome"], violation["traceparent"]) == ("restricted", OTHER)


def test_the_log_has_it(origin: ScriptedOrigin) -> None:
    daemon = Daemon(log_level="debug")
    with Peer(daemon.socket) as peer:
        peer.fetch(peer.open(), origin.serve("/a", reply()), traceparent=TRACE)
        peer.call("ping")
        (line,) = [line for line in daemon.output().splitlines() if origin.url in line]
        assert f"traceparent={TRACE}" in line
    daemon.stop()
