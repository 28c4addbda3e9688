"""Broken and greedy callers: each ends its own connection only (security.md 13)."""

from __future__ import annotations

import contextlib
import json
import re
import select
import socket
import time
from collections.abc import Callable

import pytest

from Integration import contract, held_bytes
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Closed, Json, Peer, body_of, kind_of, password, pause
from Support.daemon import PROJECT, Daemon
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]

MEBIBYTE = 1 << 20


def test_the_limits_are_named(peer: Peer) -> None:
    limits = peer.call("initialize")["limits"]
    assert limits == peer.call("status")["limits"]
    expected = {
        "messageBytes": MEBIBYTE,
        "requestsPerConnection": 1024,
        "connectionsPerUid": 1024,
        "connections": 4096,
        "waitingTasks": 20000,
        "descriptorsPerMessage": 16,
    }
    assert {name: limits.get(name) for name in expected} == expected


def test_every_limit_is_documented_and_every_documented_one_is_told(peer: Peer) -> None:
    limits = peer.call("status")["limits"]
    page = (PROJECT / "protocol" / "reference.md").read_text()
    section = page.split("\n#### Limits\n")[1].split("\n#### ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(limits)
    described = contract.document()["components"]["schemas"]["Limits"]["properties"]
    # How many descriptors a process may have is the system's to say.
    fixed = {name: schema["default"] for name, schema in described.items() if name != "descriptors"}
    assert {**fixed, "descriptors": limits["descriptors"]} == limits
    assert set(peer.call("status")["usage"]) <= set(limits)


def padded_ping(size: int) -> bytes:
    """A request of exactly `size` bytes, white space included."""
    text = b'{"jsonrpc":"2.0","id":"big","method":"ping"'
    return text + b" " * (size - len(text) - 1) + b"}"


def test_a_message_of_exactly_the_limit_is_taken(peer: Peer) -> None:
    peer.send_bytes(padded_ping(MEBIBYTE - 1) + b"\n")
    assert peer.next_message()["id"] == "big"


@pytest.mark.parametrize("ending", [b"\n", b""], ids=["ended", "endless"])
def test_a_message_over_the_limit_closes_the_connection_only(connect: Connect, ending: bytes) -> None:
    greedy, other = connect(checked=False), connect()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        greedy.send_bytes(padded_ping(MEBIBYTE + 2) + ending)
    try:
        message = greedy.next_message()
        assert message["error"]["data"]["kind"] == "messageTooLarge"
        assert message["id"] is None
        greedy.wait_for_end()
    except Closed:
        pytest.fail("closed without saying why")
    assert other.call("ping") == {}


def test_a_long_string_and_deep_nesting_are_bounded(peer: Peer) -> None:
    peer.checked = False
    deep = '{"x":' * 500 + "1" + "}" * 500
    peer.send_bytes(b'{"jsonrpc":"2.0","id":"deep","method":"ping","params":' + deep.encode() + b"}\n")
    assert "error" in peer.next_message()
    assert peer.call("ping") == {}


def test_more_requests_than_allowed_in_flight_are_refused(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, other = connect(), connect()
    gate = origin.gate()
    session = peer.open()
    url = origin.serve("/", held(gate, reply()))
    fetches = [peer.start_fetch(session, url) for _ in range(1024)]
    excess = peer.start_fetch(session, url)
    assert kind_of(peer.result, excess) == "limitExceeded"
    assert other.call("ping") == {}
    gate.open()
    assert all(peer.result(fetch)["status"] == 200 for fetch in fetches)
    assert peer.fetch(session, url)["status"] == 200


def test_more_connections_than_allowed_are_closed(daemon: Daemon, connect: Connect) -> None:
    first = connect(checked=False)
    first.call("ping")
    made: list[socket.socket] = []
    try:
        for _ in range(1100):
            made.append(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            made[-1].connect(str(daemon.socket))
            made[-1].settimeout(10)
        refused = 0
        for extra in made:
            with contextlib.suppress(BrokenPipeError):
                extra.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            try:
                answer = extra.recv(4096)
                assert b'"result"' in answer or b'"limit":"connectionsPerUid"' in answer or not answer
                refused += b'"result"' not in answer
            except ConnectionError:
                refused += 1
        assert refused == 1100 - 1023
        assert first.call("ping") == {}
    finally:
        for extra in made:
            extra.close()
    # The daemon notices one after the other.
    while first.call("status")["usage"]["connectionsPerUid"] > 1:
        pause()
    again = connect()
    assert again.call("ping") == {}


def test_a_reader_that_stays_away_is_bounded_and_no_other_peer_notices(
    daemon: Daemon, connect: Connect, nginx: Nginx
) -> None:
    """It asks for far more than it reads; its transfers pause and memory stays flat."""
    lazy, other = connect(checked=False), connect()
    session = lazy.open()
    before = daemon.resident_bytes()
    for _ in range(20):
        lazy.start_fetch(session, f"{nginx.plain}/big", output="stream")
    limit = time.monotonic() + 3
    while time.monotonic() < limit:
        assert other.call("ping") == {}
    assert daemon.resident_bytes(peak=True) - before < 64 * MEBIBYTE
    assert other.fetch(other.open(), f"{nginx.plain}/small")["status"] == 200


def test_a_slow_reader_gets_everything_in_the_end(connect: Connect, nginx: Nginx) -> None:
    slow, other = connect(), connect()
    session = slow.open()
    fetch = slow.start_fetch(session, f"{nginx.plain}/1m", output="stream")
    for _ in range(200):
        other.call("ping")
    assert slow.result(fetch)["body"] == {"size": MEBIBYTE}


def test_a_reader_that_is_always_behind_costs_no_more_than_what_waits(
    daemon: Daemon, connect: Connect, nginx: Nginx
) -> None:
    """Between two replies to another peer it reads a piece, so that the buffer is never empty."""
    slow, other = connect(checked=False), connect()
    session = slow.open()
    before = daemon.resident_bytes()
    slow.start_fetch(session, f"{nginx.plain}/big", output="stream")
    received = 0
    while received < 96 * MEBIBYTE:
        received += len(slow.socket.recv(1 << 17))
        assert other.call("ping") == {}
    assert daemon.resident_bytes(peak=True) - before < 32 * MEBIBYTE


def line(identifier: int, method: str, **params: Json) -> bytes:
    message = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def test_who_does_not_read_its_replies_is_not_read_either(connect: Connect) -> None:
    """What is behind requests with large replies has not been taken before the replies are read."""
    deaf, other = connect(checked=False), connect()
    count = 40
    questions = b"".join(line(number, "rpc.discover") for number in range(count))
    deaf.send_bytes(questions + line(count, "session/open", name="late"))
    other.call("ping")
    assert "late" not in [session["session"] for session in other.call("status")["sessions"]]
    replies = [deaf.next_message() for _ in range(count + 1)]
    assert [reply["id"] for reply in replies] == list(range(count + 1))
    assert all(reply["result"] == replies[0]["result"] for reply in replies[1:count])
    assert "late" in [session["session"] for session in other.call("status")["sessions"]]


def test_unread_replies_cost_nothing_that_is_not_counted(daemon: Daemon, connect: Connect) -> None:
    """Each connection asks for what would be 88 MiB; the text that all of them wait for is there once."""
    other = connect()
    other.call("rpc.discover")
    before = daemon.resident_bytes()
    deaf = [connect(checked=False) for _ in range(40)]
    for peer in deaf:
        peer.send_bytes(line(1, "rpc.discover") * 500)
    other.call("ping")
    used = other.call("status")["usage"]["bytesPerUid"]
    assert used < 8 * MEBIBYTE
    assert daemon.resident_bytes(peak=True) - before < 16 * MEBIBYTE


def test_what_a_peer_had_asked_before_it_left_is_done(connect: Connect) -> None:
    """Nobody reads the replies any more; they hold up nothing."""
    leaving, other = connect(checked=False), connect()
    other.open("ended")
    leaving.send_bytes(line(1, "rpc.discover") * 100 + line(2, "session/invalidate", session="ended"))
    leaving.close()
    while "ended" in [session["session"] for session in other.call("status")["sessions"]]:
        other.call("ping")


#: Six bytes of JSON each.
CONTROLS = bytes([1]) * (8 * MEBIBYTE)


def test_results_wait_for_a_reader_that_reads_one_at_a_time(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    """Three at once were 150 MB of JSON, and ended the connection with everything else on it."""
    peer, other = connect(), connect()
    session = peer.open()
    gate = origin.gate()
    innocent = peer.start_fetch(session, origin.serve("/held", held(gate, reply())))
    url = origin.serve("/controls", reply(body=CONTROLS))
    fetches = [peer.start_fetch(session, url, output="inline") for _ in range(3)]
    # What is counted with three bodies, of which one is a reply in base64 by then.
    while other.call("status")["usage"]["bytesPerUid"] < 3 * len(CONTROLS) + MEBIBYTE:
        other.call("ping")
    assert other.call("status")["usage"]["bytesPerUid"] < 4 * len(CONTROLS)
    for fetch in fetches:
        body = peer.result(fetch)["body"]
        assert list(body) == ["base64"]
        assert body_of({"body": body}) == CONTROLS
    gate.open()
    assert peer.result(innocent)["status"] == 200
    # The session stays, with the connections that are idle.
    idle = held_bytes.SESSION + held_bytes.POOL + 6 * held_bytes.CONNECTION
    while other.call("status")["usage"]["bytesPerUid"] > idle:
        other.call("ping")


def test_a_connection_that_is_closed_for_what_it_has_not_read_is_in_the_log(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    """Heads cannot be left out: when more of them wait than may, the connection ends."""
    deaf, other = connect(checked=False), connect()
    gate = origin.gate()
    fields = [(f"X-{number}", "x" * 8000) for number in range(11)]
    url = origin.serve("/", held(gate, reply(headers=fields)))
    session = deaf.open(configuration={"connectionsPerHost": 64})
    count = 800
    for _ in range(count):
        deaf.call("task/start", {"session": session, "url": url, "output": "discard"})
    gate.open()
    while "more than 67108864 bytes wait to be read" not in daemon.output():
        other.call("ping")
    assert other.call("status")["usage"].get("bytesPerUid", 0) == 0


def test_a_flood_of_small_requests_is_answered(connect: Connect) -> None:
    peer = connect(checked=False)
    count = 20_000
    line = b'{"jsonrpc":"2.0","id":"p","method":"ping"}\n'
    expected = len(b'{"jsonrpc":"2.0","id":"p","result":{}}\n') * count
    sent = 0
    received = 0
    peer.socket.setblocking(False)
    data = line * count
    while received < expected:
        rest = [peer.socket] if sent < len(data) else []
        readable, writable, _ = select.select([peer.socket], rest, [], PATIENCE)
        assert readable or writable, f"{received} of {expected} bytes came"
        if writable:
            sent += peer.socket.send(data[sent : sent + 65536])
        if readable:
            replies = peer.socket.recv(1 << 16)
            assert replies, "the daemon closed the connection"
            received += len(replies)
    assert received == expected


@pytest.mark.parametrize("cut", [0, 1, 30, 60, 90])
def test_a_disconnect_at_any_point_leaves_nothing(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, cut: int
) -> None:
    observer = connect()
    observer.call("ping")
    before = len(daemon.descriptors())
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    request = {"jsonrpc": "2.0", "id": 1, "method": "fetch", "params": {"url": url}}
    text = json.dumps(request).encode() + b"\n"
    for _ in range(20):
        peer = connect(checked=False)
        peer.send_bytes(text[: len(text) * cut // 90])
        peer.close()
    # Up to connectionsPerHost connections to the origin stay open for the next fetch.
    while len(daemon.descriptors()) > before + 6:
        observer.call("ping")
    # The end of a connection may come in a later turn; its task ends with it.
    while observer.call("task/list", {"session": "default"})["tasks"]:
        observer.call("ping")


def test_a_disconnect_beside_the_reply_settles_once(connect: Connect, origin: ScriptedOrigin) -> None:
    """A reply and the end of the connection arrive together; the others are served or asked, never lost."""
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    for _ in range(20):
        hasty, other = connect(), connect()
        other.open("s", tasks=["*"])
        hasty.open("s", tasks=["*"])
        hasty.start_fetch("s", url)
        challenge = hasty.challenge()
        fetch = other.start_fetch("s", url)
        params = {"challenge": challenge["challenge"], "disposition": "useCredential"}
        hasty.request("challenge/reply", {**params, "credential": password(USER, PASSWORD)})
        hasty.close()
        while fetch not in other.replies:
            try:
                other.answer(other.challenge(seconds=0.3), password(USER, PASSWORD))
            except TimeoutError:
                other.call("ping")
        assert other.result(fetch)["status"] == 200
        other.call("session/invalidate", {"session": "s"})


def test_fifty_processes_worth_of_connections_share_a_session(connect: Connect, nginx: Nginx) -> None:
    peers = [connect(checked=False) for _ in range(50)]
    peers[0].open("s", session=["*"])
    fetches = [
        (peer, peer.start_fetch("s", f"{nginx.plain}/staff/small")) for peer in peers for _ in range(10)
    ]
    peers[0].answer(peers[0].challenge(), password(USER, PASSWORD))
    assert all(peer.result(fetch)["status"] == 200 for peer, fetch in fetches)
    peers[0].nothing_asked()
