"""Connections that subscribe to the status."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.wire import Json, Peer, kind_of, pause

pytestmark = pytest.mark.threads

Connect = Callable[..., Peer]


def test_subscribers_have_a_limit(connect: Connect) -> None:
    observer = connect()
    limit = observer.call("status")["limits"]["statusSubscribersPerUid"]
    subscribers = [connect() for _ in range(limit)]
    for peer in subscribers:
        peer.call("status/subscribe")
    assert kind_of(observer.call, "status/subscribe") == "limitExceeded"
    # Again is not one more.
    assert subscribers[0].call("status/subscribe") == {"subscribed": True}
    subscribers[1].close()
    while observer.call("status")["usage"]["statusSubscribersPerUid"] == limit:
        pause()
    assert observer.call("status/subscribe") == {"subscribed": True}


def test_a_slow_subscriber_does_not_silence_a_fast_one(connect: Connect) -> None:
    observer, fast, slow = connect(), connect(), connect()
    slow.call("status/subscribe", {"intervalSeconds": 3600})
    fast.call("status/subscribe", {"intervalSeconds": 0.1})
    for name in ["first", "second", "third"]:
        observer.open(name)
        fast.notification("status/didChange", shows(name))


def shows(name: str) -> Callable[[Json], bool]:
    return lambda snapshot: name in [entry["session"] for entry in snapshot["sessions"]]


def test_subscribers_share_a_snapshot(connect: Connect) -> None:
    observer = connect()
    subscribers = [connect() for _ in range(40)]
    for peer in subscribers:
        peer.call("status/subscribe", {"intervalSeconds": 0.1})

    observer.open("first")
    for peer in subscribers:
        peer.notification("status/didChange", shows("first"))
    before = observer.counter("status.rounds")
    observer.open("second")
    for peer in subscribers:
        peer.notification("status/didChange", shows("second"))
    assert observer.counter("status.rounds") - before < len(subscribers) // 2
