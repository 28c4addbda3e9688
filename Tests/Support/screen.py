"""What a person sees of a program that draws whole screens."""

from __future__ import annotations

import fcntl
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence

import pyte

from Support.terminal import Terminal

#: Clears what is below: the end of a whole drawing.
DRAWN = b"\x1b[J"


class Screen(Terminal):
    """A terminal of some size, with the program's drawing carried out."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], rows: int = 24, columns: int = 80
    ) -> None:
        self._drawn = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._drawn)
        self._fed = 0
        super().__init__(command, {"TERM": "xterm", **environment})
        self.modes = termios.tcgetattr(self.descriptor)
        self.resize(rows, columns)

    def resize(self, rows: int, columns: int) -> None:
        """The kernel tells the program."""
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._drawn.resize(rows, columns)

    @property
    def lines(self) -> list[str]:
        """As they are now, without the spaces at their ends."""
        self._stream.feed(self.screen[self._fed :])
        self._fed = len(self.screen)
        return [line.rstrip() for line in self._drawn.display]

    def wait_until(self, shows: Callable[[list[str]], bool], seconds: float = 20) -> list[str]:
        """Waits until the lines of a whole drawing are so, and returns them."""
        limit = time.monotonic() + seconds
        while not (self.screen.endswith(DRAWN) and shows(self.lines)):
            if not self._read(limit - time.monotonic()):
                raise AssertionError("not shown:\n" + "\n".join(self.lines))
        return self.lines

    def wait_for(self, text: str) -> list[str]:
        return self.wait_until(lambda lines: any(text in line for line in lines))
