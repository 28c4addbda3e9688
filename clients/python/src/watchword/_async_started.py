"""What is started in a session of the asyncio API: a task with its events, and a body that arrives in pieces."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _operations as operations
from ._async_connection import AsyncConnection
from ._errors import ClientClosed, DaemonConnectionLost, InvalidArgument, ProtocolError
from ._generated.errors import TaskNotFound
from ._lines import LineSplitter
from ._response import Response, charset
from ._tasks import DataReceived, ResponseReceived, TaskEvent, TaskFinished, finished_response
from ._waiting import Channel

if TYPE_CHECKING:
    from typing_extensions import Self

    from . import results

__all__ = ["AsyncStream", "AsyncTask"]


class AsyncTask:
    """A started task. Iterate over it for its events; the last one is ``TaskFinished``."""

    def __init__(self, connection: AsyncConnection, channel: Channel[TaskEvent]) -> None:
        assert channel.task is not None
        self._connection = connection
        self._channel = channel
        self.id: str = channel.task

    def __aiter__(self) -> AsyncIterator[TaskEvent]:
        return self

    async def __anext__(self) -> TaskEvent:
        if self._channel.finished is not None or (event := await self._connection.next(self._channel)) is None:
            raise StopAsyncIteration
        return event

    async def wait(self) -> Response:
        """The response, or the task's error raised; any number of coroutines may wait."""
        while self._channel.finished is None:
            if await self._connection.next(self._channel) is None and self._channel.finished is None:
                raise InvalidArgument("the task is not listened to any more")
        return finished_response(self._channel.finished)

    async def cancel(self) -> None:
        """Ends the task with TaskCancelled; TaskNotFound when it is over already."""
        await self._connection.run(operations.task_verb("cancel", self.id))

    async def suspend(self) -> None:
        """Stops reading the response until ``resume``."""
        await self._connection.run(operations.task_verb("suspend", self.id))

    async def resume(self) -> None:
        """Goes on where it was suspended."""
        await self._connection.run(operations.task_verb("resume", self.id))

    async def describe(self) -> results.TaskDescription:
        """State, bytes received so far, and what the daemon knows else."""
        return await self._connection.run(operations.describe_task(self.id))

    def close(self) -> None:
        """Stops listening; the task goes on."""
        self._connection.conversation.close_channel(self._channel)

    def __repr__(self) -> str:
        return f"<AsyncTask {getattr(self, 'id', None)}>"


class AsyncStream:
    """A response whose body arrives in pieces. A consumer that falls behind suspends its task."""

    def __init__(self, task: AsyncTask) -> None:
        self.task = task
        self._head: ResponseReceived | None = None

    async def head(self) -> ResponseReceived:
        """URL, status and header fields; waits for them."""
        while self._head is None:
            event = await self._next_event()
            if isinstance(event, ResponseReceived):
                self._head = event
            elif isinstance(event, DataReceived):
                raise ProtocolError("the daemon sent a body before its head")
            elif event is None or isinstance(event, TaskFinished):
                await self.task.wait()  # raises the task's error
                raise ProtocolError("the daemon sent a response without its head")
        return self._head

    async def _next_event(self) -> TaskEvent | None:
        async for event in self.task:
            return event
        return None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        await self.head()
        async for event in self.task:
            if isinstance(event, DataReceived):
                yield event.data
        await self.task.wait()

    async def iter_lines(self, *, decode_unicode: bool = False) -> AsyncIterator[Any]:
        """The body's lines as they arrive, without what ends them: bytes, or text by its charset."""
        splitter = LineSplitter(charset((await self.head()).headers) if decode_unicode else None)
        async for piece in self:
            for line in splitter.feed(piece):
                yield line
        for line in splitter.end():
            yield line

    async def response(self) -> Response:
        """The finished task's response (its redirects and size, and its metrics if asked for), after the last piece."""
        return await self.task.wait()

    async def close(self) -> None:
        """Cancels the task unless it has finished."""
        if not self.task._channel.ended:
            try:
                await self.task.cancel()
            except (TaskNotFound, ClientClosed, DaemonConnectionLost):
                pass
        self.task.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
