"""Tasks: started, listed, suspended, resumed, cancelled, detached."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password, pause
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange, head
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, held, redirect, reply, reset_after, stall_after

pytestmark = pytest.mark.threads

Connect = Callable[..., Peer]


@pytest.fixture
def session(peer: Peer) -> str:
    return peer.open()


def start(peer: Peer, session: str, url: str, task: str = "t", **members: Json) -> None:
    params = {"session": session, "url": url, "task": task, **members}
    assert peer.call("task/start", params) == {"task": task}


def states(peer: Peer, session: str) -> dict[str, str]:
    tasks = peer.call("task/list", {"session": session})["tasks"]
    return {task["task"]: task["state"] for task in tasks}


def test_a_started_task_tells_its_story_in_order(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(headers=[("X-Story", "1")]))
    start(peer, session, url)
    finish = peer.notification("task/didFinish")
    assert (finish["task"], finish["status"], finish["url"]) == ("t", 200, url)
    assert ["X-Story", "1"] in finish["headers"]
    (response,) = [note for note in peer.notifications if note["method"] == "task/didReceiveResponse"]
    assert (response["params"]["status"], response["params"]["protocol"]) == (200, "http/1.1")
    peer.call("ping")
    assert len(peer.notifications) == 1


def test_a_failed_task_finishes_with_its_error(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    start(peer, session, origin.serve("/", reset_after(b"")))
    finish = peer.notification("task/didFinish")
    assert finish["error"]["data"]["kind"] == "connectionLost"
    assert (finish["task"], finish["session"]) == ("t", session)


def test_the_daemon_names_tasks_that_have_no_name(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    named = {peer.call("task/start", {"session": session, "url": url})["task"] for _ in range(5)}
    assert len(named) == 5
    finished = {peer.notification("task/didFinish")["task"] for _ in range(5)}
    assert finished == named


def test_a_name_that_the_daemon_would_choose_may_be_a_callers(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    start(peer, session, url, "t2")
    chosen = {peer.call("task/start", {"session": session, "url": url})["task"] for _ in range(3)}
    assert len(chosen) == 3 and "t2" not in chosen
    assert set(states(peer, session)) == {"t2", *chosen}
    gate.open()
    assert {peer.notification("task/didFinish")["task"] for _ in range(4)} == {"t2", *chosen}
    assert peer.call("status")["usage"]["tasks"] == 0


def test_a_name_in_use_is_refused(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    start(peer, session, url)
    again = {"session": session, "url": url, "task": "t"}
    assert kind_of(peer.call, "task/start", again) == "taskIdentifierInUse"
    gate.open()
    peer.notification("task/didFinish")
    start(peer, session, url)
    peer.notification("task/didFinish")


def test_tasks_are_listed_with_their_states(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    start(peer, session, origin.serve("/stall", stall_after()), "running")
    start(peer, session, origin.serve("/staff", guarded(BasicGuard("r", USER, PASSWORD))), "waiting")
    start(peer, session, origin.serve("/suspended", stall_after()), "suspended")
    challenge = peer.challenge()
    peer.call("task/suspend", {"task": "suspended"})
    assert states(peer, session) == {
        "running": "running",
        "waiting": "waiting",
        "suspended": "suspended",
    }
    described = peer.call("task/describe", {"task": "waiting"})
    assert (described["method"], described["detached"]) == ("GET", False)
    assert described["url"] == f"{origin.url}/staff"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    peer.notification("task/didFinish", lambda params: params["task"] == "waiting")
    for name in ("running", "suspended"):
        peer.call("task/cancel", {"task": name})
    assert states(peer, session) == {}


@pytest.mark.parametrize("method", ["task/cancel", "task/suspend", "task/resume", "task/describe"])
def test_a_task_that_is_not_there_is_not_found(peer: Peer, method: str) -> None:
    assert kind_of(peer.call, method, {"task": "nobody"}) == "taskNotFound"


@pytest.mark.parametrize("moment", ["before the response", "in the body"])
def test_cancelling_ends_a_task_and_its_connection(
    peer: Peer, session: str, origin: ScriptedOrigin, moment: str
) -> None:
    sent = b"" if moment == "before the response" else head(200, [("Content-Length", "9")]) + b"abc"
    start(peer, session, origin.serve("/", stall_after(sent)), output="discard")
    origin.wait_for_requests(1)
    if sent:
        peer.notification("task/didReceiveResponse")
    assert peer.call("task/cancel", {"task": "t"}) == {"task": "t"}
    assert peer.notification("task/didFinish")["error"]["data"]["kind"] == "taskCancelled"
    assert kind_of(peer.call, "task/cancel", {"task": "t"}) == "taskNotFound"
    origin.wait_until(lambda: not origin.connections[0].open)


def test_a_connection_that_leaves_cancels_its_tasks(connect: Connect, origin: ScriptedOrigin) -> None:
    leaver, observer = connect(), connect()
    observer.open("s")
    for number in range(5):
        start(leaver, "s", origin.serve(f"/{number}", stall_after()), f"t{number}")
    origin.wait_for_requests(5)
    leaver.close()
    origin.wait_until(lambda: not any(connection.open for connection in origin.connections))
    while states(observer, "s"):
        pause()


@pytest.mark.threads
def test_kept_results_are_bounded_in_bytes(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    """Base64 of each has 10 MiB, of all together 64 MiB are kept: the oldest goes."""
    url = origin.serve("/", reply(body=bytes(15 << 19)))
    names = [f"k{number}" for number in range(8)]
    for name in names:
        start(peer, session, url, task=name, detached=True, output="inline")
        assert peer.notification("task/didFinish")["task"] == name
    assert kind_of(peer.call, "task/describe", {"task": names[0]}) == "taskNotFound"
    assert peer.call("task/describe", {"task": names[-1]})["result"]["status"] == 200


def test_a_detached_task_goes_on_and_its_result_is_kept(connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    leaver, observer = connect(), connect()
    observer.open("s")
    start(leaver, "s", origin.serve("/", held(gate, reply())), detached=True)
    origin.wait_for_requests(1)
    leaver.close()
    assert states(observer, "s") == {"t": "running"}
    gate.open()
    while (described := observer.call("task/describe", {"task": "t"}))["state"] != "finished":
        pause()
    assert described["result"]["status"] == 200
    assert described["detached"] is True


def test_the_error_of_a_detached_task_is_kept(connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    leaver, observer = connect(), connect()
    observer.open("s")
    start(leaver, "s", origin.serve("/", held(gate, reset_after(b""))), detached=True)
    origin.wait_for_requests(1)
    leaver.close()
    gate.open()
    while (described := observer.call("task/describe", {"task": "t"}))["state"] != "finished":
        pause()
    assert described["error"]["data"]["kind"] == "connectionLost"


def test_a_suspended_task_takes_no_more_bytes(
    daemon: Daemon, peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    suspended = origin.gate()

    async def flood(exchange: Exchange) -> None:
        await exchange.send(head(200, [("Content-Length", str(64 << 20))]))
        await suspended.opened()
        for _ in range(64):
            await exchange.send(bytes(1 << 20))

    start(peer, session, origin.serve("/", flood), output="discard")
    peer.notification("task/didReceiveResponse")
    peer.call("task/suspend", {"task": "t"})
    suspended.open()

    for _ in range(200):
        peer.call("ping")
    assert peer.call("task/describe", {"task": "t"})["bytesReceived"] < 2 << 20
    assert states(peer, session) == {"t": "suspended"}
    assert peer.call("task/resume", {"task": "t"}) == {"task": "t"}
    assert peer.notification("task/didFinish")["body"] == {"size": 64 << 20}


def test_a_task_may_be_suspended_at_once_and_resumed(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    start(peer, session, origin.serve("/", reply(body=b"x" * 100_000)))
    suspend = peer.request("task/suspend", {"task": "t"})
    resume = peer.request("task/resume", {"task": "t"})
    for request in (suspend, resume):
        try:
            peer.result(request)
        except RemoteError as error:
            assert error.kind == "taskNotFound"
    assert peer.notification("task/didFinish")["status"] == 200


def test_timeouts_do_not_run_while_suspended(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    start(peer, session, url, timeouts={"requestSeconds": 2, "resourceSeconds": 2})
    origin.wait_for_requests(1)
    peer.call("task/suspend", {"task": "t"})
    stalled = origin.serve("/stall", stall_after())
    clock = {"resourceSeconds": 3}
    assert kind_of(lambda: peer.fetch(session, stalled, timeouts=clock)) == "timedOut"
    assert states(peer, session) == {"t": "suspended"}
    peer.call("task/resume", {"task": "t"})
    gate.open()
    assert peer.notification("task/didFinish")["status"] == 200


def test_a_suspended_task_sends_nothing_when_its_challenge_is_answered(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    session = peer.open(tasks=["basic"])
    start(peer, session, origin.serve("/", challenged('Basic realm="staff"'), reply()))
    challenge = peer.challenge()
    peer.call("task/suspend", {"task": "t"})
    peer.answer(challenge, password("reader", "sentinel-suspended"))
    assert peer.fetch(session, origin.serve("/other", reply()))["status"] == 200
    assert len(origin.requests_to("/")) == 1
    assert states(peer, session) == {"t": "suspended"}
    peer.call("task/resume", {"task": "t"})
    assert peer.notification("task/didFinish")["status"] == 200
    assert len(origin.requests_to("/")) == 2


def test_a_suspended_task_that_has_no_connection_yet_sends_nothing(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    session = peer.open(configuration={"connectionsPerHost": 1})
    gate = origin.gate()
    first = peer.start_fetch(session, origin.serve("/first", held(gate, reply())))
    origin.wait_for_requests(1)
    start(peer, session, origin.serve("/", reply()))
    peer.call("task/suspend", {"task": "t"})
    gate.open()
    assert peer.result(first)["status"] == 200
    assert peer.fetch(session, origin.serve("/other", reply()))["status"] == 200
    assert not origin.requests_to("/")
    peer.call("task/resume", {"task": "t"})
    assert peer.notification("task/didFinish")["status"] == 200


def test_a_suspended_task_can_be_cancelled(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    start(peer, session, origin.serve("/", stall_after()))
    peer.call("task/suspend", {"task": "t"})
    peer.call("task/cancel", {"task": "t"})
    assert peer.notification("task/didFinish")["error"]["data"]["kind"] == "taskCancelled"


@pytest.mark.parametrize("asks", [False, True])
def test_a_result_has_what_was_asked_for(peer: Peer, origin: ScriptedOrigin, asks: bool) -> None:
    """Plain, over a redirect, after a 401, of a task and of one that is kept."""
    session = peer.open("kept", tasks=["basic"])
    asked: dict[str, Json] = {"metrics": True} if asks else {}
    always = {"task", "session", "url", "status", "headers", "body", *asked}
    url = origin.serve("/", reply())
    assert peer.fetch(session, url, **asked).keys() == always
    moved = peer.fetch(session, origin.serve("/old", redirect("/")), **asked)
    assert moved.keys() == {*always, "redirects"}
    staff = origin.serve("/staff", guarded(BasicGuard("r", USER, PASSWORD)))
    fetch = peer.start_fetch(session, staff, **asked)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    welcome = peer.result(fetch)
    assert welcome.keys() == always
    if asks:
        assert [exchange["status"] for exchange in moved["metrics"]["exchanges"]] == [302, 200]
        assert [exchange["status"] for exchange in welcome["metrics"]["exchanges"]] == [401, 200]
    start(peer, session, url, detached=True, **asked)
    assert peer.notification("task/didFinish").keys() == always
    assert peer.call("task/describe", {"task": "t"})["result"].keys() == always


def test_metrics_tell_every_exchange(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    fetch = peer.start_fetch(session, url, metrics=True)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    metrics = peer.result(fetch)["metrics"]
    first, second = metrics["exchanges"]
    assert (first["status"], first["authenticationMethod"]) == (401, None)
    assert (second["status"], second["authenticationMethod"]) == (200, "basic")
    assert (first["reused"], second["reused"]) == (False, True)
    assert first["protocol"] == "http/1.1"
    assert metrics["challengeWaitSeconds"] > 0
    assert metrics["totalSeconds"] >= metrics["challengeWaitSeconds"]
    assert metrics["bytesSent"] > 0
    assert metrics["bytesReceived"] > 0


def test_connections_are_reused(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    for _ in range(10):
        peer.fetch(session, url)
    assert len(origin.connections) == 1
    assert peer.counter("connections.opened") == 1
    assert peer.counter("connections.reused") == 9


def test_connections_per_host_are_bounded(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open("c", configuration={"connectionsPerHost": 3})
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    fetches = [peer.start_fetch(session, url) for _ in range(30)]
    origin.wait_for_requests(3)
    gate.open()
    assert all(peer.result(fetch)["status"] == 200 for fetch in fetches)
    assert len(origin.connections) <= 3


def test_a_connection_that_the_server_closed_is_replaced(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    async def close_after(exchange: Exchange) -> None:
        await exchange.respond(200, [], b"bye")
        await exchange.close()

    url = origin.serve("/", close_after)
    for _ in range(5):
        assert peer.fetch(session, url)["status"] == 200
        origin.wait_until(lambda: not origin.connections[-1].open)


def test_http_2_carries_many_tasks_on_one_connection(peer: Peer, nginx: Nginx, authority: Authority) -> None:
    roots = {"tls": {"roots": {"certificates": authority.pem}}}
    session = peer.open("h", configuration=roots)
    fetches = [peer.start_fetch(session, f"{nginx.http2}/small", metrics=True) for _ in range(50)]
    results = [peer.result(fetch) for fetch in fetches]
    assert {result["metrics"]["protocol"] for result in results} == {"h2"}
    assert peer.counter("connections.opened") == 1


def test_the_session_may_insist_on_http_1(peer: Peer, nginx: Nginx, authority: Authority) -> None:
    configuration = {
        "tls": {"roots": {"certificates": authority.pem}},
        "httpVersions": ["1.1"],
    }
    session = peer.open("h", configuration=configuration)
    assert peer.metrics(session, f"{nginx.http2}/small")["protocol"] == "http/1.1"
