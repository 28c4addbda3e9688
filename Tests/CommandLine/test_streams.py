"""Standard streams that do not block: other programs share them, and may have set `O_NONBLOCK`."""

from __future__ import annotations

import array
import errno
import fcntl
import os
import pty
import socket
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from CommandLine.conftest import PATIENCE, Command
from Support.fake_daemon import Conversation, FakeDaemon, Message

URL = "http://origin.test/"
#: Fits the pipe that it comes through.
BODY = b"0123456789abcde\n" * 2048

#: Two ends: what the command writes to, and what the test reads.
Ends = tuple[int, int]


def pipe() -> Ends:
    reading, writing = os.pipe()
    return writing, reading


def unix_socket() -> Ends:
    ours, theirs = socket.socketpair()
    return theirs.detach(), ours.detach()


def terminal() -> Ends:
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(theirs)
    modes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    return theirs, ours


@pytest.fixture(params=[pipe, unix_socket, terminal], ids=["pipe", "socket", "terminal"])
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    made: Callable[[], Ends] = request.param
    writing, reading = made()
    os.set_blocking(writing, False)
    yield writing, reading
    os.close(reading)


def fill(number: int) -> int:
    """Writes until there is no room; how many bytes that took."""
    written = 0
    size = 4096
    while size:
        try:
            written += os.write(number, b"\n" * size)
        except BlockingIOError:
            size //= 2
    return written


def drain(number: int) -> bytes:
    """Everything up to the end; a terminal ends with an error."""
    data = b""
    try:
        while piece := os.read(number, 1 << 16):
            data += piece
    except OSError as error:
        assert error.errno == errno.EIO
    return data


def unread(connection: socket.socket) -> int:
    """How many of the bytes sent on the connection its reader has not taken."""
    count = array.array("i", [0])
    fcntl.ioctl(connection, termios.TIOCOUTQ, count)
    return count[0]


def wait_until(met: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < limit, "it did not come"
        time.sleep(0.001)


def is_asleep(process: subprocess.Popen[bytes]) -> bool:
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def test_a_full_output_that_does_not_block_is_waited_for(
    watchword: Command, daemon: FakeDaemon, ends: Ends
) -> None:
    writing, reading = ends
    sent = threading.Event()
    conversations: list[Conversation] = []

    def deliver(conversation: Conversation, message: Message) -> Message:
        conversations.append(conversation)
        result = conversation.deliver(message, BODY)
        sent.set()
        return result

    daemon.fetch(deliver)
    filled = fill(writing)
    process = start(watchword, "fetch", "-f", URL, output=writing)
    os.close(writing)
    assert sent.wait(PATIENCE)
    # The command has heard everything that the daemon has to say, and sleeps: it does not try and try.
    wait_until(lambda: unread(conversations[0].peer.connection) == 0)
    wait_until(lambda: is_asleep(process))
    assert drain(reading)[filled:] == BODY
    assert end(process) == (0, b"")


def test_input_that_does_not_block_is_waited_for(watchword: Command, daemon: FakeDaemon) -> None:
    writing, reading = pipe_for_input()
    process = start(watchword, "fetch", "-d", "@-", URL, input=reading)
    wait_until(lambda: is_asleep(process))
    os.write(writing, b"a=1")
    os.close(writing)
    assert end(process) == (0, b"")
    assert daemon.parameters("fetch")["body"] == {"text": "a=1"}


def test_a_password_is_complete_with_its_line(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["explain"] = lambda conversation, message: {"origin": "http://origin.test:80"}
    writing, reading = pipe_for_input()
    options = ["--realm", "staff", "-u", "reader", "--password-fd", "0"]
    process = start(watchword, "credentials", "set", *options, URL, input=reading)
    wait_until(lambda: is_asleep(process))
    os.write(writing, b"sentinel")
    wait_until(lambda: is_asleep(process))
    os.write(writing, b"-1\nno more")
    # The pipe stays open: nothing after the line is waited for.
    assert end(process) == (0, b"")
    os.close(writing)
    assert daemon.parameters("credential/set")["credential"]["password"] == "sentinel-1"


def test_a_descriptor_that_cannot_be_read_gives_no_password(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["explain"] = lambda conversation, message: {"origin": "http://origin.test:80"}
    with Path(os.devnull).open("wb") as null:
        options = ["--realm", "staff", "-u", "reader", "--password-fd", "0"]
        process = start(watchword, "credentials", "set", *options, URL, input=null.fileno(), keep=True)
    status, errors = end(process)
    assert (status, errors.startswith(b"watchword: descriptor 0 cannot be read: ")) == (1, True)
    assert "credential/set" not in [message["method"] for message in daemon.heard]


def pipe_for_input() -> Ends:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    return writing, reading


def start(
    watchword: Command,
    *arguments: str,
    input: int | None = None,
    output: int | None = None,
    keep: bool = False,
) -> subprocess.Popen[bytes]:
    """The command with these streams; what it reads from is closed here, but for `keep`."""
    process = subprocess.Popen(
        [str(watchword.program), *arguments],
        stdin=subprocess.DEVNULL if input is None else input,
        stdout=subprocess.DEVNULL if output is None else output,
        stderr=subprocess.PIPE,
        env=watchword.environment,
        start_new_session=True,
    )
    if input is not None and not keep:
        os.close(input)
    return process


def end(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Its exit status and what it said."""
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors
