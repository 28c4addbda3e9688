"""When a client goes on with the daemon that comes after its own, and what of its calls may be made again.

A daemon that was stopped and started has forgotten the client's sessions. One that was restarted still has those with a
name. A child process must not use its parent's connection. The next call connects again, opens the sessions of the
client and declares their delegates. A call that may have been carried out is made again only if that is harmless (RFC
9110 §9.2.2); else it is an error that says so.
"""

from __future__ import annotations

from typing import Any

from ._conversation import Conversation
from ._errors import DaemonConnectionLost, WatchwordError
from ._generated.errors import ShuttingDown, TaskInterrupted
from ._opening import SessionCore
from ._operation import Operation

__all__ = ["FINAL", "LOST", "Sessions", "is_passing", "unsure"]

#: How a call fails whose daemon has gone.
LOST = (DaemonConnectionLost, ShuttingDown, TaskInterrupted)

#: After these no other connection follows: it could do more than this one may, or it would start what was stopped.
FINAL = frozenset(("peer/restrict", "server/shutdown"))


def is_passing(reason: WatchwordError | None) -> bool:
    """Whether a connection that was lost this way can be followed by another one."""
    return isinstance(reason, LOST)


def unsure(error: WatchwordError, operation: Operation[Any]) -> DaemonConnectionLost:
    """The error of a call that may have been carried out."""
    return DaemonConnectionLost(f"{error}; {operation.method} may have been carried out: look before you repeat it")


class Sessions:
    """The sessions that a client has opened and not ended, which a new connection opens again."""

    def __init__(self) -> None:
        self._cores: dict[SessionCore, None] = {}

    def add(self, core: SessionCore) -> None:
        self._cores[core] = None

    def remove(self, core: SessionCore) -> None:
        """The session has been left or ended: nothing opens it again."""
        self._cores.pop(core, None)

    def missing(self, conversation: Conversation) -> list[SessionCore]:
        """Those that are not open on a connection."""
        return [core for core in self._cores if core.conversation is not conversation]

    def is_missing(self, core: SessionCore, conversation: Conversation) -> bool:
        return core.conversation is not conversation and core in self._cores
