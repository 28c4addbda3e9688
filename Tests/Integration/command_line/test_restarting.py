"""`watchword restart`, and what it means for commands that run meanwhile."""

from __future__ import annotations

import subprocess

import pytest

from Integration.command_line.scene import AUTHENTICATION, FAILED, OK, Command
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Peer, password
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply, stall_after


@pytest.mark.parametrize("options", [[], ["--session", "s"], ["-L"], ["-Z", "--parallel-max", "1"]])
def test_a_command_goes_on_with_the_next_daemon(
    watchword: Command, daemon: Daemon, peer: Peer, origin: ScriptedOrigin, options: list[str]
) -> None:
    """Its second URL is turned away, or finds the daemon gone."""
    gate, own = origin.gate(), origin.gate()
    peer.open("s")
    running = peer.start_fetch("s", origin.serve("/running", held(gate, reply())))
    urls = [origin.serve("/one", held(own, reply(body=b"one"))), origin.serve("/two", reply(body=b"two"))]
    fetch = watchword.start("fetch", *options, *urls)
    origin.wait_for_requests(2)
    assert peer.call("server/restart") == {"restarting": True}
    own.open()
    gate.open()
    assert peer.result(running)["status"] == 200
    daemon.follow()
    assert fetch.communicate(timeout=PATIENCE) == (b"onetwo", b"")
    assert fetch.returncode == OK


def test_a_fetch_that_was_interrupted_says_so(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, daemon: Daemon
) -> None:
    """No daemon follows at a place that the environment names."""
    fetch = watchword.start("fetch", origin.serve("/", stall_after()))
    origin.wait_for_requests(1)
    peer.call("server/shutdown", {"graceful": False})
    output, errors = fetch.communicate(timeout=PATIENCE)
    assert (fetch.returncode, output) == (FAILED, b"")
    assert errors.startswith(b"watchword: the daemon stopped before")
    assert daemon.process.wait(int(PATIENCE)) == 0
    daemon.start()


def test_a_body_from_a_pipe_is_not_sent_twice(
    watchword: Command, daemon: Daemon, peer: Peer, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", stall_after())
    fetch = watchword.start("fetch", "-X", "OPTIONS", "-T", "-", url, stdin=subprocess.PIPE)
    assert fetch.stdin is not None
    fetch.stdin.write(b"once")
    fetch.stdin.close()
    fetch.stdin = None
    origin.wait_for_requests(1)
    assert peer.call("server/restart") == {"restarting": True}
    peer.call("server/shutdown", {"graceful": False})
    output, errors = fetch.communicate(timeout=PATIENCE)
    assert (fetch.returncode, output) == (FAILED, b"")
    assert errors.startswith(b"watchword: the daemon stopped before")
    assert daemon.process.wait(int(PATIENCE)) == 0
    daemon.start()
    assert len(origin.requests) == 1


def test_a_command_restarts_the_daemon(watchword: Command, daemon: Daemon, peer: Peer, staff: str) -> None:
    session = peer.open("s", tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert watchword("fetch", "--no-ask", "--session", "other", staff).returncode == AUTHENTICATION
    done = watchword("restart", "--json")
    assert (done.returncode, done.stdout) == (OK, b'{"restarting":true}\n')
    daemon.follow()
    assert watchword("fetch", "--no-ask", "--session", "s", staff).returncode == OK
