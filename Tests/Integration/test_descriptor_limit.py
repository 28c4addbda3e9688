"""The daemon's own descriptors: how many it may have, how many it has, and what it does without any."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer, RemoteError, kind_of, pause
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply
from Support.shared_library import built

pytestmark = pytest.mark.threads

Connect = Callable[..., Peer]


@contextlib.contextmanager
def soft_limit(value: int) -> Iterator[None]:
    """What this process starts inherits so many descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (value, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def allow_no_more(daemon: Daemon) -> None:
    """From now on the daemon can open descriptors only where others were closed."""
    _, hard = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
    highest = max(int(number) for number in daemon.descriptors())
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (highest + 1, hard))


def pinging(daemon: Daemon) -> socket.socket:
    """A connection that has asked for something, whether it is accepted or not."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(PATIENCE)
    connection.connect(str(daemon.socket))
    connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    return connection


def test_the_soft_limit_is_raised_and_told_with_what_is_in_use(peers: list[Peer]) -> None:
    with soft_limit(256):
        daemon = Daemon()
    peers.append(Peer(daemon.socket))
    status = peers[-1].call("status")
    soft, hard = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
    assert 256 < soft <= hard
    assert status["limits"]["descriptors"] == soft
    assert status["usage"]["descriptors"] == len(daemon.descriptors())
    peers.append(Peer(daemon.socket))
    peers[-1].call("ping")
    again = peers[0].call("status")["usage"]["descriptors"]
    assert again == status["usage"]["descriptors"] + 1
    daemon.stop()


def test_without_descriptors_it_accepts_later_and_serves_who_is_there(
    daemon: Daemon, connect: Connect
) -> None:
    """A connection that cannot be accepted stays readable: looking again in every turn would be a spin."""
    peer, leaving = connect(), connect()
    peer.call("ping")
    leaving.call("ping")
    allow_no_more(daemon)
    others: list[socket.socket] = []
    while peer.counter("accepts.deferred") == 0:
        others.append(pinging(daemon))
    last = pinging(daemon)
    before = peer.counter("accepts.deferred")
    # Each is at least one turn of the loop.
    for _ in range(400):
        assert peer.call("ping") == {}
    assert peer.counter("accepts.deferred") - before < 100
    leaving.close()
    for other in others:
        other.close()
    with last:
        assert last.recv(4096) == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert peer.call("ping") == {}


def attempt(peer: Peer, params: Json, descriptor: int) -> Json:
    """The result of a fetch, or None where there was no room for its descriptor."""
    try:
        return peer.call("fetch", params, [descriptor])
    except RemoteError as error:
        assert (error.kind, error.data["limit"]) == ("limitExceeded", "descriptors")
        return None


def test_a_descriptor_that_there_is_no_room_for_costs_its_request_only(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    peer, leaving = connect(), connect()
    leaving.call("ping")
    session = peer.open("s")
    url = origin.serve("/", reply(body=b"watchword"))
    assert peer.fetch(session, url)["status"] == 200
    allow_no_more(daemon)
    others: list[socket.socket] = []
    while peer.counter("accepts.deferred") == 0:
        others.append(pinging(daemon))
    with (tmp_path / "body").open("w+b") as file:
        params = {"session": session, "url": url, "output": {"descriptor": 0}}
        for _ in range(3):
            assert attempt(peer, params, file.fileno()) is None
        assert peer.call("ping") == {}
        for other in others:
            other.close()
        leaving.close()
        while not (written := attempt(peer, params, file.fileno())):
            pause()
        assert written["body"] == {"size": 9}


@pytest.fixture
def named_pipe(tmp_path: Path) -> Path:
    path = tmp_path / "configuration.json"
    path.write_text("{}")
    return path


def test_a_configuration_file_that_has_become_a_pipe_stops_nothing(
    named_pipe: Path, peers: list[Peer]
) -> None:
    """Opening a FIFO waits for its other end."""
    daemon = Daemon(["--configuration", str(named_pipe)])
    peers.append(Peer(daemon.socket))
    named_pipe.unlink()
    os.mkfifo(named_pipe)
    os.kill(daemon.pid, signal.SIGHUP)
    daemon.process.wait_until(lambda: "not a regular file" in daemon.output())
    assert peers[-1].call("ping") == {}
    daemon.stop()


def test_a_configuration_file_that_hangs_delays_no_other_call(tmp_path: Path, peers: list[Peer]) -> None:
    path = tmp_path / "hung"
    path.write_text("{}")
    preloaded = {"LD_PRELOAD": str(built("hanging_files", ["-ldl"]))}
    daemon = Daemon(["--configuration", str(path)], preloaded)
    peers += [Peer(daemon.socket), Peer(daemon.socket)]
    reloading, other = peers[-2:]
    path.unlink()
    os.mkfifo(path)
    reload = reloading.request("server/reload", {})
    assert other.call("ping") == {}
    assert reload not in reloading.replies
    # A writer comes, and lets it go.
    with path.open("w"):
        assert kind_of(reloading.result, reload) == "configurationInvalid"
    daemon.stop()


@pytest.mark.parametrize("kind", ["pipe", "directory", "device"])
def test_a_configuration_that_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "configuration"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(RuntimeError, match="not a regular file"):
        Daemon(["--configuration", str(path)])
