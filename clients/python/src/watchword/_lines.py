"""Bytes into lines, wherever the pieces end."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from ._errors import BodyError

__all__ = ["LineSplitter"]

#: A longer line is refused: a stream has no end of its own.
LONGEST_LINE = 64 << 20


class LineSplitter:
    """Lines end with a line feed, perhaps behind a carriage return; neither is part of one.

    ``encoding`` makes them text; what does not decode becomes U+FFFD.
    """

    def __init__(self, encoding: str | None = None) -> None:
        self._encoding = None if encoding is None else _known(encoding)
        self._rest = b""

    def feed(self, piece: bytes) -> Iterator[bytes | str]:
        """The lines that a piece completes."""
        *lines, self._rest = (self._rest + piece).split(b"\n") if b"\n" in piece else (self._rest + piece,)
        if len(self._rest) > LONGEST_LINE:
            raise BodyError(f"a line has more than {LONGEST_LINE} bytes")
        return map(self._line, lines)

    def end(self) -> Iterator[bytes | str]:
        """The last line, where no line feed ends it."""
        rest, self._rest = self._rest, b""
        return map(self._line, (rest,) if rest else ())

    def _line(self, line: bytes) -> bytes | str:
        line = line[:-1] if line.endswith(b"\r") else line
        return line if self._encoding is None else line.decode(self._encoding, "replace")


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return "utf-8"
