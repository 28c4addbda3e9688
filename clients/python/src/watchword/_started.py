"""What is started in a session of the blocking API: a task with its events, and a body that arrives in pieces."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _operations as operations
from ._connection import Connection
from ._errors import ClientClosed, DaemonConnectionLost, InvalidArgument, ProtocolError
from ._generated.errors import TaskNotFound
from ._lines import LineSplitter
from ._response import Response, charset
from ._tasks import DataReceived, ResponseReceived, TaskEvent, TaskFinished, finished_response
from ._waiting import Channel

if TYPE_CHECKING:
    from typing_extensions import Self

    from . import results

__all__ = ["Stream", "Task"]


class Task:
    """A started task. Iterate over it for its events; the last one is ``TaskFinished``."""

    def __init__(self, connection: Connection, channel: Channel[TaskEvent]) -> None:
        assert channel.task is not None
        self._connection = connection
        self._channel = channel
        self.id: str = channel.task

    def __iter__(self) -> Iterator[TaskEvent]:
        return self

    def __next__(self) -> TaskEvent:
        if self._channel.finished is not None or (event := self._connection.next(self._channel)) is None:
            raise StopIteration
        return event

    def wait(self, timeout: float | None = None) -> Response:
        """The response, or the task's error raised; any number of threads may wait.

        A TimeoutError that is no TimedOut leaves the task running.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._channel.finished is None:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if self._connection.next(self._channel, left) is None and self._channel.finished is None:
                raise InvalidArgument("the task is not listened to any more")
        return finished_response(self._channel.finished)

    def cancel(self) -> None:
        """Ends the task with TaskCancelled; TaskNotFound when it is over already."""
        self._connection.run(operations.task_verb("cancel", self.id))

    def suspend(self) -> None:
        """Stops reading the response until ``resume``."""
        self._connection.run(operations.task_verb("suspend", self.id))

    def resume(self) -> None:
        """Goes on where it was suspended."""
        self._connection.run(operations.task_verb("resume", self.id))

    def describe(self) -> results.TaskDescription:
        """State, bytes received so far, and what the daemon knows else."""
        return self._connection.run(operations.describe_task(self.id))

    def close(self) -> None:
        """Stops listening; the task goes on."""
        self._connection.close_channel(self._channel)

    def __repr__(self) -> str:
        return f"<Task {getattr(self, 'id', None)}>"


class Stream:
    """A response whose body arrives in pieces. A consumer that falls behind suspends its task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._head: ResponseReceived | None = None

    @property
    def head(self) -> ResponseReceived:
        """URL, status and header fields; waits for them."""
        while self._head is None:
            event = next(self.task, None)
            if isinstance(event, ResponseReceived):
                self._head = event
            elif isinstance(event, DataReceived):
                raise ProtocolError("the daemon sent a body before its head")
            elif event is None or isinstance(event, TaskFinished):
                self.task.wait()  # raises the task's error
                raise ProtocolError("the daemon sent a response without its head")
        return self._head

    @property
    def status(self) -> int:
        """The response's status; waits for it."""
        return self.head.status

    @property
    def status_code(self) -> int:
        """``status``, as ``requests`` calls it."""
        return self.status

    def iter_lines(self, *, decode_unicode: bool = False) -> Iterator[Any]:
        """The body's lines as they arrive, without what ends them: bytes, or text by its charset."""
        splitter = LineSplitter(charset(self.head.headers) if decode_unicode else None)
        for piece in self:
            yield from splitter.feed(piece)
        yield from splitter.end()

    def __iter__(self) -> Iterator[bytes]:
        assert self.head is not None
        for event in self.task:
            if isinstance(event, DataReceived):
                yield event.data
        self.task.wait()

    def response(self) -> Response:
        """The finished task's response (its redirects and size, and its metrics if asked for), after the last piece."""
        return self.task.wait()

    def close(self) -> None:
        """Cancels the task unless it has finished."""
        if not self.task._channel.ended:
            try:
                self.task.cancel()
            except (TaskNotFound, ClientClosed, DaemonConnectionLost):
                pass
        self.task.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
