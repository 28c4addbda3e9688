"""The process: its socket, lock, signals, activation, idle exit, status and shutdown."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration import contract
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Peer, kind_of, password
from Support import loopback
from Support.daemon import FAULTS, Daemon, clean_environment, program
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply, stall_after

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]


@pytest.fixture
def directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        yield Path(name)


def run(directory: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """A daemon with its outputs apart, for the tests of what it prints and how it ends."""
    return subprocess.Popen(
        [str(program()), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**clean_environment(directory), **environment},
    )


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Terminates it if need be; its status and what else it printed."""
    process.terminate()
    output, errors = process.communicate(timeout=PATIENCE)
    assert not [fault for fault in FAULTS if fault in errors], errors
    return process.returncode, output, errors


def ready(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


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
    """The connect probe: somebody answers on the socket, so it is not stale."""
    path = directory / "w.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        refused(run(directory, "--socket", str(path)))
        assert path.exists()


STRANGER = """
import ctypes, os, socket, sys
# The daemon sees the effective uid; files are opened with root's, or nothing would be left to refuse.
os.setresuid(-1, 65534, -1)
ctypes.CDLL(None).setfsuid(0)
peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
peer.connect(sys.argv[1])
try:
    peer.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}' + bytes([10]))
    print(len(peer.recv(100)))
except OSError:
    print(0)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_another_uid_is_refused(daemon: Daemon, peer: Peer) -> None:
    stranger = subprocess.run(
        [sys.executable, "-c", STRANGER, str(daemon.socket)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert stranger.stdout == "0\n", stranger
    assert peer.call("ping") == {}


NEIGHBOUR = """
import json, os, socket, sys
os.setuid(65534)
peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
peer.connect(sys.argv[1])
with peer.makefile("rw") as lines:
    for line in sys.argv[2:]:
        print(line, file=lines, flush=True)
        answer = json.loads(lines.readline())
        print(answer.get("error", {}).get("data", {}).get("kind") or json.dumps(answer["result"]))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
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
    assert "Usage: watchwordd" in refused(run(directory, *options), USAGE)


def test_a_path_too_long_for_a_socket_is_refused(directory: Path) -> None:
    refused(run(directory, "--socket", str(directory / ("x" * 120))))


# Ending


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
        pass


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
        assert kind_of(peer.result, fetch) == "taskCancelled"
        peer.wait_for_end()
    assert process.wait(PATIENCE) == 0
    end(process)


def test_a_signal_while_somebody_is_asked_does_not_wait_for_the_answer(
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
        assert kind_of(peer.result, fetch) in ("taskCancelled", "sessionInvalidated", "shuttingDown")
    assert process.wait(PATIENCE) == 0
    end(process)


@pytest.mark.parametrize("method", ["fetch", "task/start"])
def test_whoever_ends_it_every_task_is_answered(directory: Path, origin: ScriptedOrigin, method: str) -> None:
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
            assert peer.notification("task/didFinish")["error"]["data"]["kind"] == "taskCancelled"
        else:
            assert kind_of(peer.result, fetch) == "taskCancelled"
        assert peer.notification("session/didInvalidate")["reason"] == "shutdown"
        peer.wait_for_end()
    assert process.wait(PATIENCE) == 0
    end(process)


def test_a_large_last_reply_arrives_whole(directory: Path, origin: ScriptedOrigin) -> None:
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path))
    ready(process)
    gate = origin.gate()
    body = b"x" * (4 << 20)
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


def test_it_does_not_exit_while_somebody_is_connected_or_a_session_holds_anything(
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
    """LISTEN_PID names somebody else: the variables were inherited, not meant for it."""
    path = directory / "w.sock"
    process = run(directory, "--socket", str(path), LISTEN_PID="1", LISTEN_FDS="1")
    assert ready(process) == f"listening on {path}\n"
    end(process)


# The process


def test_it_cannot_be_dumped_or_traced(daemon: Daemon) -> None:
    """Not dumpable: /proc/PID belongs to root, and there is no core."""
    limits = Path(f"/proc/{daemon.pid}/limits").read_text()
    (core,) = [line for line in limits.splitlines() if line.startswith("Max core file size")]
    assert core.split()[4:6] == ["0", "0"]
    if os.getuid() != 0:
        assert Path(f"/proc/{daemon.pid}/mem").stat().st_uid == 0


def test_it_does_not_wake_up_when_idle(daemon: Daemon, peer: Peer) -> None:
    peer.call("ping")

    def switches() -> int:
        text = Path(f"/proc/{daemon.pid}/status").read_text()
        return sum(int(line.split()[1]) for line in text.splitlines() if "ctxt_switches" in line)

    before = switches()
    # The passing of time is what this test is about, so it waits for nothing but a second.
    signal.sigtimedwait([], 1)
    assert switches() - before < 20


# Status


def test_status_is_a_whole_snapshot(daemon: Daemon, peer: Peer) -> None:
    peer.open("s")
    snapshot = peer.call("status")
    assert snapshot["pid"] == daemon.pid
    assert snapshot["socket"] == str(daemon.socket)
    assert snapshot["residentBytes"] > 0
    assert "s" in [entry["session"] for entry in snapshot["sessions"]]


def test_counters_count(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    peer.fetch(session, url)
    stalled = origin.serve("/stall", stall_after())
    assert kind_of(lambda: peer.fetch(session, stalled, timeouts={"resourceSeconds": 0.1})) == "timedOut"
    counters = peer.call("status")["counters"]
    expected = {
        "fetches.started": 3,
        "fetches.succeeded": 2,
        "fetches.failed": 1,
        "exchanges": 4,
        "challenges.raised": 1,
        "challenges.answered": 1,
        "credentials.preemptive": 2,
    }
    assert {name: counters.get(name) for name in expected} == expected
    assert counters["bytes.received"] > 0


def test_changes_of_status_are_told_to_subscribers(peer: Peer, origin: ScriptedOrigin) -> None:
    assert peer.call("status/subscribe", {"intervalSeconds": 0.1}) == {"subscribed": True}
    peer.open("news")

    def has_news(snapshot: dict[str, list[dict[str, str]]]) -> bool:
        return "news" in [entry["session"] for entry in snapshot["sessions"]]

    peer.notification("status/didChange", has_news)
    assert peer.call("status/unsubscribe") == {"subscribed": False}
    peer.notifications.clear()
    peer.open("latest")
    peer.fetch("latest", origin.serve("/", reply()))
    assert [note for note in peer.notifications if note["method"] == "status/didChange"] == []


def test_initialize_says_who_is_there(daemon: Daemon, peer: Peer) -> None:
    hello = peer.call("initialize", {"name": "tests", "version": "1", "protocolVersion": "1"})
    assert (hello["name"], hello["protocolVersion"]) == ("watchwordd", "1")
    assert (hello["pid"], hello["uid"]) == (daemon.pid, os.getuid())
    assert hello["capabilities"] == {"descriptors": True, "framings": ["line", "contentLength"]}
    (holder,) = peer.call("session/describe")["holders"]
    assert (holder["name"], holder["version"]) == ("tests", "1")


def test_another_protocol_version_is_refused(peer: Peer) -> None:
    assert kind_of(peer.call, "initialize", {"protocolVersion": "2"}) == "invalidParams"


def test_discover_returns_the_document(peer: Peer) -> None:
    assert peer.call("rpc.discover") == contract.document()
