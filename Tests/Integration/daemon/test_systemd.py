"""A socket that systemd hands over."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from Integration.daemon.scene import end, ready, run
from Integration.wire import Peer
from Support.daemon import clean_environment, program

pytestmark = pytest.mark.threads


def test_a_socket_of_systemd_is_taken_and_never_unlinked(directory: Path) -> None:
    path = directory / "activated.sock"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen()
    starter = (
        "import os, sys\n"
        "os.dup2(int(sys.argv[1]), 3, inheritable=True)\n"
        "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')\n"
        "os.execv(sys.argv[2], sys.argv[2:])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", starter, str(listener.fileno()), str(program())],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[listener.fileno()],
        env=clean_environment(directory),
    )
    assert "listening on" in ready(process)
    with Peer(path) as peer:
        assert peer.call("ping") == {}
    status, _, _ = end(process)
    assert status == 0
    assert path.exists()
    listener.close()


def test_the_descriptor_of_another_process_is_not_taken(directory: Path) -> None:
    """LISTEN_PID names another process: the variables were inherited, not meant for it."""
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), LISTEN_PID="1", LISTEN_FDS="1")
    assert ready(process) == f"listening on {path}\n"
    end(process)
