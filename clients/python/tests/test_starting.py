"""A daemon that the client starts."""

from __future__ import annotations

import asyncio
import json
import os
import select
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import watchword
from Support.fake_daemon import HELLO
from watchword import AsyncClient, Client

DAEMON = """#!{python}
import json, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[2])
listener.listen()
print("warming up", flush=True)
print("listening on", sys.argv[2], flush=True)
peer, _ = listener.accept()
hello = json.loads(peer.makefile().readline())
peer.sendall(json.dumps({{"jsonrpc": "2.0", "id": hello["id"], "result": {hello!r}}}).encode() + b"\\n")
peer.recv(1)
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a client starts a daemon."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.fspath(tmp_path))
    monkeypatch.delenv("WATCHWORD_SOCKET", raising=False)
    place = tmp_path / "watchword" / "watchword.sock"
    place.parent.mkdir(0o700)
    return place


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_daemon_is_started_where_none_runs(tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    daemon = program(tmp_path / "watchwordd", DAEMON.format(python=sys.executable, hello=HELLO))
    monkeypatch.delenv("WATCHWORDD", raising=False)
    for setting in ("argument", "WATCHWORDD", "PATH"):
        with monkeypatch.context() as patch:
            if setting == "WATCHWORDD":
                patch.setenv("WATCHWORDD", os.fspath(daemon))
            elif setting == "PATH":
                patch.setenv("PATH", os.fspath(tmp_path))
            with Client(start=True, daemon=daemon if setting == "argument" else None) as client:
                assert client.daemon.name == "watchwordd"
        place.unlink()


@pytest.mark.parametrize("named", ["argument", "WATCHWORD_SOCKET"])
def test_no_daemon_is_started_at_a_place_that_is_named(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    daemon = program(tmp_path / "watchwordd", f"#!/bin/sh\ntouch '{tmp_path}/started'\n")
    path = tmp_path / "s.sock"
    if named == "WATCHWORD_SOCKET":
        monkeypatch.setenv("WATCHWORD_SOCKET", os.fspath(path))
    with pytest.raises(watchword.DaemonUnavailable, match=f"no daemon at {path}: .*; one is started at {place} only"):
        Client(path if named == "argument" else None, start=True, daemon=daemon)
    assert not (tmp_path / "started").exists()


STARTED = """#!{python}
import json, os, sys
path = sys.argv[sys.argv.index("--socket") + 1]
note = {{"arguments": sys.argv[1:], "directory": os.getcwd(), "leads": os.getsid(0) == os.getpid(),
        "descriptors": [os.readlink("/proc/self/fd/" + str(n)).partition(":")[0] for n in range(3)]}}
open(path + ".note", "w").write(json.dumps(note))
print("the directory is not mine\\x1b[2J", file=sys.stderr)
sys.exit(1)
"""


def test_a_daemon_is_started_as_the_command_starts_one(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.chdir(tmp_path)
    program(tmp_path / "d", STARTED.format(python=sys.executable))
    with pytest.raises(watchword.DaemonUnavailable, match=r"ended with 1 .*the directory is not mine\\x1b\[2J; run"):
        Client("watchword/watchword.sock", start=True, daemon="./d", daemon_arguments=["--log-level", "debug"])
    note = json.loads(place.with_name("watchword.sock.note").read_text())
    path = os.fspath(place)
    log = os.fspath(place.parent / "watchwordd.log")
    settings = ["--log-file", log, "--idle-exit", "3600"]
    assert note["arguments"] == ["--socket", path, *settings, "--log-level", "debug"]
    assert (note["directory"], note["leads"]) == ("/", True)
    assert note["descriptors"] == ["/dev/null", "pipe", "pipe"]


def test_a_lost_race_waits_for_the_winner(tmp_path: Path, place: Path) -> None:
    import sys

    program(tmp_path / "winner", DAEMON.format(python=sys.executable, hello=HELLO))
    loser = program(
        tmp_path / "loser",
        f'#!/bin/sh\n(sleep 0.3; exec "{tmp_path}/winner" --socket "$2" >/dev/null 2>&1) &\n'
        "echo 'watchwordd: another daemon holds the lock' >&2\nexit 1\n",
    )
    with Client(place, start=True, daemon=loser) as client:
        assert client.daemon.name == "watchwordd"


@pytest.mark.parametrize("blocking", [True, False])
def test_a_daemon_that_ends_unheard_is_replaced(tmp_path: Path, place: Path, blocking: bool) -> None:
    """It was idle, and closed its socket with a connection waiting."""
    import sys

    next_one = program(tmp_path / "next", DAEMON.format(python=sys.executable, hello=HELLO))
    path = place
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.fspath(path))
    listener.listen()

    def end() -> None:
        assert select.select([listener], [], [], 20)[0]
        path.unlink()
        listener.close()

    async def connect() -> None:
        async with AsyncClient(path, start=True, daemon=next_one) as client:
            assert client.daemon.name == "watchwordd"

    with ThreadPoolExecutor() as pool:
        ended = pool.submit(end)
        if blocking:
            with Client(path, start=True, daemon=next_one) as client:
                assert client.daemon.name == "watchwordd"
        else:
            asyncio.run(connect())
        ended.result()


def test_where_no_daemon_may_be_started_none_is_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    with socket.socket(socket.AF_UNIX) as listener, ThreadPoolExecutor() as pool:
        listener.bind(os.fspath(path))
        listener.listen()
        accepted = pool.submit(lambda: listener.accept()[0].close())
        with pytest.raises(watchword.DaemonUnavailable, match="did not say hello"):
            Client(path)
        accepted.result()


def test_nothing_is_started_for_another_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starter = program(tmp_path / "watchwordd", f"#!/bin/sh\ntouch '{tmp_path}/started'\n")
    (tmp_path / "plain").touch()
    for path in (tmp_path / "plain" / "s", Path("/" + "x" * 200)):
        with pytest.raises(watchword.DaemonUnavailable):
            Client(path, start=True, daemon=starter)
    # What lies in the current directory is not run either.
    monkeypatch.delenv("WATCHWORDD", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ":.")
    with pytest.raises(watchword.DaemonUnavailable, match="no watchwordd in PATH"):
        Client(start=True)
    assert not (tmp_path / "started").exists()


def test_a_daemon_that_cannot_start_is_daemon_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WATCHWORDD", raising=False)
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    path = tmp_path / "watchword" / "watchword.sock"
    with pytest.raises(watchword.DaemonUnavailable, match="no watchwordd in PATH"):
        Client(path, start=True)
    with pytest.raises(watchword.DaemonUnavailable, match="ended with 3"):
        Client(path, start=True, daemon=program(tmp_path / "ends", "#!/bin/sh\nexit 3\n"))
    with pytest.raises(watchword.DaemonUnavailable, match="none"):
        Client(path, start=True, daemon=tmp_path / "none")
    monkeypatch.setattr("watchword._connecting.START_SECONDS", 0.1)
    with pytest.raises(watchword.DaemonUnavailable, match="not ready"):
        Client(path, start=True, daemon=program(tmp_path / "hangs", "#!/bin/sh\nexec /bin/sleep 60\n"))
