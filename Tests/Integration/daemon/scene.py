"""Starts the program and looks at how it ended."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from Integration.wire import PATIENCE, Json, Peer
from Support.daemon import FAULTS, Daemon, clean_environment, program

#: Runs a program where /proc is empty.
WITHOUT_PROC = ["unshare", "--user", "--map-root-user", "--mount"]
WITHOUT_PROC += ["sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "-"]
#: Runs a program in a user namespace that maps its own uid, as 0, and in one that maps none.
ALONE = ["unshare", "--user", "--map-root-user"]
UNMAPPED = ["unshare", "--user"]


def stranger(become: str) -> str:
    """A program that becomes another account, pings its first argument, and prints the reply's length."""
    return f"""
import ctypes, os, socket, sys
{become}
peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
peer.connect(sys.argv[1])
try:
    peer.sendall(b'{{"jsonrpc":"2.0","id":1,"method":"ping"}}' + bytes([10]))
    print(len(peer.recv(100)))
except OSError:
    print(0)
"""


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


@contextmanager
def serving(directory: Path, prefix: Sequence[str], *options: str) -> Iterator[Path]:
    """A daemon that a program runs; its socket."""
    path = directory / "w.sock"
    command = [*prefix, str(program()), "--socket", str(path), *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=clean_environment(directory)
    ) as process:
        try:
            assert ready(process) == f"listening on {path}\n"
            yield path
            with Peer(path) as peer:
                peer.call("server/shutdown", {"graceful": False})
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def account(directory: Path, uid: int) -> tuple[Path, list[str]]:
    """A home below the directory, and what runs a program as its owner; for root only."""
    directory.chmod(0o755)
    home = directory / "home"
    home.mkdir(mode=0o700)
    os.chown(home, uid, uid)
    return home, ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups"]


NEIGHBOUR = """
import json, os, socket, sys
os.setuid(65534)
peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
peer.connect(sys.argv[1])
with peer.makefile("rw") as lines:
    for line in sys.argv[2:]:
        print(line, file=lines, flush=True)
        while "id" not in (answer := json.loads(lines.readline())):
            pass
        print(answer.get("error", {}).get("data", {}).get("kind") or json.dumps(answer["result"]))
"""


def restart(peer: Peer, daemon: Daemon) -> None:
    """Until the next daemon serves."""
    assert peer.call("server/restart") == {"restarting": True}
    peer.wait_for_end()
    daemon.follow()


def listed(peer: Peer, session: str, what: str) -> list[Json]:
    reply = peer.call(f"{what}/list", {"session": session})
    (entries,) = [value for value in reply.values() if isinstance(value, list)]
    return list(entries)
