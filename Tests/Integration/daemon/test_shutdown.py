"""How it ends: signals, requests, and the tasks that are still running."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.daemon.scene import end, ready, run
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Peer, kind_of, password, pause
from Support import loopback
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply, stall_after

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_running_tasks_finish(
    directory: Path, origin: ScriptedOrigin, number: signal.Signals
) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    gate = origin.gate()
    with Peer(path) as peer:
        fetch = peer.request("fetch", {"url": origin.serve("/", held(gate, reply()))})
        origin.wait_for_requests(1)
        process.send_signal(number)
        wait_until_stopping(peer)
        gate.open()
        assert peer.result(fetch)["status"] == 200
        peer.wait_for_end()
    assert process.wait(PATIENCE) == 0
    end(process)


def wait_until_stopping(peer: Peer) -> None:
    """Until new work is refused because the daemon is about to end."""
    (port,) = loopback.free_ports(1)
    while kind_of(peer.call, "fetch", {"url": f"http://127.0.0.1:{port}/"}) != "shuttingDown":
        pause()


def test_a_second_signal_ends_it_at_once(directory: Path, origin: ScriptedOrigin) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    with Peer(path) as peer:
        fetch = peer.request("fetch", {"url": origin.serve("/", stall_after())})
        origin.wait_for_requests(1)
        process.send_signal(signal.SIGTERM)
        wait_until_stopping(peer)
        process.send_signal(signal.SIGTERM)
        assert kind_of(peer.result, fetch) == "taskInterrupted"
        peer.wait_for_end()
    assert process.wait(PATIENCE) == 0
    end(process)


def test_a_signal_during_a_challenge_does_not_wait_for_the_answer(
    directory: Path, origin: ScriptedOrigin
) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    with Peer(path) as peer:
        peer.open("s", tasks=["*"])
        fetch = peer.start_fetch("s", url)
        challenge = peer.challenge()
        process.send_signal(signal.SIGTERM)
        wait_until_stopping(peer)
        answered = peer.request(
            "challenge/reply",
            {
                "challenge": challenge["challenge"],
                "disposition": "useCredential",
                "credential": password(USER, PASSWORD),
            },
        )
        peer.result(answered)
        assert peer.result(fetch)["status"] == 200
    assert process.wait(PATIENCE) == 0
    end(process)


def test_hang_up_reloads_and_goes_on(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    for _ in range(3):
        os.kill(daemon.pid, signal.SIGHUP)
        assert peer.fetch("s", url)["status"] == 200
    assert peer.call("server/reload") == {"reloaded": True}


def test_a_broken_pipe_does_not_kill_it(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply(body=b"x" * 500_000)))
    for _ in range(5):
        peer = connect(checked=False)
        peer.request("fetch", {"url": url, "detached": True})
        origin.wait_for_requests(1)
        peer.close()
    gate.open()
    survivor = connect()
    assert survivor.call("ping") == {}


def test_shutdown_by_request_finishes_running_tasks(directory: Path, origin: ScriptedOrigin) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    gate = origin.gate()
    with Peer(path) as peer, Peer(path) as administrator:
        peer.open("s")
        fetch = peer.start_fetch("s", origin.serve("/", held(gate, reply())))
        origin.wait_for_requests(1)
        assert administrator.call("server/shutdown") == {"stopping": True}
        late = peer.start_fetch("s", origin.url)
        assert kind_of(peer.result, late) == "shuttingDown"
        gate.open()
        assert peer.result(fetch)["status"] == 200
        assert peer.notification("session/didInvalidate")["reason"] == "shutdown"
        peer.wait_for_end()
    assert process.wait(PATIENCE) == 0
    end(process)


def test_shutdown_without_grace_cancels_tasks(directory: Path, origin: ScriptedOrigin) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    with Peer(path) as peer:
        fetch = peer.request("fetch", {"url": origin.serve("/", stall_after())})
        origin.wait_for_requests(1)
        assert peer.call("server/shutdown", {"graceful": False}) == {"stopping": True}
        assert kind_of(peer.result, fetch) == "taskInterrupted"
    assert process.wait(PATIENCE) == 0
    end(process)


@pytest.mark.parametrize("method", ["fetch", "task/start"])
def test_every_task_is_answered_when_another_caller_ends_the_daemon(
    directory: Path, origin: ScriptedOrigin, method: str
) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    with Peer(path) as peer, Peer(path) as administrator:
        fetch = peer.request(method, {"url": origin.serve("/", stall_after()), "session": "default"})
        if method == "task/start":
            peer.result(fetch)
        origin.wait_for_requests(1)
        assert administrator.call("server/shutdown", {"graceful": False}) == {"stopping": True}
        if method == "task/start":
            assert peer.notification("task/didFinish")["error"]["data"]["kind"] == "taskInterrupted"
        else:
            assert kind_of(peer.result, fetch) == "taskInterrupted"
        assert peer.notification("session/didInvalidate")["reason"] == "shutdown"
        peer.wait_for_end()
    assert process.wait(PATIENCE) == 0
    end(process)


def test_a_large_last_reply_arrives_whole(directory: Path, origin: ScriptedOrigin) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    gate = origin.gate()
    body = b"x" * (1 << 20)
    with Peer(path) as peer:
        url = origin.serve("/", held(gate, reply(body=body)))
        fetch = peer.request("fetch", {"url": url, "output": "inline"})
        origin.wait_for_requests(1)
        process.send_signal(signal.SIGTERM)
        wait_until_stopping(peer)
        gate.open()
        assert peer.result(fetch)["body"]["text"] == body.decode()
    assert process.wait(PATIENCE) == 0
    end(process)
