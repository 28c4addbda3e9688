"""A socket that systemd hands over."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.daemon.scene import end, ready, run
from Integration.wire import PATIENCE, Peer
from Support.daemon import clean_environment, program

pytestmark = pytest.mark.threads


STARTER = """
import os, sys
os.dup2(int(sys.argv[1]), 3, inheritable=True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture
def listener(directory: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(directory / "activated.sock"))
        listener.listen()
        yield listener


def activated(listener: socket.socket, directory: Path, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", STARTER, str(listener.fileno()), str(program())],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[listener.fileno()],
        env={**clean_environment(directory), **environment},
    )


def test_a_socket_of_systemd_is_taken_and_never_unlinked(directory: Path, listener: socket.socket) -> None:
    process = activated(listener, directory)
    assert "listening on" in ready(process)
    with Peer(directory / "activated.sock") as peer:
        assert peer.call("ping") == {}
    status, _, _ = end(process)
    assert status == 0
    assert (directory / "activated.sock").exists()


def test_a_restart_tells_systemd_who_serves(directory: Path, listener: socket.socket) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(directory / "notify"))
        manager.settimeout(PATIENCE)
        process = activated(listener, directory, NOTIFY_SOCKET=str(directory / "notify"))
        assert manager.recv(100) == b"READY=1"
        with Peer(directory / "activated.sock") as peer:
            session = peer.open("s")
            assert peer.call("server/restart") == {"restarting": True}
        with Peer(directory / "activated.sock") as peer:
            greeting = peer.call("initialize", {"protocolVersion": "1"})
            assert session in json.dumps(peer.call("session/list"))
            assert manager.recv(100) == b"MAINPID=%d" % greeting["pid"]
            assert manager.recv(100) == b"READY=1"
            assert process.wait(PATIENCE) == 0
            peer.call("server/shutdown")
            peer.wait_for_end()
        assert (directory / "activated.sock").exists()
        end(process)


def test_the_descriptor_of_another_process_is_not_taken(directory: Path) -> None:
    """LISTEN_PID names another process: the variables were inherited, not meant for it."""
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), LISTEN_PID="1", LISTEN_FDS="1")
    assert ready(process) == f"listening on {path}\n"
    end(process)
