"""The blocking face."""

from __future__ import annotations

import errno
import os
import select
import socket
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from . import _connecting as connecting
from . import _operations as operations
from . import _requests as requests
from ._challenges import Answer, Challenge, ChallengeHandler, Credential, ProtectionSpace
from ._conversation import Ask, Channel, Conversation, Delegate, Effect, Send, Waiter
from ._download import Plan, Starter, download
from ._errors import (
    ClientClosed,
    DaemonConnectionLost,
    DaemonUnavailable,
    ForkedClient,
    InvalidArgument,
    ProtocolError,
    SessionInvalidated,
    SessionNotFound,
    TaskNotFound,
    WatchwordError,
)
from ._operations import DaemonInfo, Operation, StoredCredential
from ._redirects import RedirectHandler
from ._requests import FetchArguments, FetchOptions
from ._response import Response
from ._sessions import Opening, SessionCore, prepare
from ._tasks import DataReceived, ResponseReceived, TaskEvent, TaskFinished, finished_response

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["Client", "Session", "Stream", "Task", "Watch"]

T = TypeVar("T")

#: How long a process that took the connection may take to say hello.
HELLO_SECONDS = 10
#: The name of a watch that nothing arrives at: ``serve`` only waits.
_NOTHING = "$/nothing"


class Client:
    """A connection to the daemon. May be used from several threads; belongs to the process that made it.

    The thread that waits reads: with one thread there is no other one on the way. With several, whoever reads
    hands the others what is theirs. Handlers run in the thread whose fetch was challenged.
    """

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
        self._conversation = Conversation()
        self._state = threading.Lock()  # around every method of the conversation
        self._writing = threading.Lock()
        self._reading = threading.Lock()  # held by the thread that reads for all
        self._followers: list[Waiter] = []
        self._closed: ClientClosed | None = None
        self._socket = connecting.connect(
            socket_path,
            start=start,
            daemon=daemon,
            daemon_arguments=daemon_arguments,
            trusted_uids=trusted_uids,
        )
        _clients.add(self)
        try:
            self.daemon: DaemonInfo = self._hello(name)
        except BaseException:
            self.close()
            raise

    def _hello(self, name: str) -> DaemonInfo:
        limit = connecting.time_limit(HELLO_SECONDS)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        try:
            info = self._run(operations.initialize(name))
        except DaemonConnectionLost as error:
            raise DaemonUnavailable(f"the daemon did not say hello: {error}") from error
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, connecting.time_limit(0))
        return info

    # Sessions

    def session(
        self,
        name: str | None = None,
        configuration: Mapping[str, Any] | None = None,
        *,
        on_challenge: ChallengeHandler | None = None,
        methods: Sequence[str] = ("*",),
        on_session_challenge: ChallengeHandler | None = None,
        session_methods: Sequence[str] = ("*",),
        on_redirect: RedirectHandler | None = None,
    ) -> Session:
        """Opens or joins a session; without a name, one of this connection's own.

        ``on_challenge`` answers for this connection's tasks, for the authentication methods in ``methods``;
        ``on_session_challenge`` for every task of the session, for those in ``session_methods``.
        ``on_redirect`` asks for the redirect policy ``ask`` where the configuration names none.
        """
        delegate = Delegate(on_challenge, methods, on_session_challenge, session_methods, on_redirect)
        opening = prepare(name, configuration, delegate)
        return Session(self, self._open(opening), opening.delegate)

    def _open(self, opening: Opening) -> tuple[str, bool]:
        if opening.name is not None and opening.delegate.asks:
            with self._state:  # the first question may come with the reply
                self._conversation.set_delegate(opening.name, opening.delegate)
        identifier, created = self._run(opening.operation())
        if opening.delegate.asks:
            with self._state:
                self._conversation.set_delegate(identifier, opening.delegate)
        return identifier, created

    def default_session(self) -> Session:
        """The session ``default`` of this uid, without answering any challenge."""
        return Session(self, ("default", False), Delegate())

    def fetch(self, url: str, **options: Unpack[FetchArguments]) -> Response:
        """Fetches in the session ``default``."""
        return self._run(requests.fetch(None, url, None, FetchOptions(**options) if options else None))

    def sessions(self) -> list[dict[str, Any]]:
        """The sessions of this uid."""
        return self._run(operations.list_sessions())

    # Tasks and challenges

    def tasks(self, session: str | None = None) -> list[dict[str, Any]]:
        """The tasks of a session (``default`` when none is named)."""
        return self._run(operations.list_tasks(session))

    def describe_task(self, task: str) -> dict[str, Any]:
        """A task; with the result or error of a detached one that has finished."""
        return self._run(operations.describe_task(task))

    def cancel_task(self, task: str) -> None:
        self._run(operations.task_verb("cancel", task))

    def suspend_task(self, task: str) -> None:
        self._run(operations.task_verb("suspend", task))

    def resume_task(self, task: str) -> None:
        self._run(operations.task_verb("resume", task))

    def challenges(self, session: str | None = None) -> list[Challenge]:
        """The pending challenges that this connection may see."""
        return self._run(operations.list_challenges(session))

    def challenge(self, challenge: str) -> Challenge:
        """One pending challenge."""
        return self._run(operations.describe_challenge(challenge))

    def reply(self, challenge: Challenge | str, answer: Answer) -> None:
        """Answers a challenge outside its handler, as a person at a terminal does."""
        identifier = challenge.id if isinstance(challenge, Challenge) else challenge
        self._run(operations.reply_to_challenge(identifier, answer))

    def serve(self, timeout: float | None = None) -> None:
        """Answers challenges of other processes until the time is up or the connection ends."""
        with self._state:
            channel = self._conversation.open_watch(_NOTHING)
        try:
            self._wait(channel, None if timeout is None else time.monotonic() + timeout)
            if channel.closed is not None:
                raise channel.closed
        finally:
            with self._state:
                self._conversation.close_watch(_NOTHING, channel)

    # The daemon

    def ping(self) -> None:
        """One round trip."""
        self._run(operations.ping())

    def status(self) -> dict[str, Any]:
        """One snapshot of what the daemon is doing."""
        return self._run(operations.status())

    def watch_status(self, interval_seconds: float = 1.0) -> Watch:
        """Snapshots as they change; a context manager to iterate over."""
        watch = Watch(self, "status/didChange", operations.unsubscribe_from_status())
        try:
            self._run(operations.subscribe_to_status(interval_seconds))
        except BaseException:
            watch.close()
            raise
        return watch

    def watch(self, method: str) -> Watch:
        """The parameters of every notification of one method, such as ``credential/didChange``."""
        return Watch(self, method, None)

    def discover(self) -> dict[str, Any]:
        """The daemon's OpenRPC document."""
        return self._run(operations.discover())

    def reload(self) -> None:
        """Makes the daemon read its configuration again."""
        self._run(operations.reload_server())

    def shut_down(self, *, graceful: bool = True) -> None:
        """Stops the daemon, after its tasks or at once."""
        self._run(operations.shut_down_server(graceful))

    def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Any method by name; the result as it came, without descriptors."""
        return self._run(operations.call(method, params))

    # The end

    def close(self) -> None:
        """Hangs up. Calls that wait in other threads fail with ClientClosed."""
        if self._closed is None:
            self._end(ClientClosed("the client is closed"))
        _clients.discard(self)

    def _end(self, reason: ClientClosed) -> None:
        self._closed = reason
        with self._state:
            self._conversation.lose(reason)
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads
        except OSError:
            pass
        if self._reading.acquire(False):  # else the thread that reads closes it when it leaves
            self._reading.release()
            self._socket.close()

    def _forked(self) -> None:
        # Runs in the child, where another thread of the parent may hold any lock for ever.
        self._closed = ForkedClient("this client belongs to the parent process; make a new one after fork")
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "open" if self._closed is None and self._conversation.lost_by is None else "closed"
        return f"<Client {state}>"

    # Calls

    def _run(self, operation: Operation[T]) -> T:
        if self._closed is not None:
            operation.discard()
            raise type(self._closed)(*self._closed.args)
        with self._state:
            call, send = self._conversation.begin(operation)
        try:
            self._write(send, call, False)
            self._wait(call)
        except connecting.ClosedDescriptor:
            with self._state:
                self._conversation.withdraw(call)
            raise InvalidArgument("a descriptor of the request is closed") from None
        except BaseException:
            with self._state:
                effects = self._conversation.abandon(call)
            self._perform(effects, call, False)
            raise
        return call.outcome()

    def _drive(self, plan: Plan[T]) -> T:
        """Runs a plan to its end."""
        try:
            step = next(plan)
            while True:
                try:
                    value: Any = self._next(step) if isinstance(step, Channel) else self._run(step)
                except BaseException as error:
                    step = plan.throw(error)
                else:
                    step = plan.send(value)
        except StopIteration as end:
            result: T = end.value
            return result

    def _next(self, channel: Channel[T], timeout: float | None = None) -> T | None:
        """The next item of a channel; None at its end, TimeoutError when it does not come in time."""
        if not self._wait(channel, None if timeout is None else time.monotonic() + timeout):
            raise TimeoutError
        with self._state:
            taken = self._conversation.take(channel)
        if taken is None:
            return None
        item, effects = taken
        if effects:
            self._perform(effects, channel, False)
        return item

    # Waiting

    def _wait(self, waiter: Waiter, deadline: float | None = None) -> bool:
        """Until the waiter is ready; reads for everybody, or waits for the thread that does."""
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
            while waiter.asks:
                self._ask(waiter.asks.popleft(), waiter)
        while waiter.asks:
            self._ask(waiter.asks.popleft(), waiter)
        return True

    def _follow(self, waiter: Waiter, deadline: float | None) -> bool:
        news = threading.Event()
        with self._state:
            if waiter.ready or waiter.asks:
                return True
            waiter.wake = news.set
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
            with self._state:
                waiter.wake = None
                self._followers.remove(waiter)
            if not intact:
                self._hand_over()  # we may have been chosen to read just before we gave up

    def _hand_over(self) -> None:
        """Wakes one that waits, so that somebody reads."""
        with self._state:
            for waiter in self._followers:
                if not waiter.ready and not waiter.asks:
                    waiter.notify()
                    return

    def _readable(self, deadline: float) -> bool:
        poll = select.poll()
        try:
            poll.register(self._socket, select.POLLIN)
        except ValueError:  # closed meanwhile: reading will say so
            return True
        return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))

    def _read(self, waiter: Waiter) -> None:
        """One read, by the holder of the reading lock."""
        lost: WatchwordError | None = None
        try:
            data, descriptors = connecting.receive(self._socket)
        except BlockingIOError:
            lost = DaemonConnectionLost("the daemon does not answer")
        except OSError as error:
            lost = DaemonConnectionLost(f"the connection to the daemon failed: {error.strerror}")
        except ProtocolError as error:
            lost = error
        with self._state:
            if lost is None and not data:
                lost = self._conversation.protocol.end() or DaemonConnectionLost("the daemon hung up")
            if lost is not None:
                self._conversation.lose(lost)
                return
            effects = self._conversation.receive(data, descriptors)
        if effects:
            self._perform(effects, waiter, True)

    def _perform(self, effects: Sequence[Effect], waiter: Waiter, reading: bool) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._write(effect, waiter, reading)
                continue
            target = effect.owner or waiter
            with self._state:
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
            with self._state:
                effects = self._conversation.refuse(ask, failure)
            self._perform(effects, waiter, False)
            if not isinstance(failure, Exception):  # an interrupt does not wait for the reply
                raise
            return
        with self._state:
            effects = self._conversation.answer(ask, answer)
        self._perform(effects, waiter, False)

    # Writing

    def _write(self, send: Send, waiter: Waiter, reading: bool) -> None:
        data = send.data
        sent = 0
        aside: list[Effect] = []
        try:
            with self._writing:
                try:
                    sent = connecting.send(self._socket, data, send.descriptors, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    pass
                if sent < len(data):
                    self._write_rest(send, sent, reading, aside)
        except OSError as error:
            # What the daemon said before it hung up is still to be read; only then is the connection lost.
            if self._closed is None and error.errno not in (errno.EPIPE, errno.ECONNRESET):
                with self._state:
                    self._conversation.lose(
                        DaemonConnectionLost(f"the connection to the daemon failed: {error.strerror}")
                    )
        finally:
            if send.operation is not None:
                send.operation.discard()
        if aside:
            self._perform(aside, waiter, reading)

    def _write_rest(self, send: Send, sent: int, reading: bool, aside: list[Effect]) -> None:
        """The rest of a message that the socket did not take at once.

        Reads meanwhile where nobody else does: a daemon that waits for us to read would never read us.
        """
        view = memoryview(send.data)
        poll = select.poll()
        try:
            while sent < len(view):
                may_read = reading or self._reading.acquire(False)
                try:
                    poll.register(self._socket, select.POLLOUT | (select.POLLIN if may_read else 0))
                    ready = poll.poll(None if may_read else 50)
                    if may_read and any(event & select.POLLIN for _, event in ready):
                        self._read_aside(aside)
                finally:
                    if may_read and not reading:
                        self._reading.release()
                        self._hand_over()
                try:
                    descriptors = () if sent else send.descriptors
                    sent += connecting.send(self._socket, view[sent:], descriptors, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    pass
                if self._conversation.lost_by is not None:
                    return
        except BaseException:
            if 0 < sent < len(view):  # half a message: nothing can be said on this connection any more
                with self._state:
                    self._conversation.lose(DaemonConnectionLost("interrupted within a message"))
            raise

    def _read_aside(self, aside: list[Effect]) -> None:
        data, descriptors = connecting.receive(self._socket, socket.MSG_DONTWAIT)
        with self._state:
            if not data:
                self._conversation.lose(DaemonConnectionLost("the daemon hung up"))
                return
            aside.extend(self._conversation.receive(data, descriptors))


class Session:
    """A session: one credential cache, its connections and its tasks. Leaving the ``with`` block closes it."""

    def __init__(self, client: Client, opened: tuple[str, bool], delegate: Delegate) -> None:
        self._client = client
        self._core = SessionCore(client._conversation, opened, delegate)

    @property
    def id(self) -> str:
        """The session's id; a named session's is its name."""
        return self._core.id

    @property
    def created(self) -> bool:
        """Whether it was made by this opening, or joined."""
        return self._core.created

    def fetch(self, url: str, **options: Unpack[FetchArguments]) -> Response:
        """Fetches, and waits until the task has finished. See ``FetchArguments``."""
        return self._client._run(self._core.fetch(url, FetchOptions(**options) if options else None))

    def download(
        self,
        url: str,
        destination: str | os.PathLike[str] | BinaryIO,
        *,
        resume: bool = False,
        **options: Unpack[FetchArguments],
    ) -> Response:
        """Fetches into a file, by descriptor. StatusError for 4xx and 5xx where the destination is a path.

        A path appears when the file is complete. With ``resume`` an interrupted download leaves ``PATH.part``,
        and the next one goes on from there if the origin's entity tag is still the same.
        """
        starter = Starter(self._core.fetch, self._open_task, self._close_task)
        return self._client._drive(download(starter, url, destination, resume, options))

    def start(self, url: str, **options: Unpack[FetchArguments]) -> Task:
        """Starts a task and returns at once."""
        channel, operation = self._open_task(url, FetchOptions(**options))
        try:
            self._client._run(operation)
        except BaseException:
            self._close_task(channel)
            raise
        return Task(self._client, channel)

    def stream(self, url: str, **options: Unpack[FetchArguments]) -> Stream:
        """A body in pieces as they arrive: ``with session.stream(url) as stream: for piece in stream: …``"""
        options.setdefault("output", "stream")
        return Stream(self.start(url, **options))

    def _open_task(self, url: str, options: FetchOptions) -> tuple[Channel[Any], Operation[None]]:
        with self._client._state:
            return self._core.start(url, options)

    def _close_task(self, channel: Channel[Any]) -> None:
        with self._client._state:
            self._client._conversation.close_channel(channel)

    def tasks(self) -> list[dict[str, Any]]:
        """The session's tasks."""
        return self._client._run(operations.list_tasks(self.id))

    def challenges(self) -> list[Challenge]:
        """The session's pending challenges."""
        return self._client._run(operations.list_challenges(self.id))

    def explain(self, url: str, method: str | None = None) -> dict[str, Any]:
        """What a fetch of this URL would do; nothing is sent."""
        return self._client._run(operations.explain(self.id, url, method))

    def describe(self) -> dict[str, Any]:
        """Its configuration, holders and numbers."""
        return self._client._run(operations.describe_session(self.id))

    def set_credential(self, space: ProtectionSpace, credential: Credential, *, default: bool | None = None) -> None:
        """Stores a credential before anybody asks for it."""
        self._client._run(operations.set_credential(self.id, space, credential, default))

    def list_credentials(self) -> list[StoredCredential]:
        """The stored credentials, without their secrets."""
        return self._client._run(operations.list_credentials(self.id))

    def remove_credential(self, space: ProtectionSpace, user: str | None = None) -> int:
        """Removes a user's credential, or all of the space; how many there were."""
        return self._client._run(operations.remove_credential(self.id, space, user))

    def set_default_credential(self, space: ProtectionSpace, user: str) -> None:
        """Makes one user the space's default."""
        self._client._run(operations.set_default_credential(self.id, space, user))

    def list_cookies(self, url: str | None = None) -> list[dict[str, Any]]:
        """The session's cookies."""
        return self._client._run(operations.list_cookies(self.id, url))

    def set_cookie(self, cookie: Mapping[str, Any]) -> None:
        """Stores a cookie."""
        self._client._run(operations.set_cookie(self.id, cookie))

    def remove_cookies(self, domain: str | None = None, name: str | None = None) -> int:
        """Removes cookies; how many there were."""
        return self._client._run(operations.remove_cookies(self.id, domain, name))

    def reset(self) -> None:
        """Forgets cookies, credentials and trust."""
        self._client._run(operations.session_verb("reset", self.id))

    def finish(self) -> None:
        """Lets the tasks finish, then ends the session for everybody."""
        self._client._run(operations.session_verb("finish", self.id))

    def invalidate(self) -> None:
        """Cancels the tasks and ends the session for everybody."""
        self._client._run(operations.session_verb("invalidate", self.id))

    def close(self) -> None:
        """Leaves the session; a private one ends with that."""
        with self._client._state:
            self._client._conversation.set_delegate(self.id, None)
        self._client._run(operations.session_verb("close", self.id))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except (SessionNotFound, SessionInvalidated, ClientClosed):
            pass  # ended already
        except WatchwordError:
            if error is None:
                raise

    def __repr__(self) -> str:
        return f"<Session {self.id!r}>"


class Task:
    """A started task. Iterate over it for its events; the last one is ``TaskFinished``."""

    def __init__(self, client: Client, channel: Channel[TaskEvent]) -> None:
        assert channel.task is not None
        self._client = client
        self._channel = channel
        self._finished: TaskFinished | None = None
        self.id: str = channel.task

    def __iter__(self) -> Iterator[TaskEvent]:
        return self

    def __next__(self) -> TaskEvent:
        if self._finished is not None or (event := self._client._next(self._channel)) is None:
            raise StopIteration
        if isinstance(event, TaskFinished):
            self._finished = event
        return event

    def wait(self, timeout: float | None = None) -> Response:
        """The response, or the task's error raised. TimeoutError leaves the task running."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._finished is None:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            event = self._client._next(self._channel, left)
            if isinstance(event, TaskFinished):
                self._finished = event
            elif event is None:
                raise InvalidArgument("the task is not listened to any more")
        return finished_response(self._finished)

    def cancel(self) -> None:
        self._client.cancel_task(self.id)

    def suspend(self) -> None:
        self._client.suspend_task(self.id)

    def resume(self) -> None:
        self._client.resume_task(self.id)

    def describe(self) -> dict[str, Any]:
        return self._client.describe_task(self.id)

    def close(self) -> None:
        """Stops listening; the task goes on."""
        with self._client._state:
            self._client._conversation.close_channel(self._channel)

    def __repr__(self) -> str:
        return f"<Task {self.id}>"


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
        return self.head.status

    def __iter__(self) -> Iterator[bytes]:
        assert self.head is not None
        for event in self.task:
            if isinstance(event, DataReceived):
                yield event.data
        self.task.wait()

    def response(self) -> Response:
        """The finished task's response (its metrics, redirects and size), after the last piece."""
        return self.task.wait()

    def close(self) -> None:
        """Cancels the task unless it has finished."""
        if self.task._finished is None and not self.task._channel.ended:
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


class Watch:
    """Notifications of one method, as they arrive; a context manager to iterate over."""

    def __init__(self, client: Client, method: str, end: Operation[None] | None) -> None:
        self._client = client
        self._method = method
        self._end = end
        with client._state:
            self._channel: Channel[Any] = client._conversation.open_watch(method)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        value = self._client._next(self._channel)
        if value is None:
            raise StopIteration
        return value

    def next(self, timeout: float | None = None) -> Any:
        """The next one, or TimeoutError."""
        return self._client._next(self._channel, timeout)

    def close(self) -> None:
        """Stops watching; the last watcher of the status ends the subscription."""
        if self._channel.ended:
            return
        with self._client._state:
            last = self._client._conversation.close_watch(self._method, self._channel)
        if last and self._end is not None:
            try:
                self._client._run(self._end)
            except (ClientClosed, DaemonConnectionLost):
                pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_clients: weakref.WeakSet[Client] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for client in list(_clients):
        client._forked()
    _clients.clear()


os.register_at_fork(after_in_child=_after_fork_in_child)
