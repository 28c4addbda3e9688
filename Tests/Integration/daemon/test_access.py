"""Who gets at the daemon: its socket, its directory, its memory, its command line."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from Integration.daemon.scene import NEIGHBOUR, end, ready, run, stranger
from Integration.wire import PATIENCE, Peer
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import stall_after

pytestmark = pytest.mark.threads
FAILED, USAGE = 1, 2


def refused(process: subprocess.Popen[str], status: int = FAILED) -> str:
    """It must end by itself, with this status; what it said on standard error."""
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == status
    assert output == ""
    assert errors.strip() != ""
    return errors


def test_it_says_where_it_listens_on_standard_output(directory: Path) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    assert ready(process) == f"listening on {path}\n"
    with Peer(path) as peer:
        assert peer.call("ping") == {}
    status, output, _ = end(process)
    assert (status, output) == (0, "")
    assert not path.exists()


def test_the_socket_and_its_directory_are_private(daemon: Daemon) -> None:
    assert stat.S_IMODE(daemon.socket.stat().st_mode) == 0o600
    assert stat.S_ISSOCK(daemon.socket.stat().st_mode)


def test_the_default_place_is_below_the_runtime_directory(directory: Path) -> None:
    process = run(directory)
    path = directory / "watchword" / "watchword.sock"
    assert ready(process) == f"listening on {path}\n"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    end(process)


def test_a_runtime_directory_that_is_missing_is_named(directory: Path) -> None:
    missing = directory / "missing"
    _, errors = run(directory, XDG_RUNTIME_DIR=str(missing)).communicate(timeout=PATIENCE)
    assert errors == f"watchwordd: {missing}/watchword: there is no {missing}, which XDG_RUNTIME_DIR names\n"


def test_a_directory_open_to_others_is_refused_not_repaired(directory: Path) -> None:
    loose = directory / "loose"
    loose.mkdir(mode=0o700)
    loose.chmod(0o755)
    refused(run(directory, "--socket", str(loose / "w.sock")))
    assert stat.S_IMODE(loose.stat().st_mode) == 0o755
    assert not (loose / "w.sock").exists()


def test_a_link_in_place_of_the_directory_is_refused(directory: Path) -> None:
    real = directory / "real"
    real.mkdir(mode=0o700)
    (directory / "watchword").symlink_to(real)
    refused(run(directory))
    assert list(real.iterdir()) == []


def test_a_file_in_place_of_the_socket_is_left_alone(directory: Path) -> None:
    path = directory / "w.sock"
    path.write_text("precious")
    refused(run(directory, "--socket", str(path)))
    assert path.read_text() == "precious"


def test_a_stale_socket_is_replaced(directory: Path) -> None:
    path = directory / "w.sock"
    stale = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    stale.bind(str(path))
    stale.close()
    process = run(directory, "--socket", str(path))
    assert ready(process) == f"listening on {path}\n"
    end(process)


def test_the_socket_of_a_killed_daemon_is_replaced(daemon: Daemon) -> None:
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    assert daemon.socket.exists()
    daemon.start()
    with Peer(daemon.socket) as peer:
        assert peer.call("ping") == {}


def test_a_second_daemon_on_the_same_socket_is_refused(daemon: Daemon, peer: Peer) -> None:
    process = run(daemon.directory, "--socket", str(daemon.socket))
    refused(process)
    assert peer.call("ping") == {}
    with Peer(daemon.socket) as another:
        assert another.call("ping") == {}


def test_a_daemon_that_listens_without_a_lock_is_not_robbed(directory: Path) -> None:
    """The connect probe: a process answers on the socket, so it is not stale."""
    path = directory / "w.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        refused(run(directory, "--socket", str(path)))
        assert path.exists()


#: The daemon sees the effective uid; files are opened with root's, or nothing would be left to refuse.
STRANGER = stranger("os.setresuid(-1, 65534, -1); ctypes.CDLL(None).setfsuid(0)")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")
def test_another_uid_is_refused(daemon: Daemon, peer: Peer) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STRANGER, str(daemon.socket)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout == "0\n", done
    assert peer.call("ping") == {}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")
def test_on_a_host_wide_daemon_each_uid_is_alone(origin: ScriptedOrigin) -> None:
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        path = directory / "w.sock"
        (directory / "host.json").write_text('{"access":"host"}')
        process = run(directory, "--socket", str(path), "--configuration", str(directory / "host.json"))
        ready(process)
        task = {"session": "s", "task": "nightly", "url": origin.serve("/", stall_after())}
        with Peer(path) as peer:
            peer.open("s")
            assert peer.call("task/start", task) == {"task": "nightly"}
            requests = [
                ("task/describe", {"task": "nightly"}),
                ("task/cancel", {"task": "nightly"}),
                ("session/describe", {"session": "s"}),
                ("session/open", {"name": "s"}),
                ("task/start", {**task, "output": "discard"}),
                ("session/list", {}),
                ("server/shutdown", {}),
            ]
            lines = [
                json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
                for method, params in requests
            ]
            neighbour = subprocess.run(
                [sys.executable, "-c", NEIGHBOUR, str(path), *lines],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
            told = neighbour.stdout.splitlines()
            assert told[:3] == ["taskNotFound", "taskNotFound", "sessionNotFound"], neighbour
            assert json.loads(told[3]) == {"session": "s", "created": True}
            assert json.loads(told[4]) == {"task": "nightly"}
            assert [session["uid"] for session in json.loads(told[5])["sessions"]] == [65534]
            assert told[6] == "notPermitted"
            assert peer.call("task/describe", {"task": "nightly"})["state"] == "running"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        end(process)


@pytest.mark.parametrize(
    "options", [["--no-such-option"], ["--log-level", "loud"], ["--idle-exit", "soon"], ["surplus"]]
)
def test_wrong_usage_is_refused(directory: Path, options: list[str]) -> None:
    said, hint = refused(run(directory, *options), USAGE).splitlines()
    assert said.startswith("watchwordd: ")
    assert options[-1] in said
    assert hint == "hint: see watchwordd --help"


def test_a_path_too_long_for_a_socket_is_refused(directory: Path) -> None:
    refused(run(directory, "--socket", str(directory / ("x" * 120))))


def test_it_cannot_be_dumped_or_traced(daemon: Daemon) -> None:
    """Not dumpable: /proc/PID belongs to root, and there is no core."""
    limits = Path(f"/proc/{daemon.pid}/limits").read_text()
    (core,) = [line for line in limits.splitlines() if line.startswith("Max core file size")]
    assert core.split()[4:6] == ["0", "0"]
    if os.getuid() != 0:
        assert Path(f"/proc/{daemon.pid}/mem").stat().st_uid == 0
