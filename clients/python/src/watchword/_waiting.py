"""What callers wait for, and what a connection does meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Callable, Generic, TypeVar, Union

from ._challenges import Challenge
from ._errors import WatchwordError, again
from ._operation import Operation
from ._protocol import close_descriptors
from ._redirects import RedirectProposal
from ._tasks import TaskFinished

__all__ = ["Ask", "Call", "Channel", "Effect", "Send", "Waiter"]

T = TypeVar("T")

#: Notifications kept for a watcher that does not look; older ones are dropped.
LONGEST_WATCH = 1024


class Waiter:
    """What callers wait for. ``wakes`` are the connection's, one for each; all are called when there is news."""

    __slots__ = ("asks", "failure", "wakes")

    def __init__(self) -> None:
        self.asks: deque[Ask] | None = None
        self.failure: BaseException | None = None
        self.wakes: tuple[Callable[[], None], ...] = ()

    @property
    def ready(self) -> bool:
        raise NotImplementedError

    def add(self, wake: Callable[[], None]) -> None:
        self.wakes = (*self.wakes, wake)

    def remove(self, wake: Callable[[], None]) -> None:
        self.wakes = tuple(other for other in self.wakes if other is not wake)

    def notify(self) -> None:
        for wake in self.wakes:
            wake()


class Call(Waiter, Generic[T]):
    """A request that waits for its reply."""

    __slots__ = ("_operation", "_then", "abandoned", "descriptors", "done", "error", "id", "result")

    def __init__(self, operation: Operation[T], then: Callable[[Call[Any]], list[Effect]] | None = None) -> None:
        self.asks = None
        self.failure = None
        self.wakes = ()
        self._operation = operation
        self._then = then
        self.id = 0
        self.done = False
        self.abandoned = False
        self.result: Any = None
        self.error: WatchwordError | None = None
        self.descriptors: Sequence[int] = ()

    @property
    def ready(self) -> bool:
        return self.done

    def outcome(self) -> T:
        """The result, read; or the error raised. A handler's own exception comes before the daemon's."""
        descriptors, self.descriptors = self.descriptors, ()
        failure = self.failure or self.error
        if failure is not None:
            close_descriptors(descriptors)
            raise again(failure) if isinstance(failure, WatchwordError) else failure
        return self._operation.decode(self.result, descriptors)


class Channel(Waiter, Generic[T]):
    """A row of things that arrive: the events of one task, or the notifications of one method."""

    __slots__ = ("backlog", "closed", "ended", "finished", "items", "paused", "task")

    def __init__(self, task: str | None = None) -> None:
        super().__init__()
        self.task = task
        self.items: deque[T] = deque(maxlen=LONGEST_WATCH if task is None else None)
        self.closed: WatchwordError | None = None
        self.ended = False
        #: The task's end, once one of the waiters has taken it: the others get it as well.
        self.finished: TaskFinished | None = None
        self.backlog = 0
        self.paused = False

    @property
    def ready(self) -> bool:
        return bool(self.items) or self.ended or self.closed is not None


class Send:
    """Bytes to write, with descriptors beside the first of them; ``operation`` owns some of those."""

    __slots__ = ("data", "descriptors", "operation")

    def __init__(self, data: bytes, descriptors: Sequence[int] = (), operation: Operation[Any] | None = None) -> None:
        self.data = data
        self.descriptors = descriptors
        self.operation = operation


class Ask:
    """A handler to run, by the caller of ``owner`` where there is one."""

    __slots__ = ("handler", "owner", "question")

    def __init__(
        self,
        handler: Callable[[Any], Any],
        question: Challenge | RedirectProposal,
        owner: Waiter | None,
    ) -> None:
        self.handler = handler
        self.question = question
        self.owner = owner

    def run(self) -> Any:
        """What the handler returns: an answer, or with a coroutine function something to await."""
        return self.handler(self.question)


Effect = Union[Send, Ask]
