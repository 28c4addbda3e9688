"""Hello and its answer: the beginning of each connection of the blocking API."""

from __future__ import annotations

import socket
from typing import Callable

from . import _operations as operations
from ._connection import Connection
from ._errors import DaemonConnectionLost, DaemonUnavailable
from ._operations import DaemonInfo

__all__ = ["HELLO_SECONDS", "Greeting"]

#: How long a process that took the connection may take to say hello.
HELLO_SECONDS = 10


class Greeting:
    """Makes the connections of one client."""

    def __init__(self, dial: Callable[[], socket.socket], name: str, *, may_start: bool) -> None:
        self._dial = dial
        #: What the client calls itself.
        self._name = name
        self._may_start = may_start

    def connect(self) -> tuple[Connection, DaemonInfo]:
        """Connects and says hello; once more if no word came: a daemon that was idle may have ended meanwhile."""
        try:
            return self._greeted(Connection(self._dial()))
        except DaemonConnectionLost as error:
            failure = error
        if self._may_start:
            try:
                return self._greeted(Connection(self._dial()))
            except DaemonConnectionLost as error:
                failure = error
        raise DaemonUnavailable(f"the daemon did not say hello: {failure}") from failure

    def _greeted(self, connection: Connection) -> tuple[Connection, DaemonInfo]:
        try:
            connection.limit_reading(HELLO_SECONDS)
            daemon = connection.run(operations.initialize(self._name))
            connection.limit_reading(0)
            connection.conversation.heed(daemon.limits)
        except BaseException:
            connection.close()
            raise
        return connection, daemon
