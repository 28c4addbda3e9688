"""A program on a terminal of its own, as a person has it in front of them."""

from __future__ import annotations

import os
import pty
import select
import termios
import time
from collections.abc import Mapping, Sequence


class Terminal:
    """Runs a program whose standard streams and controlling terminal are one pseudo-terminal."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.screen = b""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execve(command[0], list(command), dict(environment))

    def read_until(self, text: bytes, seconds: float = 20, times: int = 1) -> bytes:
        """Waits until the text is on the screen so often; returns everything shown so far."""
        limit = time.monotonic() + seconds
        while self.screen.count(text) < times:
            if not self._read(limit - time.monotonic()):
                raise AssertionError(f"{text!r} was not shown: {self.screen!r}")
        return self.screen

    def type(self, line: str) -> None:
        os.write(self.descriptor, line.encode() + b"\n")

    def press(self, key: bytes) -> None:
        os.write(self.descriptor, key)

    def end(self, seconds: float = 20) -> int:
        """Waits for the end of the program and returns its exit status."""
        return self.end_status(seconds)[0]

    def end_status(self, seconds: float = 20) -> tuple[int, bool]:
        """As `end`, with whether the terminal shows what is typed."""
        limit = time.monotonic() + seconds
        while self._read(limit - time.monotonic()):
            pass
        _, status = os.waitpid(self.pid, 0)
        echoes = bool(termios.tcgetattr(self.descriptor)[3] & termios.ECHO)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status), echoes

    def _read(self, seconds: float) -> bool:
        if not select.select([self.descriptor], [], [], max(seconds, 0))[0]:
            return False
        try:
            data = os.read(self.descriptor, 4096)
        except OSError:
            return False
        self.screen += data
        return data != b""
