"""A client goes on with a daemon that was restarted, and in a child process."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Any, Callable

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge, response, serve_fetches
from Support.fake_daemon import Message, Peer
from watchword import AsyncClient, Client
from watchword._conversation import Conversation

Script = Callable[[Peer], None]


def answer(_: watchword.Challenge) -> watchword.Answer:
    return watchword.use_credential("reader", "hunter2")


def then_gone(peer: Peer) -> None:
    """A daemon that is restarted as soon as a session is open."""
    peer.open_session()


def opens_and_fetches(identifier: str, seen: list[Message]) -> Script:
    """The daemon after it: what it is asked, until the end."""

    def script(peer: Peer) -> None:
        seen.append(peer.open_session(identifier)["params"])
        serve(peer, seen)

    return script


def serve(peer: Peer, seen: list[Message]) -> None:
    try:
        while True:
            request = peer.message()
            seen.append({"rpc": request["method"], **request["params"]})
            peer.reply(request, response() if request["method"] == "fetch" else {"tasks": []})
    except (EOFError, OSError):
        pass


def gone(client: Client) -> None:
    """Waits until the daemon of a client has hung up."""
    connection = client._connection.current
    while not connection.has_hung_up():
        os.sched_yield()


@pytest.mark.parametrize("verb", ["get", "post"])
def test_the_next_call_opens_the_session_again(verb: str) -> None:
    seen: list[Message] = []
    with FakeDaemon(then_gone, opens_and_fetches("private-2", seen)) as path, Client(path) as client:
        session = client.session(configuration={"cookies": "never"}, on_challenge=answer, methods=["digest"])
        gone(client)
        assert getattr(session, verb)("http://a/").status == 200
        assert session.id == "private-2"
        assert session.tasks() == []
        session.close()
    opening, fetched, tasks, left = seen
    assert opening == {"configuration": {"cookies": "never"}, "delegate": {"tasks": ["digest"]}}
    assert (fetched["session"], tasks["session"], left["session"]) == ("private-2",) * 3


def test_the_delegate_answers_again() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        reply = peer.expect("challenge/reply")
        peer.reply(reply, {"accepted": True})
        peer.reply(request, response(text=reply["params"]["credential"]["user"]))

    with FakeDaemon(then_gone, script) as path, Client(path) as client:
        session = client.session(on_challenge=answer)
        gone(client)
        assert session.get("http://a/").text == "reader"


def test_a_reading_call_that_was_under_way_is_made_again() -> None:
    def reads_and_goes(peer: Peer) -> None:
        peer.open_session()
        peer.expect("fetch")

    seen: list[Message] = []
    with FakeDaemon(reads_and_goes, opens_and_fetches("private-2", seen)) as path, Client(path) as client:
        assert client.session().fetch("http://a/").status == 200
    assert [one.get("rpc") for one in seen] == [None, "fetch"]
    assert seen[1]["session"] == "private-2"


@pytest.mark.parametrize(
    "arguments",
    [{"method": "POST"}, {"method": "PATCH"}, {"method": "PUT", "data": b"x" * 100_000}, {"detached": True}],
)
def test_a_call_that_may_have_been_carried_out_is_an_error_that_says_so(arguments: dict[str, Any]) -> None:
    def reads_and_goes(peer: Peer) -> None:
        peer.expect("fetch")

    with FakeDaemon(reads_and_goes, serve_fetches) as path, Client(path) as client:
        with pytest.raises(watchword.DaemonConnectionLost, match="fetch may have been carried out: look before"):
            client.fetch("http://a/", **arguments)
        assert client.get("http://a/").status == 200  # the client goes on


def test_a_daemon_that_said_that_it_stops_is_followed() -> None:
    def stops(peer: Peer) -> None:
        peer.send({"id": None, "error": {"code": 1006, "message": "stopping", "data": {"kind": "shuttingDown"}}})

    with FakeDaemon(stops, serve_fetches) as path, Client(path) as client:
        gone(client)
        assert client.get("http://a/").status == 200


INTERRUPTED = {"code": 1112, "message": "the daemon stopped", "data": {"kind": "taskInterrupted", "retry": "later"}}


def test_a_fetch_that_a_stopping_daemon_ended_is_made_again_where_that_is_harmless() -> None:
    def interrupts(peer: Peer) -> None:
        peer.refuse(peer.expect("fetch"), INTERRUPTED)
        with pytest.raises(EOFError):
            peer.message()

    with FakeDaemon(interrupts, serve_fetches) as path, Client(path) as client:
        assert client.get("http://a/").status == 200
    with FakeDaemon(interrupts, serve_fetches) as path, Client(path) as client:
        with pytest.raises(watchword.DaemonConnectionLost, match="fetch may have been carried out: look before"):
            client.fetch("http://a/", method="POST")


def test_streams_and_downloads_start_on_the_new_connection(tmp_path: Any) -> None:
    def serves_a_file(peer: Peer) -> None:
        peer.open_session("private-2")
        request = peer.expect("fetch")
        os.write(peer.descriptors[0], b"whole")
        peer.reply(request, response(size=5))

    with FakeDaemon(then_gone, serves_a_file) as path, Client(path) as client:
        session = client.session()
        gone(client)
        session.download("http://a/", tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == b"whole"


def test_what_waited_on_the_old_connection_has_lost_it() -> None:
    def starts_and_goes(peer: Peer) -> None:
        peer.open_session()
        peer.reply(peer.expect("task/start"), {"task": "t"})

    with FakeDaemon(starts_and_goes, opens_and_fetches("private-2", [])) as path, Client(path) as client:
        session = client.session()
        task = session.start("http://a/")
        gone(client)
        assert session.get("http://a/").status == 200
        with pytest.raises(watchword.DaemonConnectionLost):
            task.wait()


def test_a_session_that_was_ended_is_not_opened_again() -> None:
    def ends(peer: Peer) -> None:
        for method in ("session/close", "session/invalidate"):
            peer.open_session()
            peer.reply(peer.expect(method), {})
        peer.open_session()

    seen: list[Message] = []
    with FakeDaemon(ends, lambda peer: serve(peer, seen)) as path, Client(path) as client:
        client.session("a").close()
        client.session("b").invalidate()
        client.default_session()
        ended = client.session("c")
        ended._connection.end()
        gone(client)
        client.ping()
    assert seen == [{"rpc": "ping"}]


def test_serving_opens_the_sessions_of_other_processes_delegates() -> None:
    seen: list[Message] = []

    def script(peer: Peer) -> None:
        seen.append(peer.open_session()["params"])
        peer.notify("session/didReceiveChallenge", challenge("theirs", session="shared"))
        seen.append(peer.expect("challenge/reply")["params"])

    with FakeDaemon(then_gone, script) as path, Client(path) as client:
        client.session("shared", on_session_challenge=answer)
        gone(client)
        with pytest.raises(watchword.DaemonConnectionLost):
            client.serve()
    assert seen[0] == {"name": "shared", "delegate": {"session": ["*"], "trustVerdicts": "refused"}}
    assert seen[1]["credential"]["user"] == "reader"


def test_a_restricted_connection_is_not_followed_by_a_free_one() -> None:
    def restricts(peer: Peer) -> None:
        peer.reply(peer.expect("peer/restrict"), {"restriction": "r"})

    with FakeDaemon(restricts, serve_fetches) as path, Client(path) as client:
        client.restrict([watchword.FetchRule(origin="http://a")])
        gone(client)
        for _ in range(2):
            with pytest.raises(watchword.DaemonConnectionLost):
                client.get("http://a/")
        Client(path).close()  # the second script wants its connection


def test_a_client_that_was_closed_stays_closed() -> None:
    with FakeDaemon(then_gone, serve_fetches) as path:
        with Client(path) as client:
            client.session()
            gone(client)
        with pytest.raises(watchword.ClientClosed):
            client.ping()
        Client(path).close()


def test_threads_share_the_new_connection() -> None:
    seen: list[Message] = []
    with FakeDaemon(then_gone, opens_and_fetches("private-2", seen)) as path, Client(path) as client:
        session = client.session()
        gone(client)
        threads = [threading.Thread(target=session.get, args=("http://a/",)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert [one.get("rpc") for one in seen] == [None] + ["fetch"] * 8


def test_a_child_process_has_a_connection_of_its_own() -> None:
    seen: list[Message] = []
    with FakeDaemon(then_open_for_ever, opens_and_fetches("private-2", seen)) as path, Client(path) as client:
        session = client.session(on_challenge=answer)
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if session.post("http://a/").status == 200 and session.id == "private-2" else 1)
            finally:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert session.id == "private-1"
        assert session.tasks() == []
    assert [one.get("rpc") for one in seen] == [None, "fetch"]


def test_a_child_process_names_its_tasks_otherwise() -> None:
    conversation = Conversation()
    conversation.next_task()
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, conversation.next_task().encode())
        os._exit(0)
    os.close(theirs)
    os.waitpid(child, 0)
    with os.fdopen(ours) as reader:
        assert reader.read() not in ("", conversation.next_task())


def then_open_for_ever(peer: Peer) -> None:
    peer.open_session()
    serve(peer, [])


@pytest.mark.parametrize("verb", ["get", "post"])
def test_the_same_with_asyncio(verb: str) -> None:
    seen: list[Message] = []

    async def run(path: str) -> None:
        async with AsyncClient(path) as client:
            session = await client.session(on_challenge=answer)
            while not client._connection.current.has_hung_up():
                pass  # the loop has not seen it
            answers = await asyncio.gather(*(getattr(session, verb)("http://a/") for _ in range(3)))
            assert {one.status for one in answers} == {200}
            assert session.id == "private-2"
            await session.close()

    with FakeDaemon(then_gone, opens_and_fetches("private-2", seen)) as path:
        asyncio.run(run(path))
    assert [one.get("session") for one in seen] == [None] + ["private-2"] * 4


def test_with_asyncio_what_may_have_been_carried_out_says_so() -> None:
    def reads_and_goes(peer: Peer) -> None:
        peer.expect("fetch")

    async def run(path: str) -> None:
        async with AsyncClient(path) as client:
            with pytest.raises(watchword.DaemonConnectionLost, match="fetch may have been carried out"):
                await client.post("http://a/")
            assert (await client.get("http://a/")).status == 200
            await asyncio.sleep(0)

    with FakeDaemon(reads_and_goes, serve_fetches) as path:
        asyncio.run(run(path))


def test_with_asyncio_a_reading_call_that_was_under_way_is_made_again() -> None:
    def reads_and_goes(peer: Peer) -> None:
        peer.open_session()
        peer.expect("fetch")

    async def run(path: str) -> None:
        async with AsyncClient(path) as client:
            session = await client.session()
            assert (await session.get("http://a/")).status == 200
            async with await session.stream("http://a/", output="discard") as stream:
                assert stream.task.id

    def script(peer: Peer) -> None:
        peer.open_session("private-2")
        peer.reply(peer.expect("fetch"), response())
        request = peer.expect("task/start")
        assert request["params"]["session"] == "private-2"
        peer.reply(request, {"task": request["params"]["task"]})
        peer.reply(peer.expect("task/cancel"), {})

    with FakeDaemon(reads_and_goes, script) as path:
        asyncio.run(run(path))
