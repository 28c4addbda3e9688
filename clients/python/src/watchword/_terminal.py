"""Asking a person on the terminal, in turn with other programs."""

from __future__ import annotations

import fcntl
import os
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager

#: The number of the device behind /dev/tty (Linux).
_TIOCGDEV = 0x80045432
_PSEUDO_TERMINALS = 136


@contextmanager
def terminal_turn() -> Iterator[None]:
    """Keeps other programs that ask as `watchword` does from this process's terminal for one question.

    Two programs that read one terminal read each other's lines. It waits until the other one has its answer, says so on
    the terminal, and drops what was typed for the other. Without a terminal, or where its device cannot be opened, it
    does nothing. Two in one process would wait for each other.
    """
    terminal = _opened("/dev/tty", os.O_RDWR)
    device = -1 if terminal < 0 else _device(terminal)
    try:
        if device >= 0:
            _take(device, terminal)
        yield
    finally:
        for descriptor in (device, terminal):
            if descriptor >= 0:
                os.close(descriptor)


def _take(device: int, terminal: int) -> None:
    try:
        fcntl.flock(device, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.write(terminal, b"\nanother program asks on this terminal: waiting for its end\n")
        fcntl.flock(device, fcntl.LOCK_EX)
        termios.tcflush(terminal, termios.TCIFLUSH)


def _device(terminal: int) -> int:
    """Opens the device: /dev/tty is one file for all terminals."""
    try:
        number = int.from_bytes(fcntl.ioctl(terminal, _TIOCGDEV, bytes(4)), sys.byteorder)
    except OSError:
        return -1
    major, minor = number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00
    if major == _PSEUDO_TERMINALS:
        return _opened(f"/dev/pts/{minor}", os.O_RDONLY | os.O_NONBLOCK)
    try:
        name = os.path.basename(os.readlink(f"/sys/dev/char/{major}:{minor}"))
    except OSError:
        return -1
    return _opened(f"/dev/{name}", os.O_RDONLY | os.O_NONBLOCK)


def _opened(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return -1
