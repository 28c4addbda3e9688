"""How the asyncio API reaches the daemon, whichever one serves its socket now; see ``_link``."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import Awaitable
from typing import Callable, TypeVar

from ._async_connection import AsyncConnection
from ._conversation import Conversation
from ._errors import DaemonUnavailable, WatchwordError
from ._generated.errors import TaskInterrupted
from ._opening import Opening, SessionCore
from ._operation import Operation
from ._renewal import FINAL, LOST, Sessions, unsure
from ._response import Response
from ._retry import Retry

__all__ = ["AsyncLine", "AsyncLink"]

T = TypeVar("T")


class AsyncLine:
    """A client's connection, and the one after it where its daemon was restarted or its process forked."""

    def __init__(self, connect: Callable[[], Awaitable[AsyncConnection]]) -> None:
        self._connect = connect
        self._renewing: asyncio.Lock | None = None  # made in the loop that needs it
        self.sessions = Sessions()
        #: A call has ended the line: no connection follows this one (``FINAL``).
        self.is_final = False
        self.connection = AsyncConnection()
        _lines.add(self)

    async def connect(self) -> None:
        self.connection = await self._connect()

    async def renewed(self, lost: AsyncConnection) -> AsyncConnection:
        """The connection after a lost one. Raises what has lost it where there is no daemon."""
        if self._renewing is None:
            self._renewing = asyncio.Lock()
        async with self._renewing:
            if self.connection is lost:
                if self.is_final:
                    raise lost.reason
                try:
                    fresh = await self._connect()
                except DaemonUnavailable as unavailable:
                    raise lost.reason from unavailable
                self.connection = fresh
                lost.retire()
        await self._open_all(self.connection)
        return self.connection

    async def _open_all(self, connection: AsyncConnection) -> None:
        """Opens the sessions, so that their delegates answer for other processes, too."""
        for core in self.sessions.missing(connection.conversation):
            try:
                await self.open_again(core, connection)
            except WatchwordError:
                pass  # its own next call tries again, and says why

    async def open_again(self, core: SessionCore, connection: AsyncConnection) -> None:
        """Once for all that wait: a session that is being opened is not opened twice."""
        if self._renewing is None:
            self._renewing = asyncio.Lock()
        async with self._renewing:
            if self.sessions.is_missing(core, connection.conversation):
                opened = (core.id, False) if core.opening.is_implicit else await connection.open(core.opening)
                core.move(connection.conversation, opened)

    def forked(self) -> None:
        self._renewing = None  # it is of the parent's loop


class AsyncLink:
    """The calls of a client, or of one of its sessions."""

    __slots__ = ("_core", "_line")

    def __init__(self, line: AsyncLine, core: SessionCore | None = None) -> None:
        self._line = line
        self._core = core

    @property
    def conversation(self) -> Conversation:
        return self._line.connection.conversation

    @property
    def current(self) -> AsyncConnection:
        """The connection, as it is."""
        return self._line.connection

    @property
    def is_open(self) -> bool:
        return self._line.connection.is_open

    async def ready(self) -> AsyncConnection:
        """A connection for what cannot be made again, on which the session is open."""
        connection = await self._usable(False)
        if self._core is not None and self._line.sessions.is_missing(self._core, connection.conversation):
            await self._line.open_again(self._core, connection)
        return connection

    async def open(self, opening: Opening) -> tuple[AsyncLink, SessionCore]:
        """Opens or joins a session; the link of its calls."""
        connection = await self.ready()
        return self.join(opening, await connection.open(opening), connection)

    def join(
        self, opening: Opening, opened: tuple[str, bool], connection: AsyncConnection | None = None
    ) -> tuple[AsyncLink, SessionCore]:
        """The link of a session that is open."""
        core = SessionCore((connection or self._line.connection).conversation, opened, opening)
        self._line.sessions.add(core)
        return AsyncLink(self._line, core), core

    async def run(self, operation: Operation[T]) -> T:
        """Performs one call: once more if its daemon has gone and that is harmless."""
        repeatable = operation.repeatable
        session = None if self._core is None else self._core.id
        self._line.is_final |= operation.method in FINAL
        try:
            connection = await self._usable(repeatable)
            operation = await self._present(operation, session, connection)
        except BaseException:
            operation.discard()
            raise
        try:
            return await connection.run(operation)
        except LOST as error:
            if not connection.is_lost and not isinstance(error, TaskInterrupted):
                raise
            if not repeatable:
                raise unsure(error, operation) from error
        connection = await self._line.renewed(connection)
        return await connection.run(await self._present(operation, session, connection))

    async def repeat(self, make: Callable[[], Operation[Response]], retry: Retry | None) -> Response:
        """As ``Link.repeat``."""
        attempt = 1
        while True:
            try:
                outcome = await self.run(make())
            except WatchwordError as error:
                seconds = None if retry is None else retry.seconds(attempt, error)
                if seconds is None:
                    raise
            else:
                seconds = None if retry is None else retry.seconds(attempt, outcome)
                if seconds is None:
                    return outcome
            await asyncio.sleep(seconds)
            attempt += 1

    def end(self) -> None:
        """The session has ended: nothing opens it again."""
        if self._core is not None:
            self._line.sessions.remove(self._core)

    async def leave(self, operation: Operation[None]) -> None:
        """Leaves the session on the connection that it is open on; a daemon that has gone has forgotten it."""
        self.end()
        connection = self._line.connection
        if self._core is None or self._core.conversation is not connection.conversation:
            operation.discard()
            return
        connection.conversation.set_delegate(self._core.id, None)
        await connection.run(operation)

    async def _usable(self, repeatable: bool) -> AsyncConnection:
        connection = self._line.connection
        if connection.is_lost or (not repeatable and connection.has_hung_up()):
            return await self._line.renewed(connection)
        return connection

    async def _present(self, operation: Operation[T], session: str | None, connection: AsyncConnection) -> Operation[T]:
        """The call as this connection understands it: a private session has another id there."""
        core = self._core
        if core is None:
            return operation
        if self._line.sessions.is_missing(core, connection.conversation):
            await self._line.open_again(core, connection)
        return operation if core.id == session else operation.in_session(session, core.id)


_lines: weakref.WeakSet[AsyncLine] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for line in list(_lines):
        line.forked()


os.register_at_fork(after_in_child=_after_fork_in_child)
