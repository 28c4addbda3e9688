"""Challenges that are malformed, and secrets that nothing prints."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge
from scripts import client_session
from Support.fake_daemon import Peer
from watchword import Client

SECRET = "hunter2-sentinel"


def test_malformed_challenges_break_the_connection_with_a_protocol_error() -> None:
    damages: list[dict[str, Any]] = [
        {"challenge": 5},
        {"protectionSpace": None},
        {"offers": [5]},
        {"deadline": "yesterday"},
        {"deadline": "2026-99-99T00:00:00Z"},
        {"waiters": {}},
        {"previousFailureCount": "many"},
        {"failureResponse": {"status": 401, "headers": [["a", 5]]}},
    ]
    for damage in damages:

        def script(peer: Peer, damage: dict[str, Any] = damage) -> None:
            peer.open_session()
            request = peer.expect("fetch")
            peer.notify("task/didReceiveChallenge", {**challenge(request["params"]["task"]), **damage})
            with pytest.raises((EOFError, ConnectionResetError)):
                peer.message()

        with FakeDaemon(script) as path, Client(path) as client:
            session = client_session(client, lambda _: watchword.reject())
            with pytest.raises(watchword.ProtocolError):
                session.fetch("http://a/")
            with pytest.raises(watchword.ProtocolError):
                client.ping()


def test_nothing_prints_a_secret() -> None:
    credential = watchword.Credential(user="reader", password=SECRET)
    answer = watchword.use_credential("reader", SECRET)
    for text in (repr(credential), str(credential), f"{credential}", repr(answer), repr(watchword.use_token(SECRET))):
        assert SECRET not in text
        assert "<secret>" in text

    def script(peer: Peer) -> None:
        peer.fail(peer.expect("credential/set"), 1400, "storageUnavailable")
        peer.raw(b'{"jsonrpc":"2.0","id":3,"result":{"' + SECRET.encode() + b"\n")

    with FakeDaemon(script) as path, Client(path) as client:
        space = watchword.ProtectionSpace("https", "a", 443, "r", "basic")
        with pytest.raises(watchword.StorageUnavailable) as refused:
            client.default_session().set_credential(space, credential)
        with pytest.raises(watchword.ProtocolError) as broken:
            client.ping()
    assert SECRET not in repr(refused.value) + repr(broken.value) + str(broken.value)
