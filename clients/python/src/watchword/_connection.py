"""The connection of the blocking API: who reads, who waits, who answers."""

from __future__ import annotations

import errno
import os
import select
import socket
import threading
import time
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
from ._readiness import make_poll
from ._renewal import is_passing
from ._waiting import Ask, Channel, Effect, Send, Waiter

__all__ = ["Connection"]

T = TypeVar("T")


class Connection:
    """A connection to the daemon that several threads share.

    The thread that waits reads: with one thread there is no other one on the way. With several, the thread that reads
    hands the others what is theirs. Handlers run in the thread whose fetch was challenged.
    """

    def __init__(self, connected: socket.socket) -> None:
        self.conversation = Conversation()
        self.state = threading.Lock()  # around every method of the conversation
        self._writing = threading.Lock()
        self._reading = threading.Lock()  # held by the thread that reads for all
        self._followers: list[Waiter] = []
        self._closed: WatchwordError | None = None
        self._socket = connected
        self._readiness = make_poll()
        self._readiness.register(connected.fileno(), select.POLLIN)
        self._limit: int | None = None  # milliseconds that one read may wait
        _connections.add(self)

    @property
    def is_open(self) -> bool:
        return self._closed is None and self.conversation.lost_by is None

    @property
    def is_lost(self) -> bool:
        """Whether another connection can follow: the daemon has gone, or this process is a child."""
        if self._closed is not None:
            return not isinstance(self._closed, ClientClosed) or isinstance(self._closed, ForkedClient)
        return self.conversation.lost_by is not None and is_passing(self.conversation.lost_by)

    @property
    def reason(self) -> WatchwordError:
        """What has ended it."""
        return again(self._closed or self.conversation.lost_by or DaemonConnectionLost("the daemon hung up"))

    def has_hung_up(self) -> bool:
        """Whether the daemon has gone, as the socket knows before anything is read."""
        if self._closed is not None:
            return False
        poll = make_poll()  # the other one may be in use
        poll.register(self._socket.fileno(), select.POLLIN)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    def retire(self) -> None:
        """Another connection has followed: what still waits here has lost the daemon."""
        if self._closed is None:
            self._end(DaemonConnectionLost("the daemon hung up"))
        _connections.discard(self)

    def limit_reading(self, seconds: int) -> None:
        """How long one read may wait; 0 for ever."""
        self._limit = seconds * 1000 or None

    # The end

    def close(self) -> None:
        """Hangs up. Calls that wait in other threads fail with ClientClosed."""
        if self._closed is None:
            self._end(ClientClosed("the client is closed"))
        _connections.discard(self)

    def _end(self, reason: WatchwordError) -> None:
        self._closed = reason
        with self.state:
            self.conversation.lose(reason)
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads
        except OSError:
            pass
        if self._reading.acquire(False):  # else the thread that reads closes it when it leaves
            self._reading.release()
            self._socket.close()

    def forked(self) -> None:
        # Runs in the child, where another thread of the parent may hold any lock for ever.
        self._closed = ForkedClient("this belongs to the parent process; the next call makes a connection of its own")
        self._socket.close()

    def open(self, opening: Opening) -> tuple[str, bool]:
        """Opens or joins a session: its id, and whether it was made."""
        if opening.name is not None and opening.delegate.asks:
            with self.state:  # the first question may come with the reply
                self.conversation.set_delegate(opening.name, opening.delegate)
        identifier, created = self.run(opening.operation())
        if opening.delegate.asks:
            with self.state:
                self.conversation.set_delegate(identifier, opening.delegate)
        return identifier, created

    def close_channel(self, channel: Channel[Any]) -> None:
        """Stops listening to a task."""
        with self.state:
            self.conversation.close_channel(channel)

    # Calls

    def run(self, operation: Operation[T]) -> T:
        """Performs one call; its result."""
        if self._closed is not None:
            operation.discard()
            raise again(self._closed)
        with self.state:
            call, send = self.conversation.begin(operation)
        try:
            self._write(send, call, False)
            self.wait(call)
        except connecting.ClosedDescriptor:
            with self.state:
                self.conversation.withdraw(call)
            raise InvalidArgument("a descriptor of the request is closed") from None
        except BaseException:
            with self.state:
                effects = self.conversation.abandon(call)
            self._perform(effects, call, False)
            raise
        return call.outcome()

    def drive(self, plan: Plan[T]) -> T:
        """Runs a plan to its end."""
        try:
            step = next(plan)
            while True:
                try:
                    value: Any = self.next(step) if isinstance(step, Channel) else self.run(step)
                except BaseException as error:
                    step = plan.throw(error)
                else:
                    step = plan.send(value)
        except StopIteration as end:
            result: T = end.value
            return result

    def next(self, channel: Channel[T], timeout: float | None = None) -> T | None:
        """The next item of a channel; None at its end, TimeoutError when it does not come in time."""
        if isinstance(self._closed, ForkedClient):  # before any lock: a thread of the parent may hold it
            raise again(self._closed)
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            if not self.wait(channel, deadline):
                raise TimeoutError
            with self.state:
                if channel.ready:  # else another thread has taken what came
                    taken = self.conversation.take(channel)
                    break
        if taken is None:
            return None
        item, effects = taken
        if effects:
            self._perform(effects, channel, False)
        return item

    # Waiting

    def wait(self, waiter: Waiter, deadline: float | None = None) -> bool:
        """Until the waiter is ready; reads for all, or waits for the thread that does."""
        while not waiter.ready:
            if self._reading.acquire(False):
                try:
                    while not waiter.ready and not waiter.asks:
                        if deadline is not None and not self._readable(deadline):
                            return False
                        self._read(waiter)
                finally:
                    self._reading.release()
                    if self._followers:
                        self._hand_over()
                    if self._closed is not None:
                        self._socket.close()
            elif not self._follow(waiter, deadline):
                return False
            self._answer(waiter)
        self._answer(waiter)
        return True

    def _answer(self, waiter: Waiter) -> None:
        """Runs the handlers that wait for the waiter's caller, or for one of its callers."""
        while waiter.asks:
            with self.state:
                if not waiter.asks:
                    return
                ask = waiter.asks.popleft()
            self._ask(ask, waiter)

    def _follow(self, waiter: Waiter, deadline: float | None) -> bool:
        news = threading.Event()
        wake = news.set
        with self.state:
            if waiter.ready or waiter.asks:
                return True
            waiter.add(wake)
            self._followers.append(waiter)
        intact = False
        try:
            if self._reading.acquire(False):  # the reader left before it could see us
                self._reading.release()
                intact = True
                return True
            in_time = news.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
            intact = in_time
            return in_time
        finally:
            with self.state:
                waiter.remove(wake)
                self._followers.remove(waiter)
            if not intact:
                self._hand_over()  # we may have been chosen to read just before we gave up

    def _hand_over(self) -> None:
        """Wakes one that waits, so that one reads."""
        with self.state:
            for waiter in self._followers:
                if not waiter.ready and not waiter.asks:
                    waiter.notify()
                    return

    def _readable(self, deadline: float) -> bool:
        return self._poll(max(0.0, deadline - time.monotonic()) * 1000)

    def _poll(self, milliseconds: float | None) -> bool:
        # Closed, its number may be another's descriptor: reading says that it is closed.
        return self._closed is not None or bool(self._readiness.poll(milliseconds))

    def _read(self, waiter: Waiter) -> None:
        """One read, by the holder of the reading lock."""
        lost: WatchwordError | None = None
        try:
            # Inside of recv, Linux would wake this thread also when the daemon takes what was sent.
            if self._poll(self._limit):
                data, descriptors = connecting.receive(self._socket)
            else:
                lost = DaemonConnectionLost("the daemon does not answer")
        except OSError as error:
            lost = DaemonConnectionLost(f"the connection to the daemon failed: {error.strerror}")
        except ProtocolError as error:
            lost = error
        with self.state:
            if lost is None and not data:
                lost = self.conversation.protocol.end() or DaemonConnectionLost("the daemon hung up")
            if lost is not None:
                self.conversation.lose(lost)
                return
            try:
                effects = self.conversation.receive(data, descriptors)
            except BaseException:  # an interrupt between two messages: whose reply was lost is unknown
                self.conversation.lose(DaemonConnectionLost("interrupted while reading"))
                raise
        if effects:
            self._perform(effects, waiter, True)

    def _perform(self, effects: Sequence[Effect], waiter: Waiter, reading: bool) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._write(effect, waiter, reading)
                continue
            target = effect.owner or waiter
            with self.state:
                if target.asks is None:
                    target.asks = deque()
                target.asks.append(effect)
                if target is not waiter:
                    target.notify()

    def _ask(self, ask: Ask, waiter: Waiter) -> None:
        """Runs a handler, outside every lock, so that it may use this client itself."""
        try:
            answer = ask.run()
        except BaseException as failure:
            with self.state:
                effects = self.conversation.refuse(ask, failure)
            self._perform(effects, waiter, False)
            if not isinstance(failure, Exception):  # an interrupt does not wait for the reply
                raise
            return
        with self.state:
            effects = self.conversation.answer(ask, answer)
        self._perform(effects, waiter, False)

    # Writing

    def _write(self, send: Send, waiter: Waiter, reading: bool) -> None:
        data = send.data
        sent = 0
        aside: list[Effect] = []
        try:
            with self._writing:
                try:
                    sent = connecting.send(self._socket, data, send.descriptors, connecting.NO_WAIT)
                except BlockingIOError:
                    pass
                if sent < len(data):
                    self._write_rest(send, sent, reading, aside)
        except OSError as error:
            # What the daemon said before it hung up is still to be read; only then is the connection lost.
            if self._closed is None and error.errno not in (errno.EPIPE, errno.ECONNRESET):
                with self.state:
                    self.conversation.lose(
                        DaemonConnectionLost(f"the connection to the daemon failed: {error.strerror}")
                    )
        finally:
            if send.operation is not None:
                send.operation.discard()
        if aside:
            self._perform(aside, waiter, reading)

    def _write_rest(self, send: Send, sent: int, reading: bool, aside: list[Effect]) -> None:
        """The rest of a message that the socket did not take at once.

        Reads meanwhile where no other thread does: a daemon that waits for us to read would never read us.
        """
        view = memoryview(send.data)
        poll = make_poll()
        try:
            while sent < len(view):
                may_read = reading or self._reading.acquire(False)
                try:
                    poll.register(self._socket.fileno(), select.POLLOUT | (select.POLLIN if may_read else 0))
                    ready = poll.poll(None if may_read else 50)
                    if may_read and any(event & select.POLLIN for _, event in ready):
                        self._read_aside(aside)
                finally:
                    if may_read and not reading:
                        self._reading.release()
                        self._hand_over()
                try:
                    descriptors = () if sent else send.descriptors
                    sent += connecting.send(self._socket, view[sent:], descriptors, connecting.NO_WAIT)
                except BlockingIOError:
                    pass
                if self.conversation.lost_by is not None:
                    return
        except BaseException:
            if 0 < sent < len(view):  # half a message: nothing can be said on this connection any more
                with self.state:
                    self.conversation.lose(DaemonConnectionLost("interrupted within a message"))
            raise

    def _read_aside(self, aside: list[Effect]) -> None:
        data, descriptors = connecting.receive(self._socket, connecting.NO_WAIT)
        with self.state:
            if not data:
                self.conversation.lose(DaemonConnectionLost("the daemon hung up"))
                return
            aside.extend(self.conversation.receive(data, descriptors))


_connections: weakref.WeakSet[Connection] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for connection in list(_connections):
        connection.forked()
    _connections.clear()


os.register_at_fork(after_in_child=_after_fork_in_child)
