"""The asyncio face."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import socket
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Literal, TypeVar, Union

from . import _connecting as connecting
from . import _operations as operations
from . import _requests as requests
from ._async_session import AsyncSession, AsyncWatch
from ._challenges import Answer, Challenge
from ._conversation import Ask, Channel, Conversation, Delegate, Effect, Send, Waiter
from ._download import Plan
from ._errors import (
    ClientClosed,
    DaemonConnectionLost,
    DaemonUnavailable,
    ForkedClient,
    InvalidArgument,
    ProtocolError,
    WatchwordError,
)
from ._identities import TokenCertificate
from ._opening import Opening, prepare
from ._operations import DaemonInfo, Operation
from ._protocol import close_descriptors
from ._redirects import RedirectAnswer, RedirectProposal
from ._requests import FetchArguments, FetchOptions
from ._response import Response

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from typing_extensions import Self, Unpack

    AnyChallengeHandler = Callable[[Challenge], Union[Answer, Awaitable[Answer]]]
    AnyRedirectHandler = Callable[[RedirectProposal], Union[RedirectAnswer, Awaitable[RedirectAnswer]]]

__all__ = ["AsyncClient"]

T = TypeVar("T")

#: How long a process that took the connection may take to say hello.
HELLO_SECONDS = 10


class AsyncClient:
    """A connection to the daemon for one event loop: ``async with AsyncClient() as client: …``

    Handlers are plain functions or coroutine functions; a plain one that waits for a person blocks the loop.
    """

    daemon: DaemonInfo

    def __init__(
        self,
        socket_path: str | os.PathLike[str] | None = None,
        *,
        start: bool = False,
        daemon: str | os.PathLike[str] | None = None,
        daemon_arguments: Sequence[str] = (),
        name: str = "watchword-python",
        trusted_uids: Sequence[int] | None = None,
    ) -> None:
        self._connect = functools.partial(
            connecting.connect,
            socket_path,
            start=start,
            daemon=daemon,
            daemon_arguments=daemon_arguments,
            trusted_uids=trusted_uids,
        )
        self._name = name
        self._conversation = Conversation()
        self._closed: ClientClosed | None = None
        self._socket: socket.socket | None = None
        self._outgoing: deque[Send] = deque()
        self._flushing = False
        self._asked: dict[asyncio.Task[None], Ask] = {}

    async def connect(self) -> Self:
        """Connects; the ``async with`` block does so by itself."""
        if self._socket is not None or self._closed is not None:
            raise ClientClosed("a client connects once")
        self._loop = asyncio.get_running_loop()
        connection = await self._loop.run_in_executor(None, self._connect)
        connection.setblocking(False)
        self._socket = connection
        _clients.add(self)
        self._loop.add_reader(connection.fileno(), self._readable)
        try:
            hello = self._run(operations.initialize(self._name))
            self.daemon = await asyncio.wait_for(hello, HELLO_SECONDS)
        except (DaemonConnectionLost, asyncio.TimeoutError) as error:
            await self.close()
            raise DaemonUnavailable("the daemon did not say hello") from error
        except BaseException:
            await self.close()
            raise
        return self

    # Sessions

    async def session(
        self,
        name: str | None = None,
        configuration: Mapping[str, Any] | None = None,
        *,
        on_challenge: AnyChallengeHandler | None = None,
        methods: Sequence[str] = ("*",),
        on_session_challenge: AnyChallengeHandler | None = None,
        session_methods: Sequence[str] = ("*",),
        on_redirect: AnyRedirectHandler | None = None,
        trust_verdicts: Literal["all", "refused"] | None = None,
    ) -> AsyncSession:
        """Opens or joins a session; see ``Client.session``."""
        delegate = Delegate(on_challenge, methods, on_session_challenge, session_methods, on_redirect, trust_verdicts)
        opening = prepare(name, configuration, delegate)
        return AsyncSession(self, await self._open(opening), delegate)

    async def _open(self, opening: Opening) -> tuple[str, bool]:
        if opening.name is not None and opening.delegate.asks:
            self._conversation.set_delegate(opening.name, opening.delegate)
        identifier, created = await self._run(opening.operation())
        if opening.delegate.asks:
            self._conversation.set_delegate(identifier, opening.delegate)
        return identifier, created

    def default_session(self) -> AsyncSession:
        """The session ``default`` of this uid, without answering any challenge."""
        return AsyncSession(self, ("default", False), Delegate())

    async def fetch(self, url: str, **options: Unpack[FetchArguments]) -> Response:
        """Fetches in the session ``default``."""
        return await self._run(requests.fetch(None, url, None, FetchOptions(**options) if options else None))

    async def sessions(self) -> list[dict[str, Any]]:
        """The sessions of this uid."""
        return await self._run(operations.list_sessions())

    # Tasks and challenges

    async def tasks(self, session: str | None = None) -> list[dict[str, Any]]:
        """The tasks of a session (``default`` when none is named)."""
        return await self._run(operations.list_tasks(session))

    async def describe_task(self, task: str) -> dict[str, Any]:
        """A task; with the result or error of a detached one that has finished."""
        return await self._run(operations.describe_task(task))

    async def cancel_task(self, task: str) -> None:
        """Ends a task with TaskCancelled; TaskNotFound when it is over already."""
        await self._run(operations.task_verb("cancel", task))

    async def suspend_task(self, task: str) -> None:
        """Stops reading the response until ``resume_task``; the origin waits."""
        await self._run(operations.task_verb("suspend", task))

    async def resume_task(self, task: str) -> None:
        """Goes on with a suspended task."""
        await self._run(operations.task_verb("resume", task))

    async def challenges(self, session: str | None = None) -> list[Challenge]:
        """The pending challenges that this connection may see."""
        return await self._run(operations.list_challenges(session))

    async def challenge(self, challenge: str) -> Challenge:
        """One pending challenge."""
        return await self._run(operations.describe_challenge(challenge))

    async def reply(self, challenge: Challenge | str, answer: Answer) -> None:
        """Answers a challenge outside its handler."""
        identifier = challenge.id if isinstance(challenge, Challenge) else challenge
        await self._run(operations.reply_to_challenge(identifier, answer))

    # The daemon

    async def ping(self) -> None:
        """One round trip."""
        await self._run(operations.ping())

    async def status(self) -> dict[str, Any]:
        """One snapshot of what the daemon is doing."""
        return await self._run(operations.status())

    async def list_tokens(self) -> list[TokenCertificate]:
        """The client certificates that tokens of the daemon's PKCS#11 modules show, with the URIs of their keys."""
        return await self._run(operations.list_tokens())

    async def watch_status(self, interval_seconds: float = 1.0) -> AsyncWatch:
        """Snapshots as they change; an async context manager to iterate over."""
        watch = AsyncWatch(self, "status/didChange", operations.unsubscribe_from_status())
        try:
            await self._run(operations.subscribe_to_status(interval_seconds))
        except BaseException:
            await watch.close()
            raise
        return watch

    def watch(self, method: str) -> AsyncWatch:
        """The parameters of every notification of one method."""
        return AsyncWatch(self, method, None)

    async def discover(self) -> dict[str, Any]:
        """The daemon's OpenRPC document."""
        return await self._run(operations.discover())

    async def reload(self) -> None:
        """Makes the daemon read its configuration again."""
        await self._run(operations.reload_server())

    async def shut_down(self, *, graceful: bool = True) -> None:
        """Stops the daemon, after its tasks or at once."""
        await self._run(operations.shut_down_server(graceful))

    async def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Any method by name; the result as it came, without descriptors."""
        return await self._run(operations.call(method, params))

    # The end

    async def close(self) -> None:
        """Hangs up. Calls that wait fail with ClientClosed."""
        if self._closed is None:
            self._closed = ClientClosed("the client is closed")
            self._lose(self._closed)
        for task in list(self._asked):
            task.cancel()
        _clients.discard(self)

    def _lose(self, error: WatchwordError) -> None:
        self._conversation.lose(error)
        connection, self._socket = self._socket, None
        if connection is not None:
            self._loop.remove_reader(connection.fileno())
            self._loop.remove_writer(connection.fileno())
            connection.close()
        while self._outgoing:
            close_descriptors(self._outgoing.popleft().descriptors)

    def _forked(self) -> None:
        # The child shares the parent's epoll descriptor: the registration there must stay.
        self._closed = ForkedClient("this client belongs to the parent process; make a new one after fork")
        connection, self._socket = self._socket, None
        if connection is not None:
            connection.close()

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncClient {'open' if self._socket is not None else 'closed'}>"

    # Calls

    async def _run(self, operation: Operation[T]) -> T:
        if self._closed is not None:
            operation.discard()
            raise type(self._closed)(*self._closed.args)
        if self._socket is None and self._conversation.lost_by is None:
            operation.discard()
            raise ClientClosed("the client is not connected yet")
        call, send = self._conversation.begin(operation)
        try:
            self._write(send)
            await self._wait(call)
        except connecting.ClosedDescriptor:
            self._conversation.withdraw(call)
            raise InvalidArgument("a descriptor of the request is closed") from None
        except BaseException:
            for task, ask in list(self._asked.items()):
                if ask.owner is call:
                    task.cancel()
            self._perform(self._conversation.abandon(call))
            raise
        return call.outcome()

    async def _drive(self, plan: Plan[T]) -> T:
        """Runs a plan to its end."""
        try:
            step = next(plan)
            while True:
                try:
                    value: Any = await (self._next(step) if isinstance(step, Channel) else self._run(step))
                except BaseException as error:
                    step = plan.throw(error)
                else:
                    step = plan.send(value)
        except StopIteration as end:
            result: T = end.value
            return result

    async def _next(self, channel: Channel[T]) -> T | None:
        """The next item of a channel; None at its end."""
        await self._wait(channel)
        taken = self._conversation.take(channel)
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
            lost = self._conversation.protocol.end() or DaemonConnectionLost("the daemon hung up")
        if lost is not None:
            self._lose(lost)
            return
        self._perform(self._conversation.receive(data, descriptors))
        if self._conversation.lost_by is not None:
            self._lose(self._conversation.lost_by)

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
            answer = ask.run()
            if inspect.isawaitable(answer):
                answer = await answer
        except BaseException as failure:
            self._perform(self._conversation.refuse(ask, failure))
            if not isinstance(failure, Exception):
                raise
            return
        self._perform(self._conversation.answer(ask, answer))

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


_clients: weakref.WeakSet[AsyncClient] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for client in list(_clients):
        client._forked()
    _clients.clear()


os.register_at_fork(after_in_child=_after_fork_in_child)
