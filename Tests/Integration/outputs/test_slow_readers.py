"""Outputs that take a body slowly, wait, or do not take it at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.outputs.scene import fetch_into
from Integration.wire import Json, Peer, RemoteError, kind_of, pause
from Support import loopback
from Support.daemon import Daemon
from Support.documents import binary
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, reply

MEBIBYTE = 1 << 20
Connect = Callable[..., Peer]


@pytest.fixture
def lingering() -> Iterator[socket.socket]:
    """A socket whose last close waits until its bytes are read, which does not happen."""
    with socket.create_server((loopback.HOST, 0)) as server:
        ours = socket.create_connection(server.getsockname())
        theirs, _ = server.accept()
        ours.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                ours.send(bytes(MEBIBYTE))
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 600))
        yield ours
        theirs.close()


def inside_another(passed: socket.socket) -> socket.socket:
    """A socket on whose way in the other one is."""
    near, far = socket.socketpair()
    with near:
        socket.send_fds(near, [b"x"], [passed.fileno()])
    return far


@pytest.mark.threads
@pytest.mark.parametrize("kind", ["unclaimed", "output", "unread", "too many", "inside another"])
def test_a_descriptor_whose_close_waits_delays_no_other_call(
    connect: Connect, lingering: socket.socket, kind: str
) -> None:
    peer, other = connect(), connect()
    if kind == "inside another":
        with lingering, inside_another(lingering) as outer:
            peer.send({"jsonrpc": "2.0", "id": "a", "method": "ping"}, [outer.fileno()])
    elif kind == "unread":
        with lingering:
            peer.send_bytes(b"no JSON-RPC")
            peer.send_bytes(b"x", [lingering.fileno()])
    elif kind == "too many":
        with lingering, Path(os.devnull).open() as null:
            passed = [null.fileno()] * 100 + [lingering.fileno()]
            peer.send({"jsonrpc": "2.0", "id": "a", "method": "ping"}, passed)
    else:
        output = {"output": {"descriptor": 0}} if kind == "output" else {}
        params = {"url": f"http://{loopback.HOST}:1/", **output}
        with lingering:
            message = {"jsonrpc": "2.0", "id": "a", "method": "fetch", "descriptors": 1, "params": params}
            peer.send(message, [lingering.fileno()])
    peer.close()
    while other.call("status")["usage"]["connections"] > 1:
        pause()
    assert other.call("ping") == {}


@pytest.fixture
def unread() -> Iterator[int]:
    """The end for writing of a pipe that is open and never read."""
    reader, writer = os.pipe()
    yield writer
    os.close(reader)
    os.close(writer)


#: More than a pipe takes, and so little that the daemon has all of it while the pipe is full.
WAITING_BODY = binary(300_000)


def start_waiting(peer: Peer, session: str, url: str, unread: int, **members: Json) -> int:
    """A fetch that has come to its end but for its output."""
    params = {"session": session, "url": url, "task": "w", "output": {"descriptor": 0}, **members}
    fetch = peer.request("fetch", params, [unread])
    while peer.call("task/describe", {"task": "w"})["bytesReceived"] < len(WAITING_BODY):
        pause()
    return fetch


@pytest.mark.threads
def test_a_task_that_waits_for_its_output_only_can_be_cancelled(
    peer: Peer, session: str, origin: ScriptedOrigin, unread: int
) -> None:
    fetch = start_waiting(peer, session, origin.serve("/", reply(body=WAITING_BODY)), unread)
    peer.call("task/cancel", {"task": "w"})
    assert kind_of(peer.result, fetch) == "taskCancelled"


def test_a_task_that_waits_for_its_output_only_ends_with_its_time(
    peer: Peer, session: str, origin: ScriptedOrigin, unread: int
) -> None:
    url = origin.serve("/", reply(body=WAITING_BODY))
    fetch = start_waiting(peer, session, url, unread, timeouts={"resourceSeconds": 2})
    assert kind_of(peer.result, fetch) == "timedOut"


@pytest.mark.threads
def test_a_task_that_waits_for_its_output_only_ends_with_its_connection(
    connect: Connect, origin: ScriptedOrigin, unread: int
) -> None:
    peer = connect()
    session = peer.open("left")
    start_waiting(peer, session, origin.serve("/", reply(body=WAITING_BODY)), unread)
    peer.close()
    other = connect()
    while other.call("session/describe", {"session": "left"})["tasks"]:
        pause()


def test_a_refusal_that_is_the_result_and_too_large_for_its_output_is_an_error(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    limits = {"limits": {"inlineBodyBytes": 100}}
    session = peer.open(tasks=["*"], configuration=limits)
    refusal = challenged('Basic realm="r"', body=b"x" * 1000)
    fetch = peer.start_fetch(session, origin.serve("/", refusal), output="inline")
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    assert kind_of(peer.result, fetch) == "bodyTooLarge"


@pytest.mark.threads
def test_a_pipe_that_is_not_read_stalls_only_its_own_task(
    peer: Peer, session: str, origin: ScriptedOrigin, nginx: Nginx
) -> None:
    reader, writer = os.pipe()
    params = {"session": session, "url": f"{nginx.plain}/1m", "output": {"descriptor": 0}}
    waiting = peer.request("fetch", params, [writer])
    os.close(writer)
    other = origin.serve("/", reply())
    for _ in range(20):
        assert peer.fetch(session, other)["status"] == 200
    received = 0
    while chunk := os.read(reader, 1 << 16):
        received += len(chunk)
    os.close(reader)
    assert received == MEBIBYTE
    assert peer.result(waiting)["body"] == {"size": MEBIBYTE}


@pytest.mark.threads
def test_a_socket_takes_the_body(peer: Peer, session: str, nginx: Nginx) -> None:
    ours, theirs = socket.socketpair()
    received = bytearray()

    def drain() -> None:
        while chunk := ours.recv(1 << 16):
            received.extend(chunk)

    thread = threading.Thread(target=drain)
    thread.start()
    with theirs:
        fetch_into(peer, session, f"{nginx.plain}/1m", theirs.fileno())
    thread.join()
    ours.close()
    assert bytes(received) == binary(MEBIBYTE)


@pytest.mark.threads
def test_a_reader_that_goes_away_fails_the_task(
    daemon: Daemon, peer: Peer, session: str, nginx: Nginx
) -> None:
    reader, writer = os.pipe()
    params = {"session": session, "url": f"{nginx.plain}/1m", "output": {"descriptor": 0}}
    waiting = peer.request("fetch", params, [writer])
    os.close(writer)
    os.read(reader, 1000)
    os.close(reader)
    with pytest.raises(RemoteError) as caught:
        peer.result(waiting)
    assert (caught.value.kind, caught.value.data["reason"]) == ("outputFailed", "broken pipe")
    assert peer.call("ping") == {}


@pytest.mark.threads
def test_a_full_disk_fails_the_task(peer: Peer, session: str, nginx: Nginx) -> None:
    limited = os.memfd_create("limited", os.MFD_ALLOW_SEALING)
    os.ftruncate(limited, 1000)
    fcntl.fcntl(limited, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)
    try:
        params = {"session": session, "url": f"{nginx.plain}/1m", "output": {"descriptor": 0}}
        with pytest.raises(RemoteError) as caught:
            peer.call("fetch", params, [limited])
        assert caught.value.kind == "outputFailed"
        assert caught.value.data["reason"] == os.strerror(errno.EPERM).lower()
    finally:
        os.close(limited)
