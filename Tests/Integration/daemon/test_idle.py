"""What it does with nothing to do, and when it exits for that."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from Integration.daemon.scene import end, ready, run
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Peer, many, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply

pytestmark = pytest.mark.threads


def test_it_exits_when_idle(directory: Path) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), "--idle-exit", "1")
    ready(process)
    with Peer(path) as peer:
        peer.call("ping")
    assert process.wait(PATIENCE) == 0
    end(process)


def test_it_exits_after_the_last_detached_task(directory: Path, origin: ScriptedOrigin) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), "--idle-exit", "1")
    ready(process)
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    with Peer(path) as peer:
        peer.call("task/start", {"url": url, "detached": True, "output": "discard"})
        origin.wait_for_requests(1)
    gate.open()
    assert process.wait(PATIENCE) == 0
    end(process)


def test_it_exits_after_a_connection_that_held_many_sessions(directory: Path) -> None:
    """It leaves them in steps: when the connection has ended, most of them still have a holder."""
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), "--idle-exit", "1")
    ready(process)
    with Peer(path) as peer:
        for request in [peer.request("session/open", {"name": f"s{number}"}) for number in range(many(4000))]:
            peer.result(request)
    assert process.wait(PATIENCE) == 0
    end(process)


def test_it_exits_when_what_its_sessions_held_is_forgotten(directory: Path) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), "--idle-exit", "1")
    ready(process)
    space = {
        "protocol": "https",
        "host": "a.example",
        "port": 443,
        "realm": "staff",
        "authenticationMethod": "basic",
    }
    with Peer(path) as peer:
        peer.call("credential/set", {"protectionSpace": space, "credential": password(USER, PASSWORD)})
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2.5)
    process.send_signal(signal.SIGUSR1)
    assert process.wait(PATIENCE) == 0
    end(process)


@pytest.mark.parametrize("what", ["cookies", "settings"])
def test_it_does_not_exit_while_a_session_would_be_missed(directory: Path, what: str) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), "--idle-exit", "1")
    ready(process)
    with Peer(path) as peer:
        if what == "settings":
            peer.open("s", configuration={"redirects": {"limit": 3}})
        else:
            peer.open("s")
            cookie = {"name": "login", "value": "yes", "domain": "intranet.example"}
            peer.call("cookie/set", {"session": "s", "cookie": cookie})
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2.5)
    with Peer(path) as peer:
        peer.call("session/invalidate", {"session": "s"})
    assert process.wait(PATIENCE) == 0
    end(process)


def test_it_does_not_exit_while_a_peer_is_connected_or_a_session_holds_anything(
    directory: Path, origin: ScriptedOrigin
) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), "--idle-exit", "1")
    ready(process)
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    with Peer(path) as peer:
        peer.open("s", tasks=["*"])
        fetch = peer.start_fetch("s", url)
        peer.answer(peer.challenge(), password(USER, PASSWORD))
        peer.result(fetch)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2.5)
    with Peer(path) as peer:
        assert peer.fetch("s", url)["status"] == 200
        peer.call("session/invalidate", {"session": "s"})
    assert process.wait(PATIENCE) == 0
    end(process)


def test_it_does_not_wake_up_when_idle(daemon: Daemon, peer: Peer) -> None:
    peer.call("ping")

    def switches() -> int:
        text = Path(f"/proc/{daemon.pid}/status").read_text()
        return sum(int(line.split()[1]) for line in text.splitlines() if "ctxt_switches" in line)

    before = switches()
    # The passing of time is what this test is about, so it waits for nothing but a second.
    signal.sigtimedwait([], 1)
    assert switches() - before < 20
