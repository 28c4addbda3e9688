"""A daemon for one test."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .._client import Client
from .._connecting import find_program, wait_for_readiness
from .._errors import DaemonUnavailable, printable

__all__ = ["PrivateDaemon", "private_daemon"]

#: How long it may take to end.
END_SECONDS = 10


@dataclass(frozen=True)
class PrivateDaemon:
    """A daemon that listens at a socket of its own and keeps nothing when it ends."""

    socket_path: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """What a program needs to find it, and no other one."""
        return {"WATCHWORD_SOCKET": os.fspath(self.socket_path), "WATCHWORD_NO_START": "1"}

    def client(self) -> Client:
        """A new client of it."""
        return Client(self.socket_path)


@contextmanager
def private_daemon(
    daemon: str | os.PathLike[str] | None = None, arguments: Sequence[str] = ()
) -> Iterator[PrivateDaemon]:
    """Starts ``daemon``, else the one that WATCHWORDD or PATH names, and ends it behind the block."""
    program = find_program(daemon)
    if program is None:
        raise DaemonUnavailable("no watchwordd in PATH to start: name it by WATCHWORDD")
    with tempfile.TemporaryDirectory(prefix="watchword-") as folder:  # 0700, and short enough for a socket
        path = Path(folder, "w.sock")
        command = [program, "--socket", os.fspath(path), "--state-directory", os.path.join(folder, "state"), *arguments]
        process = _started(command, folder)
        try:
            ready, output = wait_for_readiness(process)
            if not ready:
                raise DaemonUnavailable(f"{program} is not ready: {printable(output.decode('utf-8', 'replace'))}")
            yield PrivateDaemon(path)
        finally:
            _end(process)


def _started(command: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            # No key goes into the keyring of the person who runs the tests, and their configuration file is not read.
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": "", "XDG_CONFIG_HOME": folder},
        )
    except OSError as error:
        raise DaemonUnavailable(f"{command[0]}: {error.strerror}") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
