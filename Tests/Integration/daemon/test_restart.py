"""The daemon that follows another one: what it takes over, and what becomes of a restart that fails."""

from __future__ import annotations

import array
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.daemon.scene import end, ready, restart
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Json, Peer, kind_of, password
from Support.child_process import AdoptedProcess
from Support.daemon import Daemon, clean_environment, program
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply, stall_after

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
GUARD = BasicGuard("staff", USER, PASSWORD)


def test_who_connects_meanwhile_waits_for_the_next_daemon(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    gate = origin.gate()
    before = connect()
    session = before.open("s")
    fetch = before.start_fetch(session, origin.serve("/", held(gate, reply())))
    origin.wait_for_requests(1)
    assert before.call("server/restart") == {"restarting": True}
    assert kind_of(before.fetch, session, origin.serve("/other", reply())) == "shuttingDown"
    waiting = connect()
    ping = waiting.request("ping")
    gate.open()
    assert before.result(fetch)["status"] == 200
    assert waiting.result(ping) == {}
    daemon.follow()


def test_a_program_that_does_not_serve_changes_nothing(tmp_path: Path, origin: ScriptedOrigin) -> None:
    """An upgrade that is broken, and then one that is not."""
    copy = tmp_path / "watchwordd"
    shutil.copy2(program(), copy)
    running = Daemon(command=[str(copy)])
    try:
        with Peer(running.socket) as peer:
            session = peer.open("s", tasks=["*"])
            fetch = peer.start_fetch(session, origin.serve("/", guarded(GUARD)))
            peer.answer(peer.challenge(), password(USER, PASSWORD))
            assert peer.result(fetch)["status"] == 200
            replace(copy, "#!/bin/sh\nexit 3\n")
            assert kind_of(peer.call, "server/restart") == "restartFailed"
            copy.unlink()
            assert kind_of(peer.call, "server/restart") == "restartFailed"
            shutil.copy2(program(), copy)
            restart(peer, running)
        with Peer(running.socket) as peer:
            assert peer.fetch(session, origin.serve("/", guarded(GUARD)))["status"] == 200
    finally:
        running.stop()


def replace(program: Path, text: str) -> None:
    """As a package does it: the program that runs keeps its file."""
    program.unlink()
    program.write_text(text)
    program.chmod(0o755)


def test_a_broken_configuration_is_said_and_changes_nothing(tmp_path: Path) -> None:
    configuration = tmp_path / "config.json"
    configuration.write_text("{}")
    running = Daemon(["--configuration", str(configuration)])
    try:
        with Peer(running.socket) as peer:
            session = peer.open("s")
            configuration.write_text('{"idleLockSeconds": "soon"}')
            with pytest.raises(Exception, match="idleLockSeconds"):
                peer.call("server/restart")
            assert session in json.dumps(peer.call("session/list"))
    finally:
        running.stop()


def test_a_second_stop_ends_the_restart(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open("s")
    fetch = peer.start_fetch(session, origin.serve("/", stall_after()))
    origin.wait_for_requests(1)
    assert peer.call("server/restart") == {"restarting": True}
    os.kill(daemon.pid, signal.SIGTERM)
    assert kind_of(peer.result, fetch) == "taskInterrupted"
    peer.wait_for_end()
    assert daemon.process.wait(PATIENCE) == 0
    assert not daemon.socket.exists()
    daemon.start()


def test_a_signal_restarts_it(daemon: Daemon, connect: Connect) -> None:
    before = connect()
    session = before.open("s")
    os.kill(daemon.pid, signal.SIGUSR2)
    before.wait_for_end()
    daemon.follow()
    assert session in json.dumps(connect().call("session/list"))


def test_a_challenge_can_be_answered_until_the_daemon_ends(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    peer = connect()
    session = peer.open("s", tasks=["*"])
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert peer.call("server/restart") == {"restarting": True}
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    peer.wait_for_end()
    daemon.follow()
    assert connect().fetch(session, url)["status"] == 200


@pytest.mark.parametrize("victim", ["predecessor", "successor"])
def test_one_that_is_killed_meanwhile_leaves_no_daemon_in_between(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, victim: str
) -> None:
    peer = connect()
    session = peer.open("s")
    peer.request("fetch", {"session": session, "url": origin.serve("/", stall_after())})
    origin.wait_for_requests(1)
    assert peer.call("server/restart") == {"restarting": True}
    successor = int(re.findall(r"successor=(\d+)", daemon.output())[-1])
    os.kill(daemon.pid if victim == "predecessor" else successor, signal.SIGKILL)
    if victim == "successor":
        os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait(int(PATIENCE))
    # The other one ends by itself, and the place is free.
    AdoptedProcess(successor, daemon.process.log).wait(PATIENCE)
    daemon.start()
    assert connect().call("session/list") == {"sessions": []}


class Restarting:
    """A daemon that has begun to restart, and waits for a running task of a session with a setting."""

    def __init__(self, daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
        self._daemon, self._connect = daemon, connect
        self._gate = origin.gate()
        self._peer = connect()
        self._session = self._peer.open("s", configuration={"timeouts": {"requestSeconds": 7}})
        self._fetch = self._peer.start_fetch(self._session, origin.serve("/", held(self._gate, reply())))
        origin.wait_for_requests(1)
        assert self._peer.call("server/restart") == {"restarting": True}
        pid = int(re.findall(r"successor=(\d+)", daemon.output())[-1])
        self.successor = AdoptedProcess(pid, daemon.process.log)

    def end_task(self) -> None:
        self._gate.open()
        assert self._peer.result(self._fetch)["status"] == 200
        self._peer.close()

    def follow(self) -> None:
        """The next daemon has the session with its setting."""
        self._daemon.follow()
        described = self._connect().call("session/describe", {"session": self._session})
        assert described["configuration"]["timeouts"]["requestSeconds"] == 7


@pytest.fixture
def restarting(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> Restarting:
    return Restarting(daemon, connect, origin)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1, signal.SIGKILL])
def test_a_signal_to_the_next_daemon_loses_nothing(restarting: Restarting, number: signal.Signals) -> None:
    """pkill finds both. One that was killed before it was given anything has another one in its place."""
    os.kill(restarting.successor.pid, number)
    if number == signal.SIGKILL:
        restarting.successor.wait(PATIENCE)
    restarting.end_task()
    restarting.follow()


def test_one_that_is_killed_while_it_takes_the_state_is_followed_by_another_one(
    daemon: Daemon, restarting: Restarting
) -> None:
    """The running task keeps the daemon from giving it before the next one is stopped."""
    os.kill(restarting.successor.pid, signal.SIGSTOP)
    restarting.end_task()
    daemon.process.wait_until(lambda: "giving the state" in daemon.output(), PATIENCE)
    os.kill(restarting.successor.pid, signal.SIGKILL)
    restarting.successor.wait(PATIENCE)
    restarting.follow()


def test_a_socket_that_cannot_be_made_is_said_before(tmp_path: Path) -> None:
    configuration = tmp_path / "config.json"
    configuration.write_text("{}")
    running = Daemon(["--configuration", str(configuration)])
    try:
        with Peer(running.socket) as peer:
            loose = tmp_path / "loose"
            loose.mkdir()
            loose.chmod(0o777)
            rules = [{"origin": "http://a.example"}]
            socket = {"path": str(loose / "socket"), "rules": rules}
            configuration.write_text(json.dumps({"restrictedSockets": [socket]}))
            with pytest.raises(Exception, match="open to others"):
                peer.call("server/restart")
            assert peer.call("ping") == {}
    finally:
        running.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root may trace everywhere")
def test_a_daemon_that_is_traced_is_given_nothing(tmp_path: Path) -> None:
    copy, real = tmp_path / "watchwordd", program()
    shutil.copy2(real, copy)
    running = Daemon(command=[str(copy)])
    try:
        with Peer(running.socket) as peer:
            replace(
                copy,
                f"#!{sys.executable}\nimport ctypes, os, sys\nready, told = os.pipe()\n"
                "if os.fork() == 0:\n"
                "    traced = ctypes.CDLL(None).ptrace(0x4206, os.getppid(), None, None)  # PTRACE_SEIZE\n"
                "    os.close(3)\n    os.write(told, b'1' if traced == 0 else b'0')\n    os.close(told)\n"
                "    os.waitpid(os.getppid(), 0x40000000)\n"
                "assert os.read(ready, 1) == b'1'\n"
                f"os.execv({str(real)!r}, sys.argv)\n",
            )
            with pytest.raises(Exception, match="traces it"):
                peer.call("server/restart")
    finally:
        running.stop()


STARTER = """
import os, sys
os.dup2(int(sys.argv[1]), 3, inheritable=True)
os.execv(sys.argv[2], sys.argv[2:])
"""


def part(kind: str, **members: Json) -> bytes:
    """As it goes over the socket."""
    text = json.dumps({"kind": kind, **members}).encode()
    return len(text).to_bytes(4, "big") + bytes(4) + text


@pytest.mark.parametrize(
    "given", [b"", b"S", b"S\0\0\0\1", b"S" + b"\xff" * 8, b"S" + part("later") + part("end")]
)
def test_a_state_that_cannot_be_read_is_said_and_the_daemon_serves(directory: Path, given: bytes) -> None:
    """What comes is from this process, in place of a daemon that was killed or is of another version."""
    path = directory / "w.sock"
    listener, lock = socket.socket(socket.AF_UNIX), os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    listener.bind(str(path))
    listener.listen()
    own, theirs = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(theirs.fileno()), str(program()), "--socket", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[theirs.fileno()],
        env={**clean_environment(directory), "WATCHWORD_PREDECESSOR": str(os.getpid())},
    )
    theirs.close()
    assert own.recv(1) == b"R"
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener.fileno(), lock]))]
    if given:
        own.sendmsg([b"L"], rights)
        own.sendall(given)
    listener.close()
    os.close(lock)
    own.close()
    if not given:
        # Nothing was given: the other one goes on.
        assert process.wait(PATIENCE) == 0
        end(process)
        return
    assert ready(process) == f"listening on {path}\n"
    with Peer(path) as peer:
        assert peer.call("session/list") == {"sessions": []}
    _, _, errors = end(process)
    said = "not understood" if given.endswith(part("end")) else "before it had given everything"
    assert said in errors
