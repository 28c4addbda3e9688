"""A daemon that was started without standard input, output or error."""

from __future__ import annotations

import contextlib
import subprocess
import time
from pathlib import Path

import pytest

from Integration.daemon.scene import end
from Integration.wire import PATIENCE, Peer, pause
from Support.daemon import clean_environment, program
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply


def connected(path: Path) -> Peer:
    """To a daemon that cannot say when it is ready."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
            return Peer(path)
        pause()
    raise TimeoutError("nobody listens")


@pytest.mark.parametrize("closed", [[0], [1], [2], [0, 1, 2]])
def test_their_numbers_are_taken_before_a_file_gets_one(
    directory: Path, origin: ScriptedOrigin, closed: list[int]
) -> None:
    """Else what is logged would be written to a caller, a server or the daemon's state."""
    path = directory / "w.sock"
    line = 'exec "$@" ' + " ".join(f"{number}>&-" for number in closed)
    process = subprocess.Popen(
        ["sh", "-c", line, "-", str(program()), "--socket", str(path), "--log-level", "trace"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(directory),
    )
    try:
        with connected(path) as peer:
            assert peer.fetch(peer.open(), origin.serve("/", reply()))["status"] == 200
            for number in range(3):
                leads_to = str(Path(f"/proc/{process.pid}/fd/{number}").readlink())
                assert (leads_to == "/") == (number in closed), leads_to
    finally:
        status, output, errors = end(process)
    assert status == 0
    assert (output == "") == (1 in closed)
    assert (errors == "") == (2 in closed)
