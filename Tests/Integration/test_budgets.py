"""What one uid may make the daemon keep, in bytes."""

from __future__ import annotations

import base64
import contextlib
import os
import select
from collections.abc import Callable

import pytest

from Integration import held_bytes
from Integration.sentinels import PASSWORD, TOKEN, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password, pause
from Support.daemon import Daemon
from Support.exchange import Exchange, Script, head
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import Gate, ScriptedOrigin
from Support.scripts import challenged, held, redirect, reply

pytestmark = pytest.mark.threads

Connect = Callable[..., Peer]

#: More than one reply to rpc.discover, so that there is no room for it when there is none for another reply.
LARGE = "x" * 450_000


def kept(peer: Peer) -> int:
    return int(peer.call("status")["usage"]["bytesPerUid"])


def wait_until_kept(peer: Peer, count: int) -> None:
    """Polls; a test that waits in vain ends with the suite's time limit."""
    while kept(peer) != count:
        peer.call("ping")


def send_batch_that_waits(peer: Peer, url: str) -> None:
    """The replies to everything else are collected until the fetch has ended."""
    fetch = {"jsonrpc": "2.0", "id": "held", "method": "fetch", "params": {"url": url}}
    rest = [{"jsonrpc": "2.0", "id": number, "method": "rpc.discover"} for number in range(1023)]
    peer.send([fetch, *rest])


#: A configuration, and what a session with it takes.
CONFIGURATION = {"headers": [["X-Long", "x" * 50_000]] * 8}
CONFIGURATION_BYTES = held_bytes.SESSION + 8 * held_bytes.field("X-Long", 50_000)


def connected(count: int, running: int) -> int:
    """What connections of one session to an origin take, some of which are in use."""
    return held_bytes.POOL + count * held_bytes.CONNECTION + running * held_bytes.EXCHANGE


def test_a_uid_keeps_a_bounded_number_of_bytes(connect: Connect, origin: ScriptedOrigin) -> None:
    observer = connect()
    limit = observer.call("status")["limits"]["bytesPerUid"]
    gate = origin.gate()
    url = origin.serve("/held", held(gate, reply()))
    plain = origin.serve("/", reply())
    greedy = [connect(checked=False) for _ in range(4)]
    for peer in greedy:
        send_batch_that_waits(peer, url)
    origin.wait_for_requests(4)
    # Batches are taken apart in steps.
    while kept(observer) <= limit - len(LARGE):
        observer.call("ping")
    assert kept(observer) <= limit
    posting = {"method": "POST", "body": {"text": LARGE}}
    assert kind_of(lambda: observer.fetch("default", plain, **posting)) == "limitExceeded"
    assert kind_of(lambda: observer.open(configuration=CONFIGURATION)) == "limitExceeded"
    gate.open()
    last = greedy.pop()
    answers = {answer["id"]: answer for answer in last.next_message()}
    assert observer.fetch("default", plain)["status"] == 200
    assert "result" in answers["held"], answers["held"]
    assert answers["held"]["result"]["status"] == 200
    refused = [answer for answer in answers.values() if "error" in answer]
    assert {answer["error"]["data"]["limit"] for answer in refused} == {"bytesPerUid"}
    for peer in greedy:
        peer.close()
    # The session stays, with the connections that are idle.
    while kept(observer) > held_bytes.SESSION + connected(6, running=0):
        observer.call("ping")
    assert observer.fetch("default", plain, **posting)["status"] == 200
    observer.open(configuration=CONFIGURATION)


def test_messages_that_do_not_arrive_in_whole_are_bounded(connect: Connect) -> None:
    observer = connect()
    limits = observer.call("status")["limits"]
    reserved, limit = limits["reservedBytesPerUid"], limits["bytesPerUid"]
    half = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * (limits["messageBytes"] - 1000)
    sent = 0

    def send_half() -> Peer:
        peer = connect(checked=False)
        with contextlib.suppress(BrokenPipeError):  # a refused one is not read to its end
            peer.send_bytes(half)
        observer.call("ping")
        return peer

    while observer.call("status")["usage"].get("bytesPerUid", 0) == 0:
        send_half()
        sent += len(half)
    assert sent < reserved
    # The reserve is full, and harms no other message.
    observer.open(configuration=CONFIGURATION)
    while not select.select([(last := send_half()).socket], [], [], 0)[0]:
        sent += len(half)
    assert sent < reserved + limit
    refusal = last.next_message()
    assert (refusal["id"], refusal["error"]["data"]["limit"]) == (None, "bytesPerUid")


#: 64 MiB of zeros in brotli, whose window of 16 MiB is full long before the end; without its last bytes.
WINDOW = base64.b64decode("z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37//z//8c/ARCHBQC69/8=")[:-4]


@pytest.mark.skipif("WATCHWORD_SANITIZED" in os.environ, reason="a sanitizer's shadow is memory, too")
def test_windows_of_decoders_count_as_what_they_take(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    """Each response takes 16 MiB: those that have no room end, and the process grows by what is counted."""
    observer, peer = connect(), connect()
    session = peer.open("windows", configuration={"connectionsPerHost": 64})
    gate = origin.gate()

    async def hold(exchange: Exchange) -> None:
        fields = [("Content-Encoding", "br"), ("Transfer-Encoding", "chunked")]
        await exchange.send(head(200, fields) + b"%x\r\n%s\r\n" % (len(WINDOW), WINDOW))
        await gate.opened()

    before = observer.call("status")
    url = origin.serve("/", *[hold] * 24)
    for _ in range(24):
        peer.start_fetch(session, url, output="discard")
    room = int(before["limits"]["bytesPerUid"]) // (17 << 20)
    while len(peer.replies) < 24 - room:
        peer.call("ping")
    assert {reply["error"]["data"]["limit"] for reply in peer.replies.values()} == {"bytesPerUid"}
    under_load = observer.call("status")
    counted = under_load["countedBytes"] - before["countedBytes"]
    assert counted > room * (16 << 20)
    assert under_load["residentBytes"] - before["residentBytes"] < 1.3 * counted
    peer.close()
    wait_until_kept(observer, before["usage"]["bytesPerUid"] + held_bytes.POOL)
    kept_after = observer.call("status")["countedBytes"] + held_bytes.CALLER + held_bytes.MEMBERSHIP
    assert kept_after == before["countedBytes"] + held_bytes.POOL


def half_then(gate: Gate, body: bytes) -> Script:
    """Sends half of a body, and the other half when the gate opens."""

    async def script(exchange: Exchange) -> None:
        await exchange.send(head(200, [("Content-Length", str(2 * len(body)))]) + body)
        await gate.opened()
        await exchange.send(body)

    return script


@pytest.mark.parametrize("ending", ["answer", "cancel", "disconnect"])
def test_what_is_kept_is_given_back(connect: Connect, origin: ScriptedOrigin, ending: str) -> None:
    peer, observer = connect(), connect()
    observer.open("o")
    assert kept(observer) == held_bytes.SESSION
    session = peer.open("s", configuration=CONFIGURATION)
    sessions = kept(observer)
    assert sessions == held_bytes.SESSION + CONFIGURATION_BYTES
    gate = origin.gate()
    url = origin.serve("/held", held(gate, reply()))
    fetches = [
        peer.start_fetch(session, url, method="POST", body={"text": LARGE}, headers=[["A", "b"]])
        for _ in range(5)
    ]
    origin.wait_for_requests(5)
    # The exchange sends from a copy of the body.
    sent = len(LARGE) + held_bytes.UPLOAD
    task = held_bytes.TASK + len(LARGE) + held_bytes.text(len(url)) + held_bytes.field("A", 1)
    assert kept(observer) == sessions + connected(5, running=5) + 5 * (task + sent)
    if ending == "answer":
        gate.open()
        for fetch in fetches:
            peer.result(fetch)
    elif ending == "cancel":
        for fetch in fetches:
            peer.notify("$/cancelRequest", {"id": fetch})
            assert kind_of(peer.result, fetch) == "requestCancelled"
    else:
        peer.close()
    # The connections of those that were answered are kept.
    wait_until_kept(observer, sessions + connected(5 if ending == "answer" else 0, running=0))
    observer.call("session/invalidate", {"session": "s"})
    wait_until_kept(observer, held_bytes.SESSION)


def test_the_id_of_a_fetch_and_its_names_count(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, observer = connect(), connect()
    session = peer.open("s")
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    params = {"session": session, "url": url, "sensitiveHeaders": ["x" * 100]}
    peer.send({"jsonrpc": "2.0", "id": "i" * 50_000, "method": "fetch", "params": params})
    origin.wait_for_requests(1)
    task = held_bytes.TASK + 50_000 + held_bytes.text(len(url)) + held_bytes.text(100)
    assert kept(observer) == held_bytes.SESSION + connected(1, running=1) + task
    gate.open()
    assert peer.next_message()["result"]["status"] == 200
    wait_until_kept(observer, held_bytes.SESSION + connected(1, running=0))


def test_a_body_that_is_collected_counts_until_it_is_sent(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, observer = connect(), connect()
    session = peer.open("s")
    gate = origin.gate()
    url = origin.serve("/", half_then(gate, LARGE.encode()))
    fetch = peer.start_fetch(session, url, output="inline")
    task = held_bytes.TASK + held_bytes.text(len(url))
    response = (
        held_bytes.field("Content-Length", len(str(2 * len(LARGE)))) + len(LARGE) + held_bytes.READ_AHEAD
    )
    wait_until_kept(observer, held_bytes.SESSION + connected(1, running=1) + task + response)
    gate.open()
    assert peer.result(fetch)["body"]["text"] == LARGE * 2
    wait_until_kept(observer, held_bytes.SESSION + connected(1, running=0))


def test_what_the_caller_makes_of_a_redirect_counts(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, observer = connect(), connect()
    session = peer.open("s", configuration={"redirects": {"policy": "ask"}})
    gate = origin.gate()
    target = origin.serve("/there", held(gate, reply()))
    url = origin.serve("/", redirect("/there"))
    fetch = peer.start_fetch(session, url)
    asked = peer.notification("task/willRedirect")
    change = {"url": target, "headers": [["A", "b" * 50_000]]}
    peer.call("redirect/reply", {"task": asked["task"], "request": change})
    origin.wait_for_requests(1, "/there")
    task = held_bytes.TASK + held_bytes.text(len(url)) + len(target) + held_bytes.field("A", 50_000)
    assert kept(observer) == held_bytes.SESSION + connected(1, running=1) + task
    gate.open()
    assert peer.result(fetch)["status"] == 200
    wait_until_kept(observer, held_bytes.SESSION + connected(1, running=0))


def token_of(size: int) -> Json:
    return {"token": "x" * 100, "limits": {"pathPrefixes": ["/" + "p" * (size - 101)]}}


def store(peer: Peer, session: str, host: str, credential: Json) -> Json:
    space = {"protocol": "http", "host": host, "port": 80, "authenticationMethod": "bearer"}
    params = {"session": session, "protectionSpace": space, "credential": credential}
    return peer.call("credential/set", params)


def test_stored_credentials_count_while_they_are_there(connect: Connect) -> None:
    peer, observer = connect(), connect()
    session = peer.open("s")
    for host in ("a.test", "b.test"):
        store(peer, session, host, token_of(50_000))
    two = held_bytes.SESSION + 2 * held_bytes.CREDENTIAL
    assert kept(observer) == two + 100_000
    store(peer, session, "a.test", {"token": TOKEN})
    assert kept(observer) == two + 50_000 + len(TOKEN)
    peer.call("session/reset", {"session": session})
    assert kept(observer) == held_bytes.SESSION
    store(peer, session, "a.test", token_of(50_000))
    peer.call("session/invalidate", {"session": session})
    assert kept(observer) == 0


def test_credentials_over_the_budget_are_refused(connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect(checked=False)
    session = peer.open("s", tasks=["*"])
    size = 60_000
    large = {"token": "x", "limits": {"pathPrefixes": ["/" + "p" * (size - 1)] * 15}}
    limit = peer.call("status")["limits"]["bytesPerUid"]
    for index in range(limit // (15 * size + 1 + held_bytes.CREDENTIAL)):
        assert store(peer, session, f"h{index}.test", large) == {}
    with pytest.raises(RemoteError) as refused:
        store(peer, session, "last.test", large)
    assert (refused.value.kind, refused.value.data["limit"]) == ("limitExceeded", "bytesPerUid")
    # Another one in its place is no more than there was.
    assert store(peer, session, "h0.test", large) == {}
    fetch = peer.start_fetch(session, origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD))))
    challenge = peer.challenge()
    greedy = password(USER, PASSWORD, limits={"pathPrefixes": ["/" + "p" * (size - 1)] * 15})
    assert kind_of(peer.answer, challenge, greedy) == "limitExceeded"
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_a_kept_result_keeps_nothing_of_its_session(connect: Connect, origin: ScriptedOrigin) -> None:
    observer, holder, leaver = connect(), connect(), connect()
    session = holder.open("ending", configuration=CONFIGURATION)
    assert kept(observer) == CONFIGURATION_BYTES
    gate = origin.gate()
    leaver.open(session)
    start = {"session": session, "url": origin.serve("/", held(gate, reply())), "task": "t", "detached": True}
    leaver.call("task/start", start)
    origin.wait_for_requests(1)
    leaver.close()
    gate.open()
    while holder.call("task/describe", {"task": "t"})["state"] != "finished":
        pause()
    holder.call("session/invalidate", {"session": session})
    # The text of the result stays, and is counted.
    while kept(observer) >= 4000:
        observer.call("ping")
    assert kept(observer) > 0


def fill(filler: Peer, observer: Peer, origin: ScriptedOrigin, room: int) -> None:
    """Has so much kept that only `room` bytes are left, or a little less."""
    session = filler.open()
    filler.call("initialize", {"capabilities": {"descriptors": True}})
    limit = observer.call("status")["limits"]["bytesPerUid"]
    half = bytes(limit - kept(observer) - room - (1 << 20))
    filler.start_fetch(session, origin.serve("/fill", half_then(origin.gate(), half)))
    while filler.call("task/list", {"session": session})["tasks"][0]["bytesReceived"] < len(half):
        pause()
    number = 0
    while (left := limit - kept(observer) - room - held_bytes.CREDENTIAL) > 200:
        store(filler, session, f"h{number}.test", token_of(min(left, 60_000)))
        number += 1


def test_bodies_in_memory_files_are_bounded(connect: Connect, origin: ScriptedOrigin) -> None:
    observer, peer = connect(), connect(checked=False)
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open("s", configuration={"connectionsPerHost": 64})
    before = observer.call("status")
    gate = origin.gate()
    half = bytes(32 << 20)
    room = int(before["limits"]["bytesPerUid"]) // len(half) - 1
    url = origin.serve("/", *[half_then(gate, half)] * (room + 2))
    for _ in range(room + 2):
        peer.start_fetch(session, url)
    while len(peer.replies) < 2:
        peer.call("ping")
    assert {reply["error"]["data"]["limit"] for reply in peer.replies.values()} == {"bytesPerUid"}
    while observer.call("status")["countedBytes"] - before["countedBytes"] < room * len(half):
        pause()
    assert len(peer.replies) == 2
    peer.close()
    wait_until_kept(observer, before["usage"]["bytesPerUid"] + held_bytes.POOL)


def test_a_body_in_a_memory_file_counts_until_it_is_sent(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, observer = connect(), connect()
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open("s")
    gate = origin.gate()
    url = origin.serve("/", half_then(gate, LARGE.encode()))
    fetch = peer.start_fetch(session, url)
    task = held_bytes.TASK + held_bytes.text(len(url))
    response = (
        held_bytes.field("Content-Length", len(str(2 * len(LARGE)))) + len(LARGE) + held_bytes.READ_AHEAD
    )
    wait_until_kept(observer, held_bytes.SESSION + connected(1, running=1) + task + response)
    gate.open()
    assert peer.result(fetch)["body"] == {"descriptor": 0, "size": 2 * len(LARGE)}
    assert os.pread(peer.descriptors[0], 3 * len(LARGE), 0) == 2 * LARGE.encode()
    # It is the caller's now.
    wait_until_kept(observer, held_bytes.SESSION + connected(1, running=0))


def test_a_body_for_a_pipe_waits_where_there_is_no_room_for_more(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    peer, observer = connect(), connect()
    session = peer.open("s")
    body = bytes(range(256)) * 4000
    url = origin.serve("/", reply(body=body))
    fill(connect(), observer, origin, room=500_000)
    reader, writer = os.pipe()
    fetch = peer.request("fetch", {"session": session, "url": url, "output": {"descriptor": 0}}, [writer])
    os.close(writer)
    limit = observer.call("status")["limits"]["bytesPerUid"]
    tasks = {"session": session}
    # More than the pipe holds, and what libcurl reads ahead.
    while peer.call("task/list", tasks)["tasks"][0]["bytesReceived"] < 70_000:
        pause()
    while kept(observer) < limit:
        pause()
    assert peer.call("task/list", tasks)["tasks"][0]["bytesReceived"] < len(body)
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read() == body
    assert peer.result(fetch)["body"] == {"size": len(body)}


def test_the_page_of_a_refusal_is_cut_where_there_is_no_room_for_it(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open("s", tasks=["*"])
    page = b"p" * 200_000
    url = origin.serve("/", challenged('Basic realm="r"', body=page))
    fill(connect(), peer, origin, room=110_000)
    fetch = peer.start_fetch(session, url)
    peer.dispose(peer.challenge(), "performDefaultHandling")
    result = peer.result(fetch)
    assert result["status"] == 401
    assert result["body"]["truncated"]
    assert 0 < len(result["body"]["text"]) < len(page)
