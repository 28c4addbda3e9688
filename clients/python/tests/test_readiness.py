"""Where ``eventlet.monkey_patch`` has taken ``select.poll`` away."""

from __future__ import annotations

import select
from concurrent.futures import ThreadPoolExecutor

import pytest

import watchword
from fake_daemon import FakeDaemon, serve_fetches
from Support.fake_daemon import Peer
from watchword import Client


@pytest.fixture(autouse=True)
def _patched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(select, "poll")


def test_threads_share_a_connection() -> None:
    with FakeDaemon(serve_fetches) as path, Client(path) as client, ThreadPoolExecutor() as pool:
        urls = [f"http://a/{number}" for number in range(50)]
        assert [response.text for response in pool.map(client.fetch, urls)] == urls


def test_a_message_that_the_socket_does_not_take_at_once_arrives() -> None:
    body = "x" * 700_000

    def script(peer: Peer) -> None:
        request = peer.expect("echo")
        assert request["params"]["text"] == body
        peer.reply(request, {})

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.call("echo", {"text": body}) == {}


def test_a_daemon_that_says_no_hello_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("watchword._greeting.HELLO_SECONDS", 0.05)

    def script(peer: Peer) -> None:
        peer.expect("initialize")
        with pytest.raises(EOFError):
            peer.message()

    with FakeDaemon(script, hello=False) as path, pytest.raises(watchword.DaemonUnavailable, match="does not answer"):
        Client(path)
