"""What the daemon takes of one message (messages.md 2.3 and 2.4.1).

A message beyond it gets an error without an id, or the end of the connection, and with it every other call: so it is
refused before it is sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ._errors import InvalidArgument

__all__ = ["MessageLimits"]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_LONG_DIGITS = re.compile(r"\d{19}")
#: A number without fraction and exponent.
_INTEGER = re.compile(r"(?<![\d.eE+-])-?\d{19,}(?![\d.eE])")


class MessageLimits:
    """The limits of one daemon; the defaults of the protocol until it has said its own."""

    __slots__ = ("bytes", "elements", "nesting")

    def __init__(self, limits: Mapping[str, float] | None = None) -> None:
        said = limits or {}
        self.bytes = int(said.get("messageBytes", 1 << 20))
        self.nesting = int(said.get("nesting", 64))
        self.elements = int(said.get("elements", 100_000))

    def check(self, text: str, length: int) -> None:
        """Raises InvalidArgument for a message, of ``length`` bytes, that the daemon would not take."""
        if length > self.bytes:
            raise InvalidArgument(f"the message has {length} bytes, and the daemon takes {self.bytes}")
        opened = text.count("[") + text.count("{")
        # Each of them may be inside a string.
        if opened <= self.nesting and opened + text.count(",") <= self.elements and not _LONG_DIGITS.search(text):
            return
        bare = _STRING.sub('""', text)
        if _depth(bare) > self.nesting:
            raise InvalidArgument(f"the arguments have more than {self.nesting} levels")
        if _elements(bare) > self.elements:
            raise InvalidArgument(f"the arguments have more than {self.elements} members and elements")
        for number in _INTEGER.finditer(bare):
            digits = number.group()
            if len(digits) > 20 or not -(2**63) <= int(digits) < 2**63:
                raise InvalidArgument(f"{digits[:24]} is no integer of 64 bits")


def _depth(bare: str) -> int:
    deepest = depth = 0
    for character in bare:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _elements(bare: str) -> int:
    """One for each comma, and one for each container that is not empty."""
    empty = bare.count("[]") + bare.count("{}")
    return bare.count(",") + bare.count("[") + bare.count("{") - empty
