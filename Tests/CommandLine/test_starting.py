"""Finding the daemon, starting one, and trusting the one that is there."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.child_process import ChildProcess
from Support.daemon import PROJECT, program
from Support.fake_daemon import FakeDaemon

#: A daemon that notes its arguments and what it was started with, and listens.
READY = """#!/usr/bin/env python3
import os, signal, socket, sys
path = sys.argv[sys.argv.index("--socket") + 1]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
open(path + ".arguments", "w").write(" ".join(sys.argv[3:]))
note = open(path + ".note", "w")
print(os.getcwd(), os.getsid(0) == os.getpid(), sorted(os.listdir("/proc/self/fd")), file=note, flush=True)
print("listening on " + path, flush=True)
connection, _ = listener.accept()
connection.recv(65536)
connection.sendall(b'{"jsonrpc":"2.0","id":1,"result":{}}\\n')
connection.recv(1)
"""


@pytest.fixture
def empty(watchword: Command, directory: Path) -> Command:
    """A command without a daemon: none beside it, none in PATH, none at the user's own place."""
    (directory / "bin").mkdir()
    copy = directory / "bin" / "watchword"
    copy.write_bytes(program("watchword").read_bytes())
    copy.chmod(0o700)
    watchword.program = copy
    place(directory).parent.mkdir(mode=0o700, exist_ok=True)
    return watchword


def place(directory: Path) -> Path:
    """Where a command starts a daemon in the environment of the tests."""
    return directory / "watchword" / "watchword.sock"


def install(directory: Path, text: str) -> None:
    path = directory / "bin" / "watchwordd"
    path.write_text(text)
    path.chmod(0o700)


def test_without_a_daemon_it_says_so(empty: Command, directory: Path) -> None:
    for arguments in (["call", "ping"], ["call", "ping", "--no-start"], ["shutdown"], ["reload"]):
        done = empty(*arguments)
        assert (done.returncode, done.stdout) == (5, b"")
        assert done.stderr.startswith(f"watchword: no daemon listens on {place(directory)}".encode())
        # Where nothing is to be ended, nothing is to be done about it.
        assert (b"\nhint: " in done.stderr) == ("call" in arguments)


def test_the_daemon_beside_the_program_is_started(empty: Command, directory: Path) -> None:
    install(directory, READY)
    done = empty("call", "ping", "--socket", "watchword/watchword.sock", directory=directory)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{}\n", b"")
    # In a session of its own, in the root directory, with no descriptor of the starter.
    path = place(directory)
    assert path.with_name(f"{path.name}.note").read_text() == "/ True ['0', '1', '2', '3', '4', '5']\n"
    # No other process ends it, least of all when its directory has been removed.
    arguments = path.with_name(f"{path.name}.arguments").read_text()
    assert arguments == f"--log-file {path.parent}/watchwordd.log --idle-exit 3600"


def test_no_daemon_is_started_at_a_place_that_is_named(empty: Command, directory: Path) -> None:
    """A mistyped name, or the socket of a program that has ended, would make a daemon that knows nothing."""
    install(directory, READY)
    for named in ("s", "missing/s", "watchword/other.sock"):
        path = directory / named
        done = empty("call", "ping", "--socket", str(path))
        assert (done.returncode, done.stdout) == (5, b"")
        assert done.stderr.startswith(f"watchword: no daemon listens on {path}\nhint: ".encode())
        assert f"watchwordd --socket {path} starts one\n".encode() in done.stderr
        again = empty("call", "ping", environment={"WATCHWORD_SOCKET": str(path)})
        assert (again.returncode, again.stderr) == (done.returncode, done.stderr)
    assert list(place(directory).parent.iterdir()) == []
    assert {path.name for path in directory.iterdir()} == {"bin", "watchword"}


def test_a_daemon_that_cannot_start_is_explained(empty: Command, directory: Path) -> None:
    install(directory, "#!/bin/sh\necho 'the directory is readable by others'\nexit 1\n")
    done = empty("call", "ping")
    assert done.returncode == 5
    assert b"the directory is readable by others" in done.stderr


def test_the_error_of_a_daemon_that_cannot_start_is_its_own(watchword: Command, directory: Path) -> None:
    """The real daemon's word, which is on standard error, and nothing left behind."""
    loose = place(directory / "loose").parent
    loose.mkdir(mode=0o755, parents=True)
    done = watchword("call", "ping", environment={"XDG_RUNTIME_DIR": str(directory / "loose")})
    assert (done.returncode, done.stdout) == (5, b"")
    reason = f"{loose}: is open to others; its mode must be 0700"
    assert f"watchwordd could not be started: {reason}\n".encode() in done.stderr
    assert list(loose.iterdir()) == []
    place(directory).parent.mkdir(mode=0o700)
    place(directory).mkdir()
    assert watchword("call", "ping").returncode == 5
    missing = place(directory / "missing").parent
    done = watchword("call", "ping", environment={"XDG_RUNTIME_DIR": str(directory / "missing")})
    assert done.returncode == 5
    reason = f"{missing}: there is no {missing.parent}, which XDG_RUNTIME_DIR names"
    assert f"could not be started: {reason}\n".encode() in done.stderr


def test_a_daemon_that_was_started_keeps_a_log_beside_its_socket(watchword: Command, directory: Path) -> None:
    path = directory / "watchword" / "watchword.sock"
    assert watchword("call", "ping", "--socket", str(path)).returncode == 0
    pid = json.loads(watchword("status", "--json", "--socket", str(path)).stdout)["pid"]
    log = path.parent / "watchwordd.log"
    assert (log.stat().st_mode & 0o777, log.stat().st_nlink) == (0o600, 1)
    assert Path(f"/proc/{pid}/fd/2").readlink() == log
    assert {str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in (0, 1)} == {"/dev/null"}
    assert watchword("shutdown", "--socket", str(path)).returncode == 0
    while Path(f"/proc/{pid}").exists():
        time.sleep(0.01)


def test_a_log_is_bounded(directory: Path, watchword: Command) -> None:
    log = directory / "d.log"
    log.write_bytes(b"x" * (1 << 20) + b"y\n")
    arguments = ["--socket", str(directory / "own" / "s"), "--log-file", str(log), "--log-level", "trace"]
    daemon = ChildProcess([str(program()), *arguments], directory / "output", watchword.environment)
    daemon.wait_until(lambda: "listening on" in daemon.output())
    daemon.stop()
    assert (directory / "d.log.1").stat().st_size > 1 << 20
    assert 0 < log.stat().st_size < 4096
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_lost_race_waits_for_the_winner(empty: Command, directory: Path) -> None:
    install(
        directory,
        f"#!/bin/sh\n(sleep 0.3; exec '{directory}/bin/winner' --socket \"$2\" >/dev/null 2>&1) &\n"
        "echo 'another daemon holds the lock'\nexit 1\n",
    )
    winner = directory / "bin" / "winner"
    winner.write_text(READY)
    winner.chmod(0o700)
    assert empty("call", "ping").returncode == 0


@pytest.fixture
def listener(directory: Path) -> Iterator[socket.socket]:
    """A daemon that the test ends."""
    with socket.socket(socket.AF_UNIX) as made:
        place(directory).parent.mkdir(mode=0o700, exist_ok=True)
        made.bind(str(place(directory)))
        made.listen()
        yield made


def test_a_daemon_that_ends_unheard_is_replaced(
    empty: Command, directory: Path, listener: socket.socket
) -> None:
    """It was idle, and closed its socket with a connection waiting."""
    install(directory, READY)
    path = place(directory)
    with empty.start("call", "ping") as running:
        assert select.select([listener], [], [], 20)[0]
        path.unlink()
        listener.close()
        assert running.communicate(timeout=20) == (b"{}\n", b"")
    assert running.returncode == 0


def test_what_a_daemon_may_have_read_is_not_repeated(
    empty: Command, directory: Path, listener: socket.socket
) -> None:
    install(directory, READY)
    path = place(directory)
    with empty.start("call", "ping") as running:
        connection, _ = listener.accept()
        connection.recv(65536)
        path.unlink()
        listener.close()
        connection.close()
        _, errors = running.communicate(timeout=20)
    assert running.returncode != 0
    assert b"watchword: " in errors
    assert not path.exists()


def test_nothing_is_started_for_another_reason(empty: Command, directory: Path) -> None:
    install(directory, f"#!/bin/sh\ntouch '{directory}/started'\n")
    (directory / "plain").touch()
    for path in (str(directory / "plain" / "s"), "/" + "x" * 200):
        assert empty("call", "ping", "--socket", path).returncode == 5
    assert not (directory / "started").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another account")
def test_a_daemon_of_another_account_is_told_nothing(watchword: Command, directory: Path) -> None:
    path = directory / "s"
    pid = os.fork()
    if pid == 0:
        directory.chmod(0o777)
        os.setuid(65534)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        connection, _ = listener.accept()
        os._exit(1 if connection.recv(1) else 0)
    while not path.exists():
        time.sleep(0.01)
    done = watchword("call", "ping", "--socket", str(path))
    assert done.returncode == 5
    assert b"uid 65534" in done.stderr
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_the_socket_is_found_in_the_users_directory(watchword: Command, directory: Path) -> None:
    (directory / "watchword").mkdir()
    fake = FakeDaemon(directory / "watchword" / "watchword.sock")
    watchword.environment["XDG_RUNTIME_DIR"] = str(directory)
    assert watchword("call", "ping", "--no-start").returncode == 0
    fake.stop()


def test_a_relative_runtime_directory_does_not_count(empty: Command, directory: Path) -> None:
    empty.environment.update(XDG_RUNTIME_DIR="relative", HOME=str(directory))
    script = PROJECT / "clients" / "shell" / "watchword.sh"
    shell = ["dash", "-c", f". {script}; ww__path"]
    where = subprocess.run(
        shell, env=empty.environment, capture_output=True, text=True, timeout=20, check=True
    )
    runtime = Path(f"/run/user/{os.getuid()}")
    named = runtime / "watchword" if runtime.is_dir() else directory / ".watchword"
    assert where.stdout == str(named / "watchword.sock")
    done = empty("call", "ping", "--no-start", directory=directory)
    assert done.stderr.startswith(f"watchword: no daemon listens on {where.stdout}\n".encode())


def test_the_command_and_the_daemon_look_for_the_same_socket(watchword: Command, directory: Path) -> None:
    for variable in ("XDG_RUNTIME_DIR", "HOME"):
        del watchword.environment[variable]
    if not os.access(f"/run/user/{os.getuid()}", os.X_OK):
        assert watchword("call", "ping").returncode == 5
        lost = subprocess.run([str(program())], env=watchword.environment, capture_output=True, timeout=20)
        assert (lost.returncode, lost.stdout) == (1, b"")
        watchword.environment["HOME"] = str(directory)
        assert watchword("call", "ping").returncode == 0
        found = json.loads(watchword("status", "--json").stdout)["socket"]
        assert found == str(directory / ".watchword" / "watchword.sock")
        assert watchword("shutdown").returncode == 0
    watchword.environment["WATCHWORD_SOCKET"] = "own/s"
    command = ["env", "-C", str(directory), str(program())]
    daemon = ChildProcess(command, directory / "output", watchword.environment)
    daemon.wait_until(lambda: f"listening on {directory}/own/s\n" in daemon.output())
    assert watchword("call", "ping", "--no-start", directory=directory).returncode == 0
    daemon.stop()
