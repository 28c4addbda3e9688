"""Waiting for descriptors: by ``select.poll``, or by what is left of it.

``eventlet.monkey_patch`` takes ``poll`` away and makes ``select.select`` run its other green threads meanwhile, without
a bound on the numbers of descriptors.
"""

from __future__ import annotations

import select
from typing import Protocol

__all__ = ["Poll", "make_poll"]


class Poll(Protocol):
    """What of ``select.poll`` is used here."""

    def register(self, descriptor: int, events: int, /) -> None: ...

    def poll(self, milliseconds: float | None = None, /) -> list[tuple[int, int]]: ...


class _Select:
    """The same of ``select.select``."""

    def __init__(self) -> None:
        self._events: dict[int, int] = {}

    def register(self, descriptor: int, events: int) -> None:
        self._events[descriptor] = events

    def poll(self, milliseconds: float | None = None) -> list[tuple[int, int]]:
        seconds = None if milliseconds is None or milliseconds < 0 else milliseconds / 1000
        readable = [number for number, events in self._events.items() if events & select.POLLIN]
        writable = [number for number, events in self._events.items() if events & select.POLLOUT]
        ready: dict[int, int] = {}
        readable, writable, _ = select.select(readable, writable, [], seconds)
        for number in readable:
            ready[number] = select.POLLIN
        for number in writable:
            ready[number] = ready.get(number, 0) | select.POLLOUT
        return list(ready.items())


def make_poll() -> Poll:
    return select.poll() if hasattr(select, "poll") else _Select()
