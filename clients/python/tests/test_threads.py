"""One client in several threads."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge, response, serve_fetches
from scripts import client_session
from Support.fake_daemon import Peer
from watchword import Answer, Challenge, Client


def test_threads_share_one_connection() -> None:
    with FakeDaemon(serve_fetches) as path, Client(path) as client:
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for index in range(100):
                    url = f"http://a/{number}/{index}"
                    assert client.fetch(url).text == url
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        assert failures == []


def test_a_handler_runs_in_the_thread_whose_fetch_was_challenged() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        first = peer.expect("fetch")
        second = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(second["params"]["task"], "c2"))
        peer.notify("task/didReceiveChallenge", challenge(first["params"]["task"], "c1"))
        replies = [peer.expect("challenge/reply") for _ in range(2)]
        for reply in replies:
            peer.reply(reply, {"accepted": True})
        peer.reply(second, response(text="second"))
        peer.reply(first, response(text="first"))

    asked: dict[str, str] = {}

    def handler(question: Challenge) -> Answer:
        asked[question.id] = threading.current_thread().name
        return watchword.reject()

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, handler)
        got: dict[str, str] = {}

        def work(name: str) -> None:
            got[name] = session.fetch(f"http://a/{name}").text

        one = threading.Thread(target=work, args=("first",), name="first")
        one.start()
        while not client._connection.conversation._calls:  # the first is on its way before the second
            time.sleep(0.001)
        two = threading.Thread(target=work, args=("second",), name="second")
        two.start()
        one.join(10)
        two.join(10)
    assert got == {"first": "first", "second": "second"}
    assert asked == {"c1": "first", "c2": "second"}


def test_a_handler_that_takes_long_delays_no_other() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        asked = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(asked["params"]["task"]))
        other = peer.expect("fetch")
        peer.reply(other, response(text="other"))
        peer.reply(peer.expect("challenge/reply"), {"accepted": True})
        peer.reply(asked, response(text="asked"))

    thinking, decided = threading.Event(), threading.Event()

    def handler(_: Challenge) -> Answer:
        thinking.set()
        assert decided.wait(10)
        return watchword.reject()

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, handler)
        got: list[str] = []
        slow = threading.Thread(target=lambda: got.append(session.fetch("http://a/asked").text))
        slow.start()
        assert thinking.wait(10)
        got.append(session.fetch("http://a/other").text)
        decided.set()
        slow.join(10)
    assert got == ["other", "asked"]


def test_closing_wakes_the_threads_that_wait() -> None:
    def script(peer: Peer) -> None:
        peer.expect("fetch")
        peer.expect("fetch")
        arrived.set()
        with pytest.raises(EOFError):
            peer.message()

    arrived = threading.Event()
    with FakeDaemon(script) as path:
        client = Client(path)
        caught: list[BaseException] = []

        def work() -> None:
            try:
                client.fetch("http://a/")
            except watchword.WatchwordError as error:
                caught.append(error)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        assert arrived.wait(10)
        client.close()
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()
        assert [type(error) for error in caught] == [watchword.ClientClosed] * 2
        with pytest.raises(watchword.ClientClosed):
            client.ping()
        assert client._connection.current._socket.fileno() == -1


@pytest.mark.parametrize("failing", [False, True])
def test_a_task_may_be_waited_for_by_several_threads(failing: bool) -> None:
    waiting = threading.Barrier(10)

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        peer.reply(request, {"task": task})
        peer.reply(peer.expect("ping"), {})
        waiting.wait(10)
        for sent in range(100):
            peer.notify("task/didSendBodyData", {"task": task, "bytesSent": sent, "totalBytes": 100})
        error = {"code": 1304, "message": "late", "data": {"kind": "timedOut", "phase": "request"}}
        peer.notify("task/didFinish", {"task": task, "error": error} if failing else {**response(), "task": task})
        serve_fetches(peer)

    def wait() -> None:
        waiting.wait(10)
        try:
            outcomes.append(task.wait(20))
        except Exception as error:
            outcomes.append(error)

    outcomes: list[Any] = []
    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/")
        client.ping()
        threads = [threading.Thread(target=wait) for _ in range(8)]
        for thread in threads:
            thread.start()
        waiting.wait(10)
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        assert len(outcomes) == 8
        if failing:
            assert {type(outcome) for outcome in outcomes} == {watchword.TimedOut}
            assert len({id(outcome) for outcome in outcomes}) == 8
        else:
            assert [outcome.text for outcome in outcomes] == ["body"] * 8
        assert list(task) == []
