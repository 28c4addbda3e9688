"""Messages and bodies on their way are counted: the process grows by at most 1.3 times as much."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import termios

import pytest

from Integration import held_bytes
from Integration.accounts.scene import SHARE, Scene, tasks_of
from Integration.wire import Json, Peer, kind_of, pause, wait_for_waiters
from Support.scripts import challenged, held, reply

pytestmark = [
    pytest.mark.core,
    pytest.mark.skipif("WATCHWORD_SANITIZED" in os.environ, reason="a sanitizer's shadow is memory, too"),
]


def test_connections_that_have_had_a_large_reply(scene: Scene) -> None:
    """The memory of the reply is given back with its last byte."""
    size = 24_000
    url = scene.origin.serve("/", *[reply(body=b"x" * size)] * 400)
    peers = [scene.connect(checked=False) for _ in range(400)]
    for peer in peers:
        assert len(peer.fetch(peer.open("large"), url)["body"]["text"]) == size
    scene.check(400 * 4096)
    assert scene.status()["countedBytes"] - scene.before["countedBytes"] < 400 * size / 2


@pytest.mark.parametrize("member", ["text", "base64"])
def test_bodies_of_requests_that_have_no_response(scene: Scene, member: str) -> None:
    """Each is in memory twice, for the task and for libcurl; what the message took is given back."""
    size, count = 300_000, 60
    body = {member: "x" * size if member == "text" else base64.b64encode(bytes(size)).decode()}
    gate = scene.origin.gate()
    url = scene.origin.serve("/", held(gate, reply()))
    peer = scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": count})
    for _ in range(count):
        peer.start_fetch(session, url, method="POST", body=body)
    scene.origin.wait_for_requests(1 + count)
    scene.check(count * 2 * size)
    peer.close()
    gate.open()
    scene.check_given_back()


def use_memory(peer: Peer) -> None:
    """What the message takes is free when it has been refused, and serves what needs memory next."""
    assert kind_of(lambda: peer.call("ping", {"x": "x" * 900_000})) == "invalidParams"


@pytest.mark.parametrize("body", [None, {"text": "short"}])
def test_exchanges_that_begin_in_memory_that_was_used_before(scene: Scene, body: Json | None) -> None:
    """The buffers that libcurl makes for each are empty as long as no response comes."""
    count = 100
    gate = scene.origin.gate()
    url = scene.origin.serve("/", held(gate, reply()))
    peer, other = scene.connect(checked=False), scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": count})

    use_memory(other)
    scene.before = scene.status()
    for number in range(count):
        use_memory(other)
        peer.start_fetch(session, url, **({"method": "POST", "body": body} if body else {}))
        scene.origin.wait_for_requests(2 + number)
    scene.check(count * (held_bytes.TASK + held_bytes.CONNECTION + held_bytes.EXCHANGE))
    peer.close()
    gate.open()
    scene.check_given_back()


@pytest.mark.parametrize("method", ["rpc.discover", "status"])
def test_replies_that_nobody_reads(scene: Scene, method: str) -> None:
    """Up to the high-water mark of each connection."""
    peers = [scene.connect(checked=False) for _ in range(40)]
    for peer in peers:
        peer.send_bytes(b"".join(request(method, number) for number in range(150)))
    scene.check(0)


def test_batches_that_nobody_reads(scene: Scene) -> None:
    peers = [scene.connect(checked=False) for _ in range(4)]
    for peer in peers:
        peer.send([{"jsonrpc": "2.0", "id": number, "method": "status"} for number in range(500)])
    least = 4 << 20
    while scene.status()["countedBytes"] - scene.before["countedBytes"] < least:
        pause()
    scene.check(least)


def test_a_batch_of_large_replies_counts_as_what_it_takes(scene: Scene) -> None:
    """Each reply has memory of its own, and as much of it as it needs."""
    gate = scene.origin.gate()
    url = scene.origin.serve("/", held(gate, reply()))
    peer = scene.connect(checked=False)
    fetch = {"jsonrpc": "2.0", "id": "held", "method": "fetch", "params": {"url": url}}
    size = len(json.dumps(scene.observer.call("rpc.discover"), separators=(",", ":")))
    before = scene.status()["countedBytes"]
    peer.send([fetch, *[{"jsonrpc": "2.0", "id": number, "method": "rpc.discover"} for number in range(200)]])
    scene.origin.wait_for_requests(2)
    while scene.status()["countedBytes"] - before < 200 * size:
        pause()
    counted = scene.status()["countedBytes"] - before
    assert counted < SHARE * 200 * size
    scene.check(200 * size)
    peer.close()
    gate.open()


def request(method: str, number: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"%s"}\n' % (number, method.encode())


def wait_until_read(peer: Peer) -> None:
    """Polls; a test that waits in vain ends with the suite's time limit."""
    while any(fcntl.ioctl(peer.socket, termios.TIOCOUTQ, bytes(4))):
        pause()


def test_messages_that_have_not_arrived_in_whole(scene: Scene) -> None:
    """Small ones, too: there may be a thousand connections."""
    peers = [scene.connect(checked=False) for _ in range(500)]
    for peer in peers:
        peer.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * 40_000)
        wait_until_read(peer)
    scene.check(500 * 40_000)
    for peer in peers:
        peer.close()
    scene.check_given_back()


def test_memory_that_idle_connections_keep_for_the_next_message(scene: Scene) -> None:
    peers = [scene.connect(checked=False) for _ in range(500)]
    for peer in peers:
        peer.send_bytes(b'{"jsonrpc":"2.0","method":"$/none","params":{"x":"' + b"x" * 40_000 + b'"}}\n')
        peer.call("ping")
    scene.check(500 * 16_384)
    for peer in peers:
        peer.close()
    scene.check_given_back()


def test_pages_of_refusals_that_are_held_while_a_question_waits(scene: Scene) -> None:
    url = scene.origin.serve("/", *[challenged('Basic realm="r"', body=b"p" * 200_000)] * 150)
    peer = scene.connect(checked=False)
    session = peer.open(tasks=["*"])
    for _ in range(150):
        peer.start_fetch(session, url)
    challenge = peer.challenge()
    wait_for_waiters(peer, challenge, 150)
    scene.check(150 * 200_000)
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    peer.close()
    scene.check_given_back()


def test_bodies_for_pipes_that_nobody_reads(scene: Scene) -> None:
    url = scene.origin.serve("/", *[reply(body=b"b" * (4 << 20))] * 80)
    peer = scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": 128})
    reading = []
    for _ in range(80):
        reader, writer = os.pipe()
        reading.append(reader)
        params = {"session": session, "url": url, "output": {"descriptor": 0}}
        peer.request("fetch", params, [writer])
        os.close(writer)
    while any(task["bytesReceived"] < 1 << 20 for task in tasks_of(peer, session)):
        pause()
    scene.check(80 << 20)
    peer.close()
    scene.check_given_back()
    for reader in reading:
        os.close(reader)


def test_short_bodies_for_pipes_in_memory_that_was_used_before(scene: Scene) -> None:
    """What does not fit into the pipe waits in a buffer that has more room."""
    count, size = 60, 200_000
    url = scene.origin.serve("/", *[reply(body=b"b" * size)] * count)
    peer, other = scene.connect(checked=False), scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": count})
    use_memory(other)
    scene.before = scene.status()
    pipes = [os.pipe() for _ in range(count)]
    for done, (_, writer) in enumerate(pipes):
        use_memory(other)
        peer.request("fetch", {"session": session, "url": url, "output": {"descriptor": 0}}, [writer])
        while sum(task["bytesReceived"] for task in tasks_of(peer, session)) < (done + 1) * size:
            pause()
    scene.check(count * (size - 65_536))
    peer.close()
    scene.check_given_back()
    for descriptor in itertools.chain(*pipes):
        os.close(descriptor)
