"""Ctrl-C while something is under way."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge, response
from scripts import client_session, memory_file
from Support.fake_daemon import Peer
from watchword import Answer, Challenge, Client


def test_an_interrupt_in_a_handler_does_not_wait() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        assert peer.expect("challenge/reply")["params"]["disposition"] == "cancelAuthenticationChallenge"
        assert peer.expect("$/cancelRequest")["params"] == {"id": request["id"]}
        descriptor = memory_file(b"late")
        peer.reply(request, response(descriptor=0, size=4), [descriptor])
        os.close(descriptor)
        peer.reply(peer.expect("ping"), {})
        with pytest.raises(EOFError):
            peer.message()

    def handler(_: Challenge) -> Answer:
        raise KeyboardInterrupt

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, handler)
        before = len(os.listdir("/proc/self/fd"))
        with pytest.raises(KeyboardInterrupt):
            session.fetch("http://a/")
        client.ping()
        assert len(os.listdir("/proc/self/fd")) == before


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT interrupts, also where the shell that started the tests ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_during_a_fetch_cancels_it_and_the_client_goes_on(interruptible: None) -> None:
    main = threading.get_ident()

    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        signal.pthread_kill(main, signal.SIGINT)
        assert peer.expect("$/cancelRequest")["params"] == {"id": request["id"]}
        peer.fail(request, 1102, "requestCancelled")
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(KeyboardInterrupt):
            client.fetch("http://a/")
        client.ping()


def test_a_session_whose_opening_was_interrupted_is_closed(interruptible: None) -> None:
    main = threading.get_ident()

    def script(peer: Peer) -> None:
        request = peer.expect("session/open")
        signal.pthread_kill(main, signal.SIGINT)
        assert peer.expect("$/cancelRequest")["params"] == {"id": request["id"]}
        joined = peer.expect("session/open")
        peer.reply(request, {"session": "late", "created": True})
        peer.reply(joined, {"session": "s", "created": True})
        assert peer.expect("session/close")["params"] == {"session": "late"}
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(KeyboardInterrupt):
            client.session()
        assert client.session("s").id == "s"
        client.ping()


@pytest.mark.parametrize("method", ["start", "stream"])
def test_a_task_whose_start_was_interrupted_is_cancelled(interruptible: None, method: str) -> None:
    main = threading.get_ident()

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        signal.pthread_kill(main, signal.SIGINT)
        assert peer.expect("$/cancelRequest")["params"] == {"id": request["id"]}
        task = {"task": request["params"]["task"]}
        peer.reply(request, task)
        ping = peer.expect("ping")
        peer.reply(ping, {})
        assert peer.expect("task/cancel")["params"] == task
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        session = client.session()
        with pytest.raises(KeyboardInterrupt):
            getattr(session, method)("http://a/")
        client.ping()
        client.ping()


def test_an_interrupt_between_reading_and_understanding_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("fetch"), response())
        with pytest.raises(EOFError):  # not even a cancellation: nothing is known of this stream any more
            peer.message()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with FakeDaemon(script) as path, Client(path) as client:
        monkeypatch.setattr(client._connection.conversation, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            client.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            client.ping()
