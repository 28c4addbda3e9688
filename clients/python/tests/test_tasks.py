"""Tasks and streams: events, ends, consumers that leave or fall behind."""

from __future__ import annotations

import os

import pytest

import watchword
from fake_daemon import FakeDaemon, response
from scripts import memory_file, stream_script
from Support.fake_daemon import Peer
from watchword import Client


def test_a_task_reports_its_events_in_order() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        about = {"task": task, "session": "private-1"}
        peer.notify("task/didSendBodyData", {**about, "bytesSent": 3, "totalBytes": None})
        peer.reply(request, {"task": task})
        moved = {"status": 302, "from": "http://a/", "to": "http://a/b", "headers": [["X-Hop", "1"]]}
        peer.notify("task/didRedirect", {**about, **moved})
        refusal = {"hop": "origin", "url": "http://a/b", "status": 401, "headers": [["A", "1"]], "protocol": "h2"}
        peer.notify("task/didReceiveHead", {**about, **refusal})
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/b", "status": 200, "headers": []})
        peer.notify("task/didFinish", {**response(text="end"), **about})
        for verb in ("suspend", "resume", "cancel", "describe"):
            peer.reply(peer.expect(f"task/{verb}"), {"task": task})

    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/", body=b"abc")
        events = list(task)
        names = [type(event).__name__ for event in events]
        assert [event.headers["X-Hop"] for event in events if isinstance(event, watchword.Redirected)] == ["1"]
        assert names == ["BodyDataSent", "Redirected", "HeadReceived", "ResponseReceived", "TaskFinished"]
        assert task.wait().text == "end"
        task.suspend()
        task.resume()
        task.cancel()
        assert dict(task.describe()) == {"task": task.id}


def test_a_tasks_large_body_comes_with_its_end() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        peer.reply(request, {"task": request["params"]["task"]})
        about = {"task": request["params"]["task"], "session": "private-1"}
        descriptor = memory_file(b"large")
        finish = {"method": "task/didFinish", "params": {**response(descriptor=0, size=5), **about}}
        peer.send(finish, [descriptor])
        os.close(descriptor)

    with FakeDaemon(script) as path, Client(path) as client:
        with client.session().start("http://a/").wait() as got:
            assert got.content == b"large"


def test_a_failed_task_raises_where_it_is_waited_for() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        peer.reply(request, {"task": task})
        error = {"code": 1304, "message": "too slow", "data": {"kind": "timedOut", "phase": "request"}}
        peer.notify("task/didFinish", {"task": task, "session": "private-1", "error": error})

    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/")
        with pytest.raises(watchword.TimedOut) as caught:
            task.wait()
        assert caught.value.phase == "request"


def test_waiting_for_a_task_can_end_in_time() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        peer.reply(request, {"task": request["params"]["task"]})
        ping = peer.expect("ping")
        about = {"task": request["params"]["task"], "session": "private-1"}
        peer.notify("task/didFinish", {**response(), **about})
        peer.reply(ping, {})

    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/")
        with pytest.raises(TimeoutError):
            task.wait(timeout=0.01)
        client.ping()
        assert task.wait(timeout=5).status == 200


def test_a_stream_gives_its_head_and_then_its_pieces() -> None:
    with FakeDaemon(stream_script(b"one", b"two")) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream:
            assert stream.status == 200
            assert stream.head.headers["a"] == "b"
            assert list(stream) == [b"one", b"two"]
            assert stream.response().size == 6


def test_a_stream_that_fails_in_the_middle_raises_after_its_pieces() -> None:
    error = {"code": 1303, "message": "reset", "data": {"kind": "connectionLost", "hop": "origin"}}
    with FakeDaemon(stream_script(b"one", error=error)) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream:
            pieces = iter(stream)
            assert next(pieces) == b"one"
            with pytest.raises(watchword.ConnectionLost) as caught:
                next(pieces)
            assert caught.value.hop == "origin"


def test_a_stream_that_is_left_early_is_cancelled() -> None:
    def script(peer: Peer) -> None:
        stream_script_head(peer)
        peer.reply(peer.expect("task/cancel"), {})
        peer.reply(peer.expect("ping"), {})

    def stream_script_head(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        peer.reply(request, {"task": request["params"]["task"]})
        about = {"task": request["params"]["task"], "session": "private-1"}
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 200, "headers": []})

    with FakeDaemon(script) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream:
            assert stream.status == 200
        client.ping()


def test_a_consumer_that_falls_behind_suspends_its_task() -> None:
    from base64 import b64encode

    piece = b64encode(b"x" * 500_000).decode()

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        about = {"task": task, "session": "private-1"}
        peer.reply(request, {"task": task})
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 200, "headers": []})
        ping = peer.expect("ping")
        for index in range(9):
            peer.notify("task/didReceiveData", {**about, "offset": index * 500_000, "base64": piece})
        peer.reply(peer.expect("task/suspend"), {"task": task})
        peer.reply(ping, {})
        peer.reply(peer.expect("task/resume"), {"task": task})
        peer.notify("task/didFinish", {**response(size=4_500_000), **about})

    with FakeDaemon(script) as path, Client(path) as client, client.session().stream("http://a/") as stream:
        client.ping()
        assert sum(map(len, stream)) == 4_500_000
