"""The asyncio face against a scripted daemon: what differs from the blocking one, and that both agree."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge, response, serve_fetches
from scripts import answering, memory_file, stream_script, writing
from Support.fake_daemon import Peer
from watchword import Answer, AsyncClient, Challenge, FetchRule

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        return await asyncio.wait_for(coroutine, 20)

    return asyncio.run(limited())


def test_many_fetches_share_one_connection() -> None:
    async def main() -> None:
        async with AsyncClient(path) as client:
            urls = [f"http://a/{number}" for number in range(500)]
            got = await asyncio.gather(*(client.fetch(url) for url in urls))
            assert [response.text for response in got] == urls

    with FakeDaemon(serve_fetches) as path:
        run(main())


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_handlers_are_functions_or_coroutine_functions(kind: str) -> None:
    def plain(question: Challenge) -> Answer:
        return watchword.use_credential("u", question.id)

    async def coroutine(question: Challenge) -> Answer:
        await asyncio.sleep(0)
        return plain(question)

    async def main() -> None:
        async with AsyncClient(path) as client:
            session = await client.session(on_challenge=plain if kind == "function" else coroutine)
            got = (await session.fetch("http://a/")).json()
            assert got["credential"]["password"] == "c1-5b1e90d2"
            with pytest.raises(watchword.DaemonConnectionLost):
                await session.close()

    with FakeDaemon(answering()) as path:
        run(main())


def test_a_handlers_exception_cancels_and_reaches_the_caller() -> None:
    async def handler(_: Challenge) -> Answer:
        raise LookupError("none")

    async def main() -> None:
        async with AsyncClient(path) as client:
            session = await client.session(on_challenge=handler)
            with pytest.raises(LookupError):
                await session.fetch("http://a/")
            with pytest.raises(watchword.DaemonConnectionLost):
                await session.close()

    with FakeDaemon(answering()) as path:
        run(main())


def test_a_handler_may_use_the_client_itself() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        peer.reply(peer.expect("fetch"), response(text="from the vault"))
        reply = peer.expect("challenge/reply")
        peer.reply(reply, {"accepted": True})
        peer.reply(request, response(text=reply["params"]["credential"]["password"]))

    async def main() -> None:
        async with AsyncClient(path) as client:

            async def handler(_: Challenge) -> Answer:
                return watchword.use_credential("u", (await client.fetch("http://vault/")).text)

            session = await client.session(on_challenge=handler)
            assert (await session.fetch("http://a/")).text == "from the vault"

    with FakeDaemon(script) as path:
        run(main())


def test_cancelling_a_fetch_cancels_the_request_and_its_handler() -> None:
    asked: list[asyncio.Event] = []  # made in the loop: before Python 3.10 an event belongs to one
    stopped: list[str] = []

    async def handler(_: Challenge) -> Answer:
        asked[0].set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append("handler")
            raise
        return watchword.reject()

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        methods = {peer.message()["method"], peer.message()["method"]}
        assert methods == {"$/cancelRequest", "challenge/reply"}
        descriptor = memory_file(b"late")
        peer.reply(request, response(descriptor=0, size=4), [descriptor])
        os.close(descriptor)
        peer.reply(peer.expect("ping"), {})

    async def main() -> None:
        async with AsyncClient(path) as client:
            asked.append(asyncio.Event())
            session = await client.session(on_challenge=handler)
            fetch = asyncio.ensure_future(session.fetch("http://a/"))
            await asyncio.wait_for(asked[0].wait(), 10)
            fetch.cancel()
            with pytest.raises(asyncio.CancelledError):
                await fetch
            await client.ping()
            assert stopped == ["handler"]

    with FakeDaemon(script) as path:
        run(main())


def test_a_socket_whose_listening_was_cancelled_takes_no_connection(tmp_path: Path) -> None:
    """The caller's own copy is closed, and the daemon's is what the late reply is about."""
    received: list[int] = []

    def script(peer: Peer) -> None:
        request = peer.expect("peer/listen")
        received.extend(peer.descriptors)
        peer.descriptors.clear()
        assert peer.expect("$/cancelRequest")["params"] == {"id": request["id"]}
        ping = peer.expect("ping")
        peer.reply(request, {"session": "s", "restriction": "r"})
        peer.reply(ping, {})

    async def main() -> None:
        async with AsyncClient(path) as client:
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(tmp_path / "s"))
                listener.listen()
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.listen(listener, [FetchRule("http://a")]), 0.05)
            await client.ping()

    with FakeDaemon(script) as path:
        run(main())
    with socket.socket(socket.AF_UNIX) as caller, pytest.raises(ConnectionRefusedError):
        caller.connect(str(tmp_path / "s"))
    for descriptor in received:
        os.close(descriptor)


def test_what_a_cancelled_call_hands_out_later_is_given_back() -> None:
    called: list[str] = []

    def script(peer: Peer) -> None:
        opening = peer.expect("session/open")
        assert peer.expect("$/cancelRequest")["params"] == {"id": opening["id"]}
        second = peer.expect("session/open")
        peer.reply(opening, {"session": "late", "created": True})
        assert peer.expect("session/close")["params"] == {"session": "late"}
        peer.reply(second, {"session": "s", "created": True})
        start = peer.expect("task/start")
        assert peer.expect("$/cancelRequest")["params"] == {"id": start["id"]}
        ping = peer.expect("ping")
        task = {"task": start["params"]["task"]}
        peer.reply(start, task)
        assert peer.expect("task/cancel")["params"] == task
        peer.reply(ping, {})

    async def main() -> None:
        async with AsyncClient(path) as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.session(), 0.05)
            session = await client.session()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(session.stream("http://a/"), 0.05)
            await client.ping()
            called.append("ping")

    with FakeDaemon(script) as path:
        run(main())
    assert called == ["ping"]


def test_descriptors_cross_in_both_directions(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"upload")

    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        content = os.read(peer.descriptors[0], 100)
        descriptor = memory_file(content * 2)
        peer.reply(request, response(descriptor=0, size=12), [descriptor])
        os.close(descriptor)

    async def main() -> None:
        async with AsyncClient(path) as client:
            with await client.fetch("http://a/", body=tmp_path / "in") as got:
                assert got.content == b"uploadupload"

    with FakeDaemon(script) as path:
        run(main())


def test_a_download_appears_when_it_is_complete(tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncClient(path) as client:
            session = await client.session()
            await session.download("http://a/", tmp_path / "out")

    with FakeDaemon(writing(b"content")) as path:
        run(main())
    assert (tmp_path / "out").read_bytes() == b"content"


def test_a_stream_gives_its_head_and_then_its_pieces() -> None:
    async def main() -> None:
        async with AsyncClient(path) as client:
            session = await client.session()
            async with await session.stream("http://a/") as stream:
                assert (await stream.head()).status == 200
                assert [piece async for piece in stream] == [b"one", b"two"]
                assert (await stream.response()).size == 6

    with FakeDaemon(stream_script(b"one", b"two")) as path:
        run(main())


def test_a_task_reports_its_events_in_order() -> None:
    async def main() -> None:
        async with AsyncClient(path) as client:
            task = await (await client.session()).start("http://a/", output="stream")
            names = [type(event).__name__ async for event in task]
            assert names == ["ResponseReceived", "DataReceived", "TaskFinished"]
            assert (await task.wait()).size == 3

    with FakeDaemon(stream_script(b"one")) as path:
        run(main())


def test_the_status_can_be_watched() -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("status/subscribe"), {"subscribed": True})
        peer.notify("status/didChange", {"n": 1})
        peer.reply(peer.expect("status/unsubscribe"), {"subscribed": False})

    async def main() -> None:
        async with AsyncClient(path) as client:
            async with await client.watch_status() as snapshots:
                async for snapshot in snapshots:
                    assert dict(snapshot) == {"n": 1}
                    break

    with FakeDaemon(script) as path:
        run(main())


def test_large_messages_cross_both_ways_at_once() -> None:
    url = "http://a/" + "x" * 3_000_000

    def script(peer: Peer) -> None:
        peer.notify("status/didChange", {"filler": "y" * 3_000_000})
        for _ in range(2):
            request = peer.expect("fetch")
            peer.reply(request, response(text=request["params"]["url"]))

    async def main() -> None:
        async with AsyncClient(path) as client:
            client._connection.conversation.heed({"messageBytes": 4_000_000})
            one, two = await asyncio.gather(client.fetch(url), client.fetch(url + "2"))
            assert (one.text, two.text) == (url, url + "2")

    with FakeDaemon(script) as path:
        run(main())


def test_every_waiter_hears_of_a_lost_connection() -> None:
    def script(peer: Peer) -> None:
        peer.expect("fetch")
        peer.expect("fetch")

    async def main() -> None:
        async with AsyncClient(path) as client:
            got = await asyncio.gather(client.fetch("http://a/"), client.fetch("http://a/"), return_exceptions=True)
            assert [type(error) for error in got] == [watchword.DaemonConnectionLost] * 2
            with pytest.raises(watchword.DaemonConnectionLost):
                await client.ping()

    with FakeDaemon(script) as path:
        run(main())


def test_malformed_replies_are_protocol_errors() -> None:
    async def main() -> None:
        async with AsyncClient(path) as client:
            with pytest.raises(watchword.ProtocolError):
                await client.fetch("http://a/")

    with FakeDaemon(lambda peer: peer.raw(b'{"jsonrpc":"2.0","id":2}\n')) as path:
        run(main())


def test_closing_fails_what_waits() -> None:
    def script(peer: Peer) -> None:
        peer.expect("fetch")
        with pytest.raises(EOFError):
            peer.message()

    async def main() -> None:
        client = await AsyncClient(path).connect()
        fetch = asyncio.ensure_future(client.fetch("http://a/"))
        await asyncio.sleep(0.01)
        await client.close()
        with pytest.raises(watchword.ClientClosed):
            await fetch
        with pytest.raises(watchword.ClientClosed):
            await client.ping()

    with FakeDaemon(script) as path:
        run(main())


def test_a_socket_without_a_daemon_is_daemon_unavailable(tmp_path: Path) -> None:
    async def main() -> None:
        with pytest.raises(watchword.DaemonUnavailable):
            await AsyncClient(tmp_path / "none.sock").connect()
        with pytest.raises(watchword.ClientClosed):
            await AsyncClient(tmp_path / "none.sock").ping()

    run(main())


def test_a_hang_up_during_hello_is_daemon_unavailable() -> None:
    async def main() -> None:
        with pytest.raises(watchword.DaemonUnavailable):
            await AsyncClient(path).connect()

    with FakeDaemon(lambda peer: None, hello=False) as path:
        run(main())


def test_both_faces_have_the_same_methods() -> None:
    different = {"serve", "connect"}
    for one, other in (
        (watchword.Client, watchword.AsyncClient),
        (watchword.Session, watchword.AsyncSession),
        (watchword.Task, watchword.AsyncTask),
        (watchword.Stream, watchword.AsyncStream),
    ):
        names = [{name for name in vars(cls) if not name.startswith("_")} - different for cls in (one, other)]
        assert names[0] - names[1] <= {"status", "status_code"}  # properties cannot wait
        assert names[1] - names[0] == set()


@pytest.mark.parametrize("failing", [False, True])
def test_a_task_may_be_awaited_by_several(failing: bool) -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        peer.reply(request, {"task": task})
        peer.reply(peer.expect("ping"), {})
        peer.notify("task/didSendBodyData", {"task": task, "bytesSent": 1, "totalBytes": 2})
        error = {"code": 1304, "message": "late", "data": {"kind": "timedOut", "phase": "request"}}
        peer.notify("task/didFinish", {"task": task, "error": error} if failing else {**response(), "task": task})
        serve_fetches(peer)

    async def main() -> None:
        async with AsyncClient(path) as client:
            task = await (await client.session()).start("http://a/")

            async def events() -> list[str]:
                return [type(event).__name__ async for event in task]

            iterating = asyncio.ensure_future(events())
            waiting = [asyncio.ensure_future(task.wait()) for _ in range(3)]
            await asyncio.sleep(0)
            given_up = waiting.pop()
            given_up.cancel()
            await client.ping()
            outcomes = await asyncio.gather(*waiting, task.wait(), return_exceptions=True)
            if failing:
                assert [type(outcome) for outcome in outcomes] == [watchword.TimedOut] * 3
                assert len({id(outcome) for outcome in outcomes}) == 3
            else:
                assert [outcome.text for outcome in outcomes if isinstance(outcome, watchword.Response)] == ["body"] * 3
            assert set(await iterating) <= {"BodyDataSent", "TaskFinished"}
            assert given_up.cancelled()
            assert [event async for event in task] == []

    with FakeDaemon(script) as path:
        run(main())


def test_a_stream_and_a_waiter_share_a_task() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        peer.reply(request, {"task": task})
        peer.reply(peer.expect("ping"), {})
        peer.notify("task/didFinish", {**response(), "task": task})
        serve_fetches(peer)

    async def main() -> None:
        async with AsyncClient(path) as client:
            task = await (await client.session()).start("http://a/")
            first = asyncio.ensure_future(task.__anext__())
            second = asyncio.ensure_future(task.__anext__())
            await asyncio.sleep(0)
            await client.ping()
            ended = await asyncio.gather(first, second, return_exceptions=True)
            assert {type(end) for end in ended} == {watchword.TaskFinished, StopAsyncIteration}

    with FakeDaemon(script) as path:
        run(main())
