"""What the texts have in common that are made from `openrpc.json`."""

from __future__ import annotations

import textwrap

SOURCE = "protocol/openrpc.json"
#: Of a line.
WIDTH = 110
#: Swift's words among the names of members.
_KEYWORDS = frozenset({"default", "extension", "import", "in", "is", "private", "protocol", "where"})


def swift_name(name: str) -> str:
    """Of a member or a case."""
    return f"`{name}`" if name in _KEYWORDS else name


def type_name(method: str) -> str:
    """`challenge/didSettle` is `ChallengeDidSettle`."""
    return "".join(map(capitalized, method.replace(".", "/").split("/")))


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def wrapped(text: str, mark: str, indent: int) -> list[str]:
    """The lines of a comment, which stands `indent` characters from the left."""
    width = WIDTH - len(mark) - indent
    lines = textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False)
    return [mark + line for line in lines]
