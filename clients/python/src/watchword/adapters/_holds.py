"""What is still read when its owner is closed."""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["Holds"]


class Holds:
    """Counts the bodies on their way. ``requests`` lets a streamed body outlive its session: closing waits for it."""

    def __init__(self) -> None:
        self._count = 0
        self._waiting: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def take(self) -> Callable[[], None]:
        """A hold, and the function that ends it. Further calls of it do nothing."""
        with self._lock:
            self._count += 1
        left = [self._give]

        def end() -> None:
            if left:
                left.pop()()

        return end

    def when_free(self, close: Callable[[], None]) -> None:
        """Calls it when there is no hold, at once perhaps."""
        with self._lock:
            if self._count:
                self._waiting.append(close)
                return
        close()

    def _give(self) -> None:
        with self._lock:
            self._count -= 1
            freed, self._waiting = ([], self._waiting) if self._count else (self._waiting, [])
        for close in freed:
            close()
