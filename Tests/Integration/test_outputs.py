"""Where a response body goes: inline, memory file, stream, descriptor, nowhere (protocol/README.md 5.5)."""

from __future__ import annotations

import base64
import contextlib
import errno
import fcntl
import gzip
import hashlib
import os
import select
import socket
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Closed, Json, Peer, RemoteError, body_of, kind_of, password
from Support import loopback
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.documents import BIG_SIZE, binary
from Support.exchange import Exchange, Script
from Support.guards import BasicGuard, guarded
from Support.httpbin_server import Httpbin
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, challenged, raw, reply

MEBIBYTE = 1 << 20

Connect = Callable[..., Peer]


@pytest.fixture
def session(peer: Peer) -> str:
    return peer.open()


@pytest.fixture
def file() -> Iterator[int]:
    with tempfile.TemporaryFile() as stream:
        yield stream.fileno()


def content(descriptor: int) -> bytes:
    return os.pread(descriptor, 64 * MEBIBYTE, 0)


def fetch_into(peer: Peer, session: str, url: str, descriptor: int, **members: Json) -> Json:
    params = {"session": session, "url": url, "output": {"descriptor": 0}, **members}
    return peer.call("fetch", params, [descriptor])


@pytest.mark.core
@pytest.mark.parametrize(
    ("body", "member"),
    [
        (b"plain", "text"),
        ("grüße 世界".encode(), "text"),
        (b"", "text"),
        (b"\xff\xfe", "base64"),
        (b"a\x00b", "base64"),
        (b"\xed\xa0\x80", "base64"),
        (binary(1000), "base64"),
        (b'quo"te \\ \x01\x1f \x7f \r\n\t', "text"),
    ],
)
def test_an_inline_body_is_text_when_it_can_be(
    peer: Peer, session: str, origin: ScriptedOrigin, body: bytes, member: str
) -> None:
    result = peer.fetch(session, origin.serve("/", reply(body=body)), output="inline")
    assert body_of(result) == body
    assert list(result["body"]) == [member]


@pytest.mark.core
def test_an_inline_body_over_the_limit_is_too_large(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open("i", configuration={"limits": {"inlineBodyBytes": 100}})
    assert body_of(peer.fetch(session, origin.serve("/", reply(body=b"x" * 100)))) == b"x" * 100
    too_long = origin.serve("/", reply(body=b"x" * 101))
    assert kind_of(lambda: peer.fetch(session, too_long, output="inline")) == "bodyTooLarge"
    assert peer.fetch(session, too_long, output="discard")["body"] == {"size": 101}


@pytest.mark.parametrize("limit", ["inlineBodyBytes", "memoryBodyBytes", "decodedBodyBytes"])
def test_a_body_that_is_too_large_names_the_limit(peer: Peer, origin: ScriptedOrigin, limit: str) -> None:
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open(configuration={"limits": {limit: 100_000}})
    url = origin.serve("/", reply(body=b"x" * 100_001))
    outputs = {"inlineBodyBytes": "inline", "memoryBodyBytes": "auto", "decodedBodyBytes": "discard"}
    with pytest.raises(RemoteError) as refused:
        peer.fetch(session, url, output=outputs[limit])
    assert (refused.value.kind, refused.value.data["limit"]) == ("bodyTooLarge", limit)


def test_the_largest_inline_body_fits_the_connection(connect: Connect, origin: ScriptedOrigin) -> None:
    """Its base64 is longer than what may wait for a slow reader; this one reads."""
    peer = connect()
    session = peer.open(configuration={"limits": {"inlineBodyBytes": 64 * MEBIBYTE}})
    url = origin.serve("/", reply(body=b"\xff" * (64 * MEBIBYTE)))
    assert body_of(peer.fetch(session, url, output="inline")) == b"\xff" * (64 * MEBIBYTE)


@pytest.mark.core
def test_auto_is_inline_while_small_and_a_memory_file_beyond(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    peer = connect()
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open()
    small = peer.fetch(session, origin.serve("/s", reply(body=binary(1 << 16))))
    assert body_of(small) == binary(1 << 16)
    assert peer.descriptors == []
    large = peer.fetch(session, origin.serve("/l", reply(body=binary((1 << 16) + 1))))
    assert large["body"] == {"descriptor": 0, "size": (1 << 16) + 1}
    (descriptor,) = peer.descriptors
    assert content(descriptor) == binary((1 << 16) + 1)


@pytest.mark.core
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_a_memory_file_has_a_bound(daemon: Daemon, peer: Peer, origin: ScriptedOrigin, coding: str) -> None:
    """It is memory, whatever it is called; a small gzip may become any number of bytes."""
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open(configuration={"limits": {"memoryBodyBytes": MEBIBYTE}})
    exact, larger = bytes(MEBIBYTE), bytes(MEBIBYTE + 1)

    def served(body: bytes) -> str:
        packed = gzip.compress(body) if coding == "gzip" else body
        return origin.serve(f"/{len(body)}", reply(headers=[("Content-Encoding", coding)], body=packed))

    assert peer.fetch(session, served(exact))["body"] == {"descriptor": 0, "size": MEBIBYTE}
    assert content(peer.descriptors[0]) == exact
    assert kind_of(peer.fetch, session, served(larger)) == "bodyTooLarge"
    assert not [path for path in daemon.descriptors().values() if "memfd" in path]


@pytest.mark.core
def test_auto_stays_inline_for_connections_without_descriptors(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    result = peer.fetch(session, origin.serve("/", reply(body=b"x" * 200_000)))
    assert body_of(result) == b"x" * 200_000


@pytest.mark.core
def test_many_memory_files_come_with_their_own_replies(connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open()
    sizes = [100_000 + number for number in range(20)]
    for size in sizes:
        origin.serve(f"/{size}", reply(body=binary(size)))
    fetches = {size: peer.start_fetch(session, f"{origin.url}/{size}") for size in sizes}
    for size, fetch in fetches.items():
        assert peer.result(fetch)["body"]["size"] == size
    lengths = sorted(os.fstat(descriptor).st_size for descriptor in peer.descriptors)
    assert lengths == sizes


@pytest.mark.core
def test_a_stream_arrives_in_order_and_whole(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    body = binary(600_000)
    url = origin.serve("/", reply(body=body))
    result = peer.fetch(session, url, output="stream", task="t")
    assert result["body"] == {"size": 600_000}
    names = [note["method"] for note in peer.notifications]
    assert names[0] == "task/didReceiveResponse"
    assert set(names[1:]) == {"task/didReceiveData"}
    received = b""
    for note in peer.notifications[1:]:
        assert note["params"]["task"] == "t"
        assert note["params"]["offset"] == len(received)
        received += base64.b64decode(note["params"]["base64"])
    assert received == body


@pytest.mark.core
def test_discard_counts_and_keeps_nothing(daemon: Daemon, peer: Peer, session: str, nginx: Nginx) -> None:
    before = daemon.resident_bytes()
    result = peer.fetch(session, f"{nginx.plain}/big", output="discard")
    assert result["body"] == {"size": BIG_SIZE}
    assert daemon.resident_bytes(peak=True) - before < 32 * MEBIBYTE


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.timeout(180)
def test_a_gibibyte_goes_to_a_file_with_bounded_memory(
    daemon: Daemon, peer: Peer, nginx: Nginx, authority: Authority, scheme: str
) -> None:
    session = peer.open("g", configuration={"tls": {"roots": {"certificates": authority.pem}}})
    url = f"{nginx.plain if scheme == 'http' else nginx.tls}/big"
    before = daemon.resident_bytes()
    with tempfile.TemporaryFile() as stream:
        params = {"session": session, "url": url, "output": {"descriptor": 0}}
        fetch = peer.request("fetch", params, [stream.fileno()])
        result = peer.result(fetch, 150)
        assert result["body"] == {"size": BIG_SIZE}
        assert os.fstat(stream.fileno()).st_size == BIG_SIZE
    assert daemon.resident_bytes(peak=True) - before < 32 * MEBIBYTE


@pytest.mark.core
def test_a_body_goes_to_a_descriptor_byte_for_byte(
    daemon: Daemon, peer: Peer, session: str, nginx: Nginx, file: int
) -> None:
    result = fetch_into(peer, session, f"{nginx.plain}/1m", file)
    assert result["body"] == {"size": MEBIBYTE}
    assert hashlib.sha256(content(file)).digest() == hashlib.sha256(binary(MEBIBYTE)).digest()


@pytest.mark.core
def test_a_descriptor_is_written_from_its_offset(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    os.write(file, b"before ")
    fetch_into(peer, session, origin.serve("/", reply()), file)
    assert content(file) == b"before " + OK_BODY


@pytest.mark.core
def test_the_body_of_a_refusal_is_not_written(peer: Peer, origin: ScriptedOrigin, file: int) -> None:
    session = peer.open(tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    params = {"session": session, "url": url, "output": {"descriptor": 0}}
    fetch = peer.request("fetch", params, [file])
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert content(file) == OK_BODY


@pytest.mark.core
def test_a_401_that_is_delivered_is_written(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    assert fetch_into(peer, session, url, file)["status"] == 401
    assert content(file) == b"who goes there?"


@pytest.mark.core
def test_the_flags_of_the_sender_are_not_changed(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    reader, writer = os.pipe()
    try:
        fetch_into(peer, session, url, writer)
        assert os.get_blocking(writer)
        assert os.read(reader, 100) == OK_BODY
    finally:
        os.close(reader)
        os.close(writer)


@pytest.fixture
def lingering() -> Iterator[socket.socket]:
    """A socket whose last close waits until somebody has read what is in it, which nobody does."""
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


@pytest.mark.core
@pytest.mark.parametrize("kind", ["unclaimed", "output", "unread", "too many", "inside another"])
def test_a_descriptor_whose_close_waits_keeps_nobody(
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
        pass
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
        pass
    return fetch


@pytest.mark.core
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


@pytest.mark.core
def test_a_task_that_waits_for_its_output_only_ends_with_its_connection(
    connect: Connect, origin: ScriptedOrigin, unread: int
) -> None:
    peer = connect()
    session = peer.open("left")
    start_waiting(peer, session, origin.serve("/", reply(body=WAITING_BODY)), unread)
    peer.close()
    other = connect()
    while other.call("session/describe", {"session": "left"})["tasks"]:
        pass


def test_a_refusal_that_is_the_result_and_too_large_for_its_output_is_an_error(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    limits = {"limits": {"inlineBodyBytes": 100}}
    session = peer.open(tasks=["*"], configuration=limits)
    refusal = challenged('Basic realm="r"', body=b"x" * 1000)
    fetch = peer.start_fetch(session, origin.serve("/", refusal), output="inline")
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    assert kind_of(peer.result, fetch) == "bodyTooLarge"


@pytest.mark.core
def test_a_pipe_that_nobody_reads_stalls_only_its_own_task(
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


@pytest.mark.core
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


@pytest.mark.core
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


@pytest.mark.core
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


# Descriptors that are no good


def unusable(kind: str, directory: Path) -> int:
    """A descriptor of the kind, to be written to."""
    path = directory / "file"
    path.touch()
    if kind == "read-only":
        return os.open(path, os.O_RDONLY)
    if kind == "directory":
        return os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    if kind == "path only":
        return os.open(path, os.O_PATH)
    if kind == "device":
        return os.open("/dev/zero", os.O_RDWR)
    if kind == "read end of a pipe":
        reader, writer = os.pipe()
        os.close(writer)
        return reader
    if kind == "epoll":
        with select.epoll() as epoll:
            return os.dup(epoll.fileno())
    raise ValueError(kind)


@pytest.mark.core
@pytest.mark.parametrize(
    "kind", ["read-only", "directory", "path only", "device", "read end of a pipe", "epoll"]
)
def test_a_descriptor_that_cannot_be_written_is_refused(
    peer: Peer, session: str, origin: ScriptedOrigin, tmp_path: Path, kind: str
) -> None:
    descriptor = unusable(kind, tmp_path)
    try:
        url = origin.serve("/", reply())
        assert kind_of(fetch_into, peer, session, url, descriptor) == "descriptorUnusable"
        assert origin.requests == []
    finally:
        os.close(descriptor)


@pytest.mark.core
@pytest.mark.parametrize("kind", ["write-only", "directory", "path only", "device"])
def test_a_descriptor_that_cannot_be_read_is_refused(
    peer: Peer, session: str, origin: ScriptedOrigin, tmp_path: Path, kind: str
) -> None:
    if kind == "write-only":
        descriptor = os.open(tmp_path / "file", os.O_WRONLY | os.O_CREAT)
    else:
        descriptor = unusable(kind, tmp_path)
    try:
        params = {"session": session, "url": origin.serve("/", reply()), "method": "PUT"}
        with pytest.raises(RemoteError) as caught:
            peer.call("fetch", {**params, "body": {"descriptor": 0}}, [descriptor])
        assert caught.value.kind == "descriptorUnusable"
    finally:
        os.close(descriptor)


@pytest.mark.core
def test_descriptors_that_nobody_claims_are_closed(daemon: Daemon, peer: Peer, file: int) -> None:
    peer.call("ping")
    before = len(daemon.descriptors())
    for _ in range(20):
        peer.call("ping", {}, [file] * 16)
    while len(daemon.descriptors()) > before:
        pass


@pytest.mark.core
def test_descriptors_of_a_refused_request_are_closed(daemon: Daemon, peer: Peer, file: int) -> None:
    with pytest.raises(RemoteError):
        peer.call("fetch", {"url": "nonsense"})
    before = len(daemon.descriptors())
    for params in ({"url": "nonsense"}, {"url": "http://127.0.0.1/", "output": {"descriptor": 7}}):
        with pytest.raises(RemoteError):
            peer.call("fetch", params, [file])
    while len(daemon.descriptors()) > before:
        pass


@pytest.mark.core
def test_a_message_that_promises_descriptors_it_does_not_bring_is_refused(peer: Peer, session: str) -> None:
    params = {"session": session, "url": "http://127.0.0.1:9/", "output": {"descriptor": 0}}
    message = {"jsonrpc": "2.0", "id": "liar", "method": "fetch", "params": params, "descriptors": 1}
    peer.checked = False
    peer.send(message)
    answer = peer.next_message()
    assert answer["error"]["data"]["kind"] in ("descriptorUnusable", "invalidParams")


@pytest.mark.core
def test_seventeen_descriptors_are_refused(daemon: Daemon, connect: Connect, file: int) -> None:
    peer, other = connect(checked=False), connect()
    other.call("ping")
    before = len(daemon.descriptors())
    peer.send({"jsonrpc": "2.0", "id": "many", "method": "ping", "descriptors": 17}, [file] * 17)
    with contextlib.suppress(Closed):
        assert peer.next_message()["error"]["data"]["kind"] == "invalidRequest"
    peer.close()
    while len(daemon.descriptors()) >= before:
        other.call("ping")


@pytest.mark.core
def test_a_flood_of_descriptors_without_messages_leaks_nothing(
    daemon: Daemon, connect: Connect, file: int
) -> None:
    peer, other = connect(checked=False), connect()
    other.call("ping")
    before = len(daemon.descriptors())
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        for _ in range(200):
            peer.send_bytes(b" ", [file] * 16)
    other.call("ping")
    assert len(daemon.descriptors()) < before + 300
    peer.close()
    while len(daemon.descriptors()) >= before:
        other.call("ping")


@pytest.mark.core
def test_two_descriptors_carry_body_and_output(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    async def echo(exchange: Exchange) -> None:
        await exchange.respond(200, [], exchange.request.body[::-1])

    with tempfile.TemporaryFile() as source:
        source.write(b"drowhctaw")
        source.flush()
        os.lseek(source.fileno(), 0, os.SEEK_SET)
        params = {
            "session": session,
            "url": origin.serve("/", echo),
            "method": "POST",
            "body": {"descriptor": 1},
            "output": {"descriptor": 0},
        }
        peer.call("fetch", params, [file, source.fileno()])
    assert content(file) == b"watchword"


# Resuming


def ranged(body: bytes, etag: str) -> Script:
    """Serves a part to whoever asks with the right tag, else the whole."""

    async def script(exchange: Exchange) -> None:
        wanted = exchange.request.header("Range")
        if wanted and exchange.request.header("If-Range") == etag:
            begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
            field = ("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
            await exchange.respond(206, [field, ("ETag", etag)], body[begin:])
        else:
            await exchange.respond(200, [("ETag", etag)], body)

    return script


def go_on(peer: Peer, session: str, url: str, descriptor: int, tag: str = '"v1"') -> Json:
    output = {"descriptor": 0, "resumeIfRange": tag}
    return peer.call("fetch", {"session": session, "url": url, "output": output}, [descriptor])


@pytest.mark.core
def test_a_download_goes_on_where_it_stopped(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    body = binary(1000)
    url = origin.serve("/", ranged(body, '"v1"'))
    os.write(file, body[:400])
    result = go_on(peer, session, url, file)
    assert result["status"] == 206
    assert result["body"] == {"size": 600, "continuation": "continued"}
    assert content(file) == body
    assert origin.requests[0].all("Range") == ["bytes=400-"]


@pytest.mark.core
@pytest.mark.parametrize("members", [{}, {"resumeIfRange": '"v1"'}])
def test_what_came_of_a_download_that_broke_is_in_the_file(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int, members: Json
) -> None:
    body = binary(3 * MEBIBYTE)
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {2 * len(body)}\r\n\r\n".encode()
    url = origin.serve("/", raw(head + body))
    for _ in range(5):
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        params = {"session": session, "url": url, "output": {"descriptor": 0, **members}}
        assert kind_of(peer.call, "fetch", params, [file]) == "connectionLost"
        assert content(file) == body


@pytest.mark.core
@pytest.mark.parametrize("chunks", [b"6\r\nefghij\r\n1\r\nX\r\n0\r\n\r\n", b"5\r\nefghi\r\n0\r\n\r\n"])
def test_a_part_is_as_long_as_it_says(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int, chunks: bytes
) -> None:
    """A chunked body may be longer or shorter than its head has said."""
    head = (
        b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-9/10\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    url = origin.serve("/", raw(head + chunks))
    os.write(file, b"abcd")
    assert kind_of(lambda: go_on(peer, session, url, file)) == "malformedResponse"
    assert b"abcdefghij".startswith(content(file))


@pytest.mark.core
def test_a_changed_document_is_not_glued_together(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    body = binary(1000)
    url = origin.serve("/", ranged(body, '"v2"'))
    os.write(file, b"x" * 4000)
    result = go_on(peer, session, url, file)
    assert result["body"] == {"size": 1000, "continuation": "restarted"}
    assert content(file) == body


@pytest.mark.core
@pytest.mark.parametrize(
    ("status", "fields"),
    [
        (404, []),
        (403, []),
        (412, []),
        (500, []),
        (503, [("Content-Range", "bytes 400-999/1000")]),
        (416, []),
        (416, [("Content-Range", "bytes */1000")]),
        (416, [("Content-Range", "bytes */400"), ("ETag", '"v2"')]),
        (206, []),
        (206, [("Content-Range", "bytes 0-999/1000")]),
        (206, [("Content-Range", "bytes 401-999/1000")]),
        (206, [("Content-Range", "bytes 400-998/1000")]),
        (206, [("Content-Range", "bytes 400-999/1000"), ("Content-Encoding", "gzip")]),
        (206, [("Content-Range", "bytes 400-999/1000"), ("ETag", '"v2"')]),
        (401, []),
        (401, [("WWW-Authenticate", 'Basic realm="staff"')]),
        (302, [("Content-Range", "bytes 400-999/1000")]),
    ],
)
def test_what_does_not_belong_there_is_never_written_to_a_part(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int, status: int, fields: list[tuple[str, str]]
) -> None:
    part = binary(400)
    os.write(file, part)
    url = origin.serve("/", reply(status, b"a page about an error", fields))
    result = go_on(peer, session, url, file)
    assert result["status"] == status
    assert result["body"] == {"size": 21, "continuation": "discarded"}
    assert content(file) == part


@pytest.mark.core
def test_a_part_that_is_everything_is_complete(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    part = binary(400)
    os.write(file, part)
    url = origin.serve("/", reply(416, b"a page", [("Content-Range", "bytes */400")]))
    result = go_on(peer, session, url, file)
    assert (result["status"], result["body"]) == (416, {"size": 6, "continuation": "complete"})
    assert content(file) == part


def test_nginx_goes_on_with_a_download(peer: Peer, session: str, nginx: Nginx, file: int) -> None:
    url = f"{nginx.plain}/small"
    whole = peer.fetch(session, url)
    body, tag = body_of(whole), dict(whole["headers"])["ETag"]

    def after(part: bytes, url: str = url, tag: str = tag) -> tuple[int, str, bytes]:
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, part)
        result = go_on(peer, session, url, file, tag)
        return result["status"], result["body"]["continuation"], content(file)

    half = body[: len(body) // 2]
    assert after(half) == (206, "continued", body)
    assert after(body) == (416, "complete", body)
    assert after(body + b"!") == (416, "discarded", body + b"!")
    assert after(b"older", tag='"older"') == (200, "restarted", body)
    assert after(b"") == (200, "restarted", body)
    assert after(half, f"{nginx.plain}/nowhere") == (404, "discarded", half)
    assert after(half, f"{nginx.plain}/staff/small") == (401, "discarded", half)


# httpbin


def test_httpbin_streams_and_codes(peer: Peer, session: str, httpbin: Httpbin) -> None:
    for path in ("gzip", "brotli"):
        shown = peer.fetch(session, f"{httpbin.url}/{path}")
        assert b'"brotli": true' in body_of(shown) or b'"gzipped": true' in body_of(shown)
    assert peer.fetch(session, f"{httpbin.url}/stream/50")["status"] == 200
    assert peer.fetch(session, f"{httpbin.url}/bytes/20000")["metrics"]["bytesReceived"] >= 20000
    assert peer.fetch(session, f"{httpbin.url}/status/418")["status"] == 418
    assert peer.fetch(session, f"{httpbin.url}/encoding/utf8")["body"]["text"]


@pytest.mark.parametrize(
    "path",
    [
        "basic-auth/reader/word",
        "digest-auth/auth/reader/word",
        "digest-auth/auth/reader/word/SHA-256",
        "digest-auth/auth-int/reader/word/MD5",
        "digest-auth/auth/reader/word/MD5/2",
    ],
)
def test_httpbin_lets_the_reader_in(peer: Peer, httpbin: Httpbin, path: str) -> None:
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, f"{httpbin.url}/{path}")
    peer.answer(peer.challenge(), password("reader", "word"))
    assert peer.result(fetch)["status"] == 200
    for _ in range(4):
        assert peer.fetch(session, f"{httpbin.url}/{path}")["status"] == 200
    peer.nothing_asked()


def test_httpbin_takes_a_token(peer: Peer, httpbin: Httpbin) -> None:
    session = peer.open(tasks=["bearer"])
    fetch = peer.start_fetch(session, f"{httpbin.url}/bearer")
    peer.answer(peer.challenge(), {"token": "word"})
    assert peer.result(fetch)["status"] == 200


def test_httpbin_hides_its_basic_auth(peer: Peer, httpbin: Httpbin) -> None:
    """It answers 404 instead of 401: there is nothing to ask, and userinfo is not sent unasked."""
    session = peer.open(tasks=["*"])
    assert peer.fetch(session, f"{httpbin.url}/hidden-basic-auth/reader/word")["status"] == 404
    peer.nothing_asked()


@pytest.mark.core
def test_an_http_1_0_reply_without_length_ends_with_the_connection(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", raw(b"HTTP/1.0 200 OK\r\n\r\nuntil the end"))
    assert body_of(peer.fetch(session, url)) == b"until the end"
