"""Notifications of one method, for programs that follow what the daemon does."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

from ._async_connection import AsyncConnection
from ._connection import Connection
from ._errors import ClientClosed, DaemonConnectionLost
from ._operation import Operation
from ._waiting import Channel

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AsyncWatch", "Watch"]

#: What the notifications carry.
T = TypeVar("T")


class Watch(Generic[T]):
    """Notifications of one method, as they arrive; a context manager to iterate over."""

    def __init__(self, connection: Connection, method: str, end: Operation[None] | None) -> None:
        self._connection = connection
        self._method = method
        self._end = end
        with connection.state:
            self._channel: Channel[T] = connection.conversation.open_watch(method)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        value = self._connection.next(self._channel)
        if value is None:
            raise StopIteration
        return value

    def next(self, timeout: float | None = None) -> T | None:
        """The next one, or TimeoutError; None when another thread has closed the watch."""
        return self._connection.next(self._channel, timeout)

    def close(self) -> None:
        """Stops watching; the last watcher of the status ends the subscription."""
        if self._channel.ended:
            return
        with self._connection.state:
            last = self._connection.conversation.close_watch(self._method, self._channel)
        if last and self._end is not None:
            try:
                self._connection.run(self._end)
            except (ClientClosed, DaemonConnectionLost):
                pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncWatch(Generic[T]):
    """Notifications of one method, as they arrive; an async context manager to iterate over."""

    def __init__(self, connection: AsyncConnection, method: str, end: Operation[None] | None) -> None:
        self._connection = connection
        self._method = method
        self._end = end
        self._channel: Channel[T] = connection.conversation.open_watch(method)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        value = await self._connection.next(self._channel)
        if value is None:
            raise StopAsyncIteration
        return value

    async def close(self) -> None:
        """Stops watching; the last watcher of the status ends the subscription."""
        if self._channel.ended:
            return
        last = self._connection.conversation.close_watch(self._method, self._channel)
        if last and self._end is not None:
            try:
                await self._connection.run(self._end)
            except (ClientClosed, DaemonConnectionLost):
                pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
