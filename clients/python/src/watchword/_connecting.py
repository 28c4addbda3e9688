"""Finding the daemon, believing it, and starting one where none runs."""

from __future__ import annotations

import array
import errno
import os
import select
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from ._errors import DaemonUnavailable, ProtocolError, UntrustedDaemon, printable
from ._protocol import MAXIMUM_DESCRIPTORS
from ._readiness import make_poll

__all__ = [
    "NO_WAIT", "ClosedDescriptor", "connect", "default_socket_path", "find_program", "may_start", "receive", "send",
    "wait_for_readiness",
]  # fmt: skip

#: How long a daemon may take to print its readiness line.
START_SECONDS = 15.0
#: How long the daemon of another process that won the race for the lock may take to listen.
RIVAL_SECONDS = 5.0
#: A daemon that was started for a program ends when it is of no use any more, as one that the command starts.
IDLE_SECONDS = 3600
#: What a daemon that cannot start says; more is not read.
_LONGEST_OUTPUT = 16 << 10
#: What one read takes at most: a 64 KiB inline body with its message, and less than what malloc maps and unmaps
#: again for every read (128 KiB), which costs five times the read itself.
READ_BYTES = 96 << 10

_ANCILLARY_BYTES = socket.CMSG_SPACE(MAXIMUM_DESCRIPTORS * array.array("i").itemsize)
# Plain integers: every | and & of the enumeration's members makes a new member, a microsecond each.
_CLOSE_ON_EXEC = int(getattr(socket, "MSG_CMSG_CLOEXEC", 0x40000000))
_NO_SIGNAL = int(socket.MSG_NOSIGNAL)
_TRUNCATED = int(socket.MSG_CTRUNC)
#: How many uids there are.
_UIDS = 0xFFFFFFFF
#: For ``send`` and ``receive``: do not wait.
NO_WAIT = int(socket.MSG_DONTWAIT)


def default_socket_path() -> Path:
    """Where the daemon of this user listens: WATCHWORD_SOCKET, else the default place."""
    named = os.environ.get("WATCHWORD_SOCKET")
    return Path(named) if named else _standard_socket_path()


def _standard_socket_path() -> Path:
    """The default place."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):  # a relative one does not count (XDG Base Directory Specification)
        return Path(runtime, "watchword", "watchword.sock")
    runtime = f"/run/user/{os.getuid()}"
    if os.path.isdir(runtime):
        return Path(runtime, "watchword", "watchword.sock")
    return Path.home() / ".watchword" / "watchword.sock"


def connect(
    path: str | os.PathLike[str] | None = None,
    *,
    start: bool = False,
    daemon: str | os.PathLike[str] | None = None,
    daemon_arguments: Sequence[str] = (),
    trusted_uids: Sequence[int] | None = None,
) -> socket.socket:
    """A connected socket whose other end runs as this uid or root (or as one of ``trusted_uids``).

    With ``start``, a daemon is started where none runs and the path is the default one, unless the environment has
    ``WATCHWORD_NO_START``. One elsewhere would be one more, of which no other program knows.
    """
    where = default_socket_path() if path is None else Path(path)
    try:
        return _connect(where, trusted_uids)
    except UntrustedDaemon:
        raise
    except DaemonUnavailable as error:
        if not may_start(start) or not _has_no_listener(error):
            raise
        if os.path.abspath(where) != os.fspath(_standard_socket_path()):
            raise DaemonUnavailable(f"{error}; one is started at {_standard_socket_path()} only") from error.__cause__
    failure = _start(where, daemon, daemon_arguments)
    patience = RIVAL_SECONDS if failure is not None and failure.is_lost_race else 0.0
    deadline = time.monotonic() + patience
    while True:
        try:
            return _connect(where, trusted_uids)
        except UntrustedDaemon:
            raise
        except DaemonUnavailable:
            if time.monotonic() >= deadline:
                if failure is None:
                    raise
                raise DaemonUnavailable(failure.text) from None
        time.sleep(0.01)


def may_start(start: bool) -> bool:
    """Whether a daemon may be started where a program asks for that."""
    return start and not os.environ.get("WATCHWORD_NO_START")


def _has_no_listener(error: DaemonUnavailable) -> bool:
    """Anything else than these two a new daemon would run into as well."""
    return isinstance(error.__cause__, OSError) and error.__cause__.errno in (errno.ENOENT, errno.ECONNREFUSED)


def _connect(path: Path, trusted_uids: Sequence[int] | None) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        try:
            connection.connect(os.fspath(path))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise DaemonUnavailable(f"no daemon at {path}: {reason}") from error
        _check_peer(connection, path, trusted_uids)
        return connection
    except BaseException:
        connection.close()
        raise


def _check_peer(connection: socket.socket, path: Path, trusted_uids: Sequence[int] | None) -> None:
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("iII"))
    _, uid, _ = struct.unpack("iII", credentials)
    trusted = (os.geteuid(), 0) if trusted_uids is None else trusted_uids
    if uid not in trusted:
        raise UntrustedDaemon(f"the process at {path} runs as uid {uid}")
    if not _identifies(uid):
        raise UntrustedDaemon(
            f"the process at {path} runs as uid {uid}, which stands for every uid that this user namespace does not map"
        )


def _identifies(uid: int) -> bool:
    """Whether a uid names one account: where a user namespace does not map all, one stands for those it does not."""
    try:
        overflow = int(Path("/proc/sys/kernel/overflowuid").read_text())
    except (OSError, ValueError):
        overflow = 65534
    if uid != overflow:
        return True
    try:
        mapped = sum(int(line.split()[2]) for line in Path("/proc/self/uid_map").read_text().splitlines())
    except (OSError, ValueError, IndexError):
        return False
    return mapped == _UIDS


class _Failure:
    """Why a daemon that was started is not ready."""

    def __init__(self, text: str, output: bytes) -> None:
        self.text = text
        self.is_lost_race = b"another daemon" in output.lower()


def _start(path: Path, daemon: str | os.PathLike[str] | None, arguments: Sequence[str]) -> _Failure | None:
    """Starts a daemon as the command does: detached, with a log beside its socket and an end when it is idle.

    None once it listens. A failure may mean that another process started one in the same moment.
    """
    program = find_program(daemon)
    if program is None:
        raise DaemonUnavailable(f"no daemon at {path}, and no watchwordd in PATH to start")
    where = os.path.abspath(path)  # the daemon stands elsewhere
    log = os.path.join(os.path.dirname(where), "watchwordd.log")
    try:
        process = subprocess.Popen(
            [program, "--socket", where, "--log-file", log, "--idle-exit", str(IDLE_SECONDS), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # until it is ready
            cwd="/",
            start_new_session=True,  # it outlives this process and its terminal
        )
    except OSError as error:
        raise DaemonUnavailable(f"{program}: {error.strerror}") from error
    try:
        ready, output = wait_for_readiness(process)
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        assert process.stdout is not None
        process.stdout.close()
    if ready:
        threading.Thread(target=process.wait, name="watchwordd", daemon=True).start()  # no zombie
        return None
    code = process.poll()
    if code is None:
        process.kill()
        process.wait()
        raise DaemonUnavailable(f"{program} was not ready within {START_SECONDS:g} s")
    last = output.decode("utf-8", "replace").strip().rpartition("\n")[2]
    reason = printable(last.removeprefix("watchwordd: "))
    text = f"{program} ended with {code} before it was ready{': ' if reason else ''}{reason}"
    return _Failure(f"{text}; run `watchwordd --socket {path}` to see why", output)


def find_program(daemon: str | os.PathLike[str] | None) -> str | None:
    """The daemon that is named, else that of WATCHWORDD, else that of PATH."""
    named = daemon or os.environ.get("WATCHWORDD")
    if named:
        text = os.fspath(named)
        return os.path.abspath(text) if os.sep in text else text
    # An empty or relative entry would run whatever lies in the current directory.
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return shutil.which("watchwordd", path=os.pathsep.join(folders))


def wait_for_readiness(process: subprocess.Popen[bytes]) -> tuple[bool, bytes]:
    """Whether ``listening on …`` came, and what did; no otherwise when the process ends or takes too long."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    deadline = time.monotonic() + START_SECONDS
    printed = b""
    poll = make_poll()
    poll.register(descriptor, select.POLLIN)
    while (left := deadline - time.monotonic()) > 0 and len(printed) < _LONGEST_OUTPUT:
        if not poll.poll(left * 1000):
            break
        piece = os.read(descriptor, 4096)
        if not piece:
            process.wait()
            return False, printed
        printed += piece
        lines = printed.split(b"\n")
        if any(line.startswith(b"listening on ") for line in lines[:-1]):
            return True, printed
    return False, printed


def receive(connection: socket.socket, flags: int = 0) -> tuple[bytes, Sequence[int]]:
    """What arrived, with its descriptors. Raises as ``recvmsg`` does, and ProtocolError for lost descriptors."""
    data, ancillary, got, _ = connection.recvmsg(READ_BYTES, _ANCILLARY_BYTES, _CLOSE_ON_EXEC | flags)
    if not ancillary and not got & _TRUNCATED:
        return data, ()
    descriptors = array.array("i")
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(payload[: len(payload) - len(payload) % descriptors.itemsize])
    if got & _TRUNCATED:
        for descriptor in descriptors:
            os.close(descriptor)
        raise ProtocolError("descriptors of the daemon were lost (too many, or no room for them here)")
    return data, descriptors


def send(connection: socket.socket, data: bytes | memoryview, descriptors: Sequence[int], flags: int = 0) -> int:
    """Writes a first part; the descriptors go with its first byte."""
    if not descriptors:
        return connection.send(data, flags | _NO_SIGNAL)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
    try:
        return connection.sendmsg([data], rights, flags | _NO_SIGNAL)
    except OSError as error:
        if error.errno == errno.EBADF and connection.fileno() >= 0:
            raise ClosedDescriptor from error
        raise


class ClosedDescriptor(Exception):
    """A descriptor to send is closed; the connection itself is well."""
