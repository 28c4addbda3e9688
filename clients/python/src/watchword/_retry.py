"""When a fetch is made again after a problem that may pass, as curl's ``--retry`` does."""

from __future__ import annotations

from dataclasses import dataclass

from ._errors import WatchwordError
from ._generated.errors import ConnectionFailed, NameNotResolved, TimedOut
from ._response import Response

__all__ = ["Retry"]

#: As curl: those of a server or a gateway that is busy or gone.
STATUSES = frozenset((408, 429, 500, 502, 503, 504))
LONGEST_DELAY = 600.0


@dataclass(frozen=True)
class Retry:
    """How often a fetch is made again after a problem that may pass.

    That is a time limit, a name that was not resolved, or the status 408, 429, 500, 502, 503 or 504. Each repetition
    waits for the seconds of ``Retry-After``, of ``delay``, or 1, 2, 4 and so on. What comes of the last attempt is the
    outcome.
    """

    count: int
    delay: float | None = None
    #: Also when no connection could be made.
    connection_refused: bool = False

    def seconds(self, attempt: int, outcome: Response | WatchwordError) -> float | None:
        """How long to wait after the attempt with this number, from 1; None: it was the last one."""
        if attempt > self.count or not self._may_pass(outcome):
            return None
        if isinstance(outcome, Response):
            asked = outcome.headers.get("Retry-After", "")
            if asked.isascii() and asked.isdigit():
                return min(float(asked), LONGEST_DELAY)
        return self.delay if self.delay is not None else min(2.0 ** min(attempt - 1, 10), LONGEST_DELAY)

    def _may_pass(self, outcome: Response | WatchwordError) -> bool:
        if isinstance(outcome, Response):
            return outcome.status in STATUSES
        kinds = (TimedOut, NameNotResolved, *((ConnectionFailed,) if self.connection_refused else ()))
        return isinstance(outcome, kinds)
