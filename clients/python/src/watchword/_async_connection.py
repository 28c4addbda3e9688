"""The connection of the asyncio API: input, output and the handlers that run beside them."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import select
import socket
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any, TypeVar

from . import _connecting as connecting
from ._conversation import Conversation
from ._download import Plan
from ._errors import (
    ClientClosed,
    DaemonConnectionLost,
    ForkedClient,
    InvalidArgument,
    ProtocolError,
    WatchwordError,
    again,
)
from ._opening import Opening
from ._operation import Operation
from ._protocol import close_descriptors
from ._readiness import make_poll
from ._renewal import is_passing
from ._waiting import Ask, Channel, Effect, Send, Waiter

__all__ = ["AsyncConnection"]

T = TypeVar("T")


class AsyncConnection:
    """A connection to the daemon for one event loop."""

    def __init__(self) -> None:
        self.conversation = Conversation()
        self._closed: WatchwordError | None = None
        self._socket: socket.socket | None = None
        self._outgoing: deque[Send] = deque()
        self._flushing = False
        self._asked: dict[asyncio.Task[None], Ask] = {}

    @property
    def is_open(self) -> bool:
        return self._socket is not None

    @property
    def is_used(self) -> bool:
        """Whether it is open, or has been closed."""
        return self._socket is not None or self._closed is not None

    @property
    def is_lost(self) -> bool:
        """As ``Connection.is_lost``."""
        if self._closed is not None:
            return not isinstance(self._closed, ClientClosed) or isinstance(self._closed, ForkedClient)
        return self.conversation.lost_by is not None and is_passing(self.conversation.lost_by)

    @property
    def reason(self) -> WatchwordError:
        """What has ended it."""
        return again(self._closed or self.conversation.lost_by or DaemonConnectionLost("the daemon hung up"))

    def has_hung_up(self) -> bool:
        """Whether the daemon has gone, as the socket knows before the loop has read its end."""
        if self._socket is None:
            return False
        poll = make_poll()
        poll.register(self._socket.fileno(), select.POLLIN)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    def retire(self) -> None:
        """Another connection has followed: what still waits here has lost the daemon."""
        if self._closed is None:
            self._closed = DaemonConnectionLost("the daemon hung up")
            self._lose(self._closed)
        _connections.discard(self)

    def begin(self, connected: socket.socket) -> None:
        """Takes over the socket, which the running loop watches from now on."""
        self._loop = asyncio.get_running_loop()
        connected.setblocking(False)
        self._socket = connected
        _connections.add(self)
        self._loop.add_reader(connected.fileno(), self._readable)

    # The end

    async def close(self) -> None:
        """Hangs up. Calls that wait fail with ClientClosed."""
        if self._closed is None:
            self._closed = ClientClosed("the client is closed")
            self._lose(self._closed)
        for task in list(self._asked):
            task.cancel()
        _connections.discard(self)

    def _lose(self, error: WatchwordError) -> None:
        self.conversation.lose(error)
        connection, self._socket = self._socket, None
        if connection is not None:
            self._loop.remove_reader(connection.fileno())
            self._loop.remove_writer(connection.fileno())
            connection.close()
        while self._outgoing:
            close_descriptors(self._outgoing.popleft().descriptors)

    def forked(self) -> None:
        # The child shares the parent's epoll descriptor: the registration there must stay.
        self._closed = ForkedClient("this belongs to the parent process; the next call makes a connection of its own")
        connection, self._socket = self._socket, None
        if connection is not None:
            connection.close()

    async def open(self, opening: Opening) -> tuple[str, bool]:
        """Opens or joins a session: its id, and whether it was made."""
        if opening.name is not None and opening.delegate.asks:
            self.conversation.set_delegate(opening.name, opening.delegate)
        identifier, created = await self.run(opening.operation())
        if opening.delegate.asks:
            self.conversation.set_delegate(identifier, opening.delegate)
        return identifier, created

    # Calls

    async def run(self, operation: Operation[T]) -> T:
        if self._closed is not None:
            operation.discard()
            raise again(self._closed)
        if self._socket is None and self.conversation.lost_by is None:
            operation.discard()
            raise ClientClosed("the client is not connected yet")
        call, send = self.conversation.begin(operation)
        try:
            self._write(send)
            await self._wait(call)
        except connecting.ClosedDescriptor:
            self.conversation.withdraw(call)
            raise InvalidArgument("a descriptor of the request is closed") from None
        except BaseException:
            for task, ask in list(self._asked.items()):
                if ask.owner is call:
                    task.cancel()
            self._perform(self.conversation.abandon(call))
            raise
        return call.outcome()

    async def drive(self, plan: Plan[T]) -> T:
        """Runs a plan to its end."""
        try:
            step = next(plan)
            while True:
                try:
                    value: Any = await (self.next(step) if isinstance(step, Channel) else self.run(step))
                except BaseException as error:
                    step = plan.throw(error)
                else:
                    step = plan.send(value)
        except StopIteration as end:
            result: T = end.value
            return result

    async def next(self, channel: Channel[T]) -> T | None:
        """The next item of a channel; None at its end."""
        if isinstance(self._closed, ForkedClient):
            raise again(self._closed)
        await self._wait(channel)
        taken = self.conversation.take(channel)
        if taken is None:
            return None
        item, effects = taken
        self._perform(effects)
        return item

    async def _wait(self, waiter: Waiter) -> None:
        while not waiter.ready:
            news = self._loop.create_future()
            wake = functools.partial(_settle, news)
            waiter.add(wake)
            try:
                await news
            finally:
                waiter.remove(wake)

    # Input and output

    def _readable(self) -> None:
        if self._socket is None:
            return
        lost: WatchwordError | None = None
        try:
            data, descriptors = connecting.receive(self._socket)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            lost = DaemonConnectionLost(f"the connection to the daemon failed: {error.strerror}")
        except ProtocolError as error:
            lost = error
        if lost is None and not data:
            lost = self.conversation.protocol.end() or DaemonConnectionLost("the daemon hung up")
        if lost is not None:
            self._lose(lost)
            return
        self._perform(self.conversation.receive(data, descriptors))
        if self.conversation.lost_by is not None:
            self._lose(self.conversation.lost_by)

    def _perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._write(effect)
            else:
                task = self._loop.create_task(self._ask(effect))
                self._asked[task] = effect
                task.add_done_callback(self._asked.pop)

    async def _ask(self, ask: Ask) -> None:
        try:
            if getattr(ask.handler, "runs_apart", False):
                answer = await self._loop.run_in_executor(None, ask.run)
            else:
                answer = ask.run()
            if inspect.isawaitable(answer):
                answer = await answer
        except BaseException as failure:
            self._perform(self.conversation.refuse(ask, failure))
            if not isinstance(failure, Exception):
                raise
            return
        self._perform(self.conversation.answer(ask, answer))

    def _write(self, send: Send) -> None:
        """Queues a message; what one turn of the loop queues goes out in one piece."""
        if send.descriptors:  # ours until written: the caller may close its own as soon as it gives up
            try:
                duplicates = _duplicate(send.descriptors)
            except OSError:
                raise connecting.ClosedDescriptor from None
            finally:
                if send.operation is not None:
                    send.operation.discard()
            send = Send(send.data, duplicates)
        self._outgoing.append(send)
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        try:
            while self._outgoing and self._socket is not None:
                send = self._next_piece()
                sent = connecting.send(self._socket, send.data, send.descriptors)
                close_descriptors(send.descriptors)
                self._outgoing.popleft()
                if sent < len(send.data):
                    self._outgoing.appendleft(Send(send.data[sent:]))
        except (BlockingIOError, InterruptedError):
            if self._socket is not None:
                self._loop.add_writer(self._socket.fileno(), self._flush)
            return
        except OSError:
            while self._outgoing:  # what the daemon said before it hung up is still read; that ends the connection
                close_descriptors(self._outgoing.popleft().descriptors)
        self._flushing = False
        if self._socket is not None:
            self._loop.remove_writer(self._socket.fileno())

    def _next_piece(self) -> Send:
        """The first message, with those after it that carry no descriptors either."""
        first = self._outgoing[0]
        if len(self._outgoing) > 1 and not first.descriptors:
            rows = [first.data]
            self._outgoing.popleft()
            while self._outgoing and not self._outgoing[0].descriptors:
                rows.append(self._outgoing.popleft().data)
            first = Send(b"".join(rows))
            self._outgoing.appendleft(first)
        return first


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _duplicate(descriptors: Sequence[int]) -> list[int]:
    made: list[int] = []
    try:
        for descriptor in descriptors:
            made.append(os.dup(descriptor))
    except OSError:
        close_descriptors(made)
        raise
    return made


_connections: weakref.WeakSet[AsyncConnection] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for connection in list(_connections):
        connection.forked()
    _connections.clear()


os.register_at_fork(after_in_child=_after_fork_in_child)
