"""Connections take turns: what one has asked for is done in steps, between which others are served."""

from __future__ import annotations

import json
import select
import ssl
from collections.abc import Callable

import pytest

from Integration.wire import Peer, kind_of, password
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply

pytestmark = pytest.mark.threads

COUNT = 400
STATUS = [{"jsonrpc": "2.0", "id": number, "method": "status"} for number in range(COUNT)]


def test_requests_that_wait_are_all_answered(connect: Callable[[], Peer]) -> None:
    """More than are taken in a step, from a caller that ends its input behind them."""
    peer = connect()
    lines = b"".join(json.dumps(request).encode() + b"\n" for request in STATUS)
    peer.socket.sendall(lines)
    peer.socket.shutdown(1)
    data = b""
    while chunk := peer.socket.recv(1 << 20):
        data += chunk
    assert [json.loads(line)["id"] for line in data.splitlines()] == list(range(COUNT))


def test_a_batch_is_answered_as_a_whole(connect: Callable[[], Peer]) -> None:
    peer = connect()
    peer.socket.sendall(json.dumps(STATUS).encode() + b"\n")
    data = b""
    while not data.endswith(b"]\n"):
        data += peer.socket.recv(1 << 20)
    assert [reply["id"] for reply in json.loads(data)] == list(range(COUNT))


def is_silent(peer: Peer) -> bool:
    """Whether the daemon has sent nothing that was not asked for here."""
    return not peer.notifications and not select.select([peer.socket], [], [], 0)[0]


@pytest.mark.parametrize("method", ["status", "session/list"])
def test_others_are_answered_before_thousands_of_sessions_are_described(
    connect: Callable[..., Peer], method: str
) -> None:
    peer, other = connect(checked=False), connect()
    other.call("ping")
    for _ in range(2000):
        peer.open()
    request = peer.request(method)
    other.call("ping")
    assert is_silent(peer)
    assert len(peer.result(request)["sessions"]) == 2000


def fill(peer: Peer, session: str) -> int:
    """Stores thousands of credentials, and says how many."""
    started = []
    for number in range(6000):
        space = {"protocol": "http", "host": f"h{number}.test", "port": 80, "authenticationMethod": "default"}
        params = {"session": session, "protectionSpace": space, "credential": password("u", "p")}
        started.append(peer.request("credential/set", params))
        if len(started) == 500:
            for request in started:
                peer.result(request)
            started = []
    return 2 * 6000


@pytest.mark.parametrize("method", ["status", "credential/list"])
def test_others_are_answered_before_thousands_of_credentials_of_a_session_are_described(
    connect: Callable[..., Peer], method: str
) -> None:
    peer, other = connect(checked=False), connect()
    session = peer.open("full")
    stored = fill(peer, session)
    peer.call("ping")
    peer.notifications.clear()
    other.call("ping")
    request = peer.request(method, {"session": session} if method == "credential/list" else None)
    other.call("ping")
    assert is_silent(peer)
    result = peer.result(request)
    shown = result["credentials"] if method == "credential/list" else result["sessions"][0]["credentials"]
    hosts = [entry["protectionSpace"]["host"] for entry in shown]
    assert len(hosts) == stored
    assert hosts == sorted(hosts, key=lambda host: int(host[1:-5]))


def test_credentials_that_go_meanwhile_are_not_described(connect: Callable[..., Peer]) -> None:
    peer, other = connect(checked=False), connect(checked=False)
    session = peer.open("full")
    stored = fill(peer, session)
    other.open(session)
    request = peer.request("credential/list", {"session": session})
    other.call("session/reset", {"session": session})
    assert len(peer.result(request)["credentials"]) < stored
    assert peer.call("credential/list", {"session": session})["credentials"] == []


def test_others_are_answered_before_thousands_of_sessions_have_forgotten(
    connect: Callable[..., Peer],
) -> None:
    """What is to be forgotten counts as gone when the request is taken, also where it is still in memory."""
    peer, other, asker = connect(checked=False), connect(checked=False), connect()
    space = {"protocol": "http", "host": "h.test", "port": 80, "authenticationMethod": "default"}
    credential = {"protectionSpace": space, "credential": password("u", "p")}
    sessions = [peer.open(f"s{number}") for number in range(2000)]
    for session in sessions:
        peer.call("credential/set", {"session": session, **credential})
    for session in sessions[::50]:
        assert len(other.call("credential/list", {"session": session})["credentials"]) == 2
    request = asker.request("agent/forget")
    other.call("ping")
    assert is_silent(asker)
    for session in sessions[::50]:
        assert other.call("credential/list", {"session": session})["credentials"] == []
    # What comes now stays.
    other.call("credential/set", {"session": sessions[-1], **credential})
    assert asker.result(request) == {}
    assert len(other.call("credential/list", {"session": sessions[-1]})["credentials"]) == 2
    assert sum(session["credentials"] for session in other.call("session/list")["sessions"]) == 2


def test_thousands_of_sessions_end_with_the_last_connection() -> None:
    """Each looked at all others to see whether the daemon is used; meanwhile it heard no signal."""
    daemon = Daemon()
    with Peer(daemon.socket, checked=False) as peer:
        for _ in range(4000):
            peer.open()
    # It has to end within the patience of the tests, and cleanly.
    daemon.stop()


def test_others_are_answered_before_thousands_of_tasks_are_stopped(
    connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    observer, other = connect(), connect()
    session = observer.open("crowded")
    peers = [connect(checked=False) for _ in range(4)]
    for peer in peers:
        peer.open(session)
        for _ in range(1000):
            peer.start_fetch(session, url)
        peer.call("ping")
    observer.call("session/invalidate", {"session": session})
    other.call("ping")
    assert is_silent(observer)
    # Its name is free before the last of its tasks has ended.
    assert other.open(session) == session
    assert observer.notification("session/didInvalidate")["reason"] == "invalidated"
    for peer in peers:
        peer.call("ping")
        assert {reply["error"]["data"]["kind"] for reply in peer.replies.values()} == {"taskCancelled"}


def test_others_are_answered_before_thousands_of_sessions_know_of_a_permanent_credential(
    connect: Callable[..., Peer],
) -> None:
    """The delegate of the sessions has the answer to its ping before the last of the notifications."""
    peer, setter = connect(checked=False), connect()
    for _ in range(2000):
        peer.open(tasks=["*"])
    space = {"protocol": "https", "port": 443, "realm": "r", "authenticationMethod": "basic"}
    started = [
        setter.request(
            "credential/set",
            {
                "protectionSpace": {**space, "host": f"h{number}.test"},
                "credential": password("u", "p", "permanent"),
            },
        )
        for number in range(4)
    ]
    for request in started:
        setter.result(request)
    request = peer.request("ping")
    peer.result(request)
    assert len(peer.notifications) < 4 * 2000
    while len(peer.notifications) < 4 * 2000:
        peer.call("ping")
    changes = [note["params"] for note in peer.notifications]
    assert {change["change"] for change in changes} == {"added"}
    # In the order in which they were stored, in each session.
    hosts: dict[str, list[str]] = {}
    for change in changes:
        hosts.setdefault(change["session"], []).append(change["protectionSpace"]["host"])
    assert len(hosts) == 2000
    assert {tuple(each) for each in hosts.values()} == {("h0.test", "h1.test", "h2.test", "h3.test")}


@pytest.mark.parametrize("method", ["status", "challenge/list"])
def test_others_are_answered_before_hundreds_of_certificates_are_described(
    connect: Callable[..., Peer],
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    method: str,
) -> None:
    peer, other = connect(checked=False), connect()
    origin = origins(tls_context)
    origin.serve("/", reply())
    names = [f"h{number}.test" for number in range(300)]
    port = origin.url.rsplit(":", 1)[1]
    resolve = {f"{name}:{port}": "127.0.0.1" for name in names}
    session = peer.open(tasks=["serverTrust"], configuration={"addresses": {"resolve": resolve}})
    fetches, shown = [], []
    # One after the other: a scripted origin does not take hundreds of handshakes at once.
    for name in names:
        fetches.append(peer.start_fetch(session, f"https://{name}:{port}/"))
        shown.append(peer.challenge()["challenge"])
    other.call("ping")
    request = peer.request(method)
    other.call("ping")
    assert is_silent(peer)
    listed = [challenge["challenge"] for challenge in peer.result(request)["challenges"]]
    assert sorted(listed) == sorted(shown)
    # One that is settled meanwhile is not in the list.
    request = peer.request(method)
    peer.call("challenge/reply", {"challenge": listed[-1], "disposition": "cancelAuthenticationChallenge"})
    left = [challenge["challenge"] for challenge in peer.result(request)["challenges"]]
    assert left == listed[:-1]
    peer.call("session/invalidate", {"session": session})
    assert {kind_of(peer.result, fetch) for fetch in fetches} == {"taskCancelled", "serverTrustRejected"}
