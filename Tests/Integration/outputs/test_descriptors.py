"""Descriptors that travel with a request: how they are used, refused and closed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import select
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.daemon.scene import WITHOUT_PROC, account, serving
from Integration.outputs.scene import content, fetch_into
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Closed, Peer, RemoteError, kind_of, password, pause
from Support.daemon import Daemon
from Support.documents import binary
from Support.exchange import Exchange
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, reply

MEBIBYTE = 1 << 20
Connect = Callable[..., Peer]


@pytest.mark.threads
def test_a_body_goes_to_a_descriptor_byte_for_byte(
    daemon: Daemon, peer: Peer, session: str, nginx: Nginx, file: int
) -> None:
    result = fetch_into(peer, session, f"{nginx.plain}/1m", file)
    assert result["body"] == {"size": MEBIBYTE}
    assert hashlib.sha256(content(file)).digest() == hashlib.sha256(binary(MEBIBYTE)).digest()


@pytest.mark.threads
def test_a_descriptor_is_written_from_its_offset(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    os.write(file, b"before ")
    fetch_into(peer, session, origin.serve("/", reply()), file)
    assert content(file) == b"before " + OK_BODY


@pytest.mark.threads
def test_the_body_of_a_refusal_is_not_written(peer: Peer, origin: ScriptedOrigin, file: int) -> None:
    session = peer.open(tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    params = {"session": session, "url": url, "output": {"descriptor": 0}}
    fetch = peer.request("fetch", params, [file])
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert content(file) == OK_BODY


@pytest.mark.threads
def test_a_401_that_is_delivered_is_written(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    assert fetch_into(peer, session, url, file)["status"] == 401
    assert content(file) == b"who goes there?"


@pytest.mark.threads
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


def check_pipes_of(path: Path, origin: ScriptedOrigin) -> None:
    """A daemon uses the pipes of this process, and waits for neither of them."""
    large = binary(MEBIBYTE)
    sent: list[bytes] = []

    async def taken(exchange: Exchange) -> None:
        sent.append(exchange.request.body)
        await exchange.respond(200)

    with Peer(path) as peer, Peer(path) as other:
        session = peer.open()
        reader, writer = os.pipe()
        fetch = peer.request(
            "fetch",
            {
                "session": session,
                "url": origin.serve("/large", reply(body=large)),
                "output": {"descriptor": 0},
            },
            [writer],
        )
        got = os.read(reader, 100)
        # The pipe is full: the daemon waits for its reader, and serves others.
        while select.select([], [writer], [], 0)[1]:
            assert other.call("ping") == {}
        assert other.call("ping") == {}
        assert os.get_blocking(writer)
        os.close(writer)
        while piece := os.read(reader, MEBIBYTE):
            got += piece
        os.close(reader)
        assert peer.result(fetch)["body"] == {"size": MEBIBYTE}
        assert got == large

        reader, writer = os.pipe()
        upload = {"session": session, "url": origin.serve("/up", taken), "method": "PUT"}
        fetch = peer.request("fetch", {**upload, "body": {"descriptor": 0}}, [reader])
        os.close(reader)
        os.write(writer, b"first ")
        assert other.call("ping") == {}
        os.write(writer, b"second")
        os.close(writer)
        assert peer.result(fetch)["status"] == 200
        assert sent == [b"first second"]


@pytest.mark.threads
def test_a_pipe_that_cannot_be_opened_again_is_used_as_it_was_passed(origin: ScriptedOrigin) -> None:
    with tempfile.TemporaryDirectory(prefix="watchword-") as name, serving(Path(name), WITHOUT_PROC) as path:
        check_pipes_of(path, origin)


@pytest.mark.threads
@pytest.mark.skipif(os.getuid() != 0, reason="only root has pipes that another account cannot open")
def test_a_pipe_of_another_uid_is_used_as_it_was_passed(origin: ScriptedOrigin) -> None:
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        home, user = account(Path(name), 4711)
        with serving(home, user) as path:
            check_pipes_of(path, origin)


@pytest.mark.threads
def test_a_pipe_that_cannot_be_used_is_named_with_the_reason(
    daemon: Daemon, peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    reader, writer = os.pipe()
    try:
        # One more than are open: the descriptor arrives, and there is no room for another one.
        limit = len(daemon.descriptors()) + 1
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (limit, limit))
        with pytest.raises(RemoteError) as caught:
            fetch_into(peer, session, origin.serve("/", reply()), writer)
        assert caught.value.kind == "descriptorUnusable"
        assert "Too many open files" in str(caught.value)
        assert origin.requests == []
    finally:
        os.close(reader)
        os.close(writer)


@pytest.mark.threads
@pytest.mark.skipif(os.getuid() != 0, reason="only root may change the limit of another account")
def test_work_that_finds_no_thread_is_not_done_on_the_loop(origin: ScriptedOrigin) -> None:
    """A file may lie on a file system that hangs: its work waits until the system has a thread.

    Where /tmp is a tmpfs, a file in it is memory, which hangs never.
    """
    directory = tempfile.TemporaryDirectory(prefix="watchword-")
    with directory as name, tempfile.TemporaryFile(dir="/var/tmp") as file:
        home, user = account(Path(name), 4711)
        with serving(home, user) as path, Peer(path) as peer:
            daemon = peer.call("initialize")["pid"]
            limits = Path(f"/proc/{daemon}/limits").read_text().splitlines()
            (before,) = [line.split()[2] for line in limits if line.startswith("Max processes")]
            set_limit = [*user, "prlimit", "--pid", str(daemon)]
            subprocess.run([*set_limit, "--nproc=1:"], check=True)
            params = {"session": peer.open(), "url": origin.serve("/", reply()), "output": {"descriptor": 0}}
            fetch = peer.request("fetch", params, [file.fileno()])
            origin.wait_for_requests(1, "/")
            for _ in range(100):
                assert peer.call("ping") == {}
            assert fetch not in peer.replies
            assert content(file.fileno()) == b""
            subprocess.run([*set_limit, f"--nproc={before}:"], check=True)
            assert peer.result(fetch)["status"] == 200
            assert content(file.fileno()) == OK_BODY


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


@pytest.mark.threads
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


@pytest.mark.threads
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


@pytest.mark.threads
def test_descriptors_that_no_message_claims_are_closed(daemon: Daemon, peer: Peer, file: int) -> None:
    peer.call("ping")
    before = len(daemon.descriptors())
    for _ in range(20):
        peer.call("ping", {}, [file] * 16)
    while len(daemon.descriptors()) > before:
        pause()


@pytest.mark.threads
def test_descriptors_of_a_refused_request_are_closed(daemon: Daemon, peer: Peer, file: int) -> None:
    with pytest.raises(RemoteError):
        peer.call("fetch", {"url": "nonsense"})
    before = len(daemon.descriptors())
    for params in ({"url": "nonsense"}, {"url": "http://127.0.0.1/", "output": {"descriptor": 7}}):
        with pytest.raises(RemoteError):
            peer.call("fetch", params, [file])
    while len(daemon.descriptors()) > before:
        pause()


@pytest.mark.threads
def test_a_message_that_promises_descriptors_it_does_not_bring_is_refused(peer: Peer, session: str) -> None:
    params = {"session": session, "url": "http://127.0.0.1:9/", "output": {"descriptor": 0}}
    message = {"jsonrpc": "2.0", "id": "liar", "method": "fetch", "params": params, "descriptors": 1}
    peer.checked = False
    peer.send(message)
    answer = peer.next_message()
    assert answer["error"]["data"]["kind"] in ("descriptorUnusable", "invalidParams")


@pytest.mark.threads
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


@pytest.mark.threads
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


@pytest.mark.threads
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
