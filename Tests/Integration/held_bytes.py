"""What the daemon counts for things that it keeps: the figures of `HeldBytes.swift` in the vocabulary."""

from __future__ import annotations

CALLER = 6144
MEMBERSHIP = 512
SESSION = 7168
TASK = 7168
POOL = 40_960
CONNECTION = 8192
EXCHANGE = 16_384
CREDENTIAL = 1024
SIGNING = 36_864
#: What libcurl reads at a time, counted as far as a body has filled it; the beginning counts as the exchange.
READ_AHEAD = 262_144 - EXCHANGE
#: What libcurl sends from, counted as far as a body has filled it.
UPLOAD = 131_072


def text(size: int) -> int:
    """A text, or a value of a list."""
    return 96 + size + size // 4


def field(name: str, size: int) -> int:
    return text(len(name) + size)
