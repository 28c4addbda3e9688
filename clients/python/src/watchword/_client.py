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
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from . import _connecting as connecting
from . import _operations as operations
from . import _requests as requests
from ._challenges import Answer, Challenge, ChallengeHandler
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
from ._redirects import RedirectHandler
from ._requests import FetchArguments, FetchOptions
from ._response import Response
from ._session import Session, Watch

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["Client"]

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
        trust_verdicts: Literal["all", "refused"] | None = None,
    ) -> Session:
        """Opens or joins a session; without a name, one of this connection's own.

        ``on_challenge`` answers for this connection's tasks, for the authentication methods in ``methods``;
        ``on_session_challenge`` for every task of the session, for those in ``session_methods``.
        ``on_redirect`` asks for the redirect policy ``ask`` where the configuration names none.
        ``trust_verdicts`` says whose certificates are asked about: those that default evaluation refuses, or all, at a
        second connection for each origin. All is what a ``pin_handler`` and methods that name ``serverTrust`` mean;
        refused is what ``*`` means.
        """
        delegate = Delegate(on_challenge, methods, on_session_challenge, session_methods, on_redirect, trust_verdicts)
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
        """Ends a task with TaskCancelled; TaskNotFound when it is over already."""
        self._run(operations.task_verb("cancel", task))

    def suspend_task(self, task: str) -> None:
        """Stops reading the response until ``resume_task``; the origin waits."""
        self._run(operations.task_verb("suspend", task))

    def resume_task(self, task: str) -> None:
        """Goes on with a suspended task."""
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

    def list_tokens(self) -> list[TokenCertificate]:
        """The client certificates that tokens of the daemon's PKCS#11 modules show, with the URIs of their keys."""
        return self._run(operations.list_tokens())

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
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            if not self._wait(channel, deadline):
                raise TimeoutError
            with self._state:
                if channel.ready:  # else another thread has taken what came
                    taken = self._conversation.take(channel)
                    break
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
            self._answer(waiter)
        self._answer(waiter)
        return True

    def _answer(self, waiter: Waiter) -> None:
        """Runs the handlers that wait for the waiter's caller, or for one of its callers."""
        while waiter.asks:
            with self._state:
                if not waiter.asks:
                    return
                ask = waiter.asks.popleft()
            self._ask(ask, waiter)

    def _follow(self, waiter: Waiter, deadline: float | None) -> bool:
        news = threading.Event()
        wake = news.set
        with self._state:
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
            with self._state:
                waiter.remove(wake)
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
            try:
                effects = self._conversation.receive(data, descriptors)
            except BaseException:  # an interrupt between two messages: whose reply was lost, nobody can say
                self._conversation.lose(DaemonConnectionLost("interrupted while reading"))
                raise
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
                    sent = connecting.send(self._socket, data, send.descriptors, connecting.NO_WAIT)
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
                    sent += connecting.send(self._socket, view[sent:], descriptors, connecting.NO_WAIT)
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
        data, descriptors = connecting.receive(self._socket, connecting.NO_WAIT)
        with self._state:
            if not data:
                self._conversation.lose(DaemonConnectionLost("the daemon hung up"))
                return
            aside.extend(self._conversation.receive(data, descriptors))


_clients: weakref.WeakSet[Client] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for client in list(_clients):
        client._forked()
    _clients.clear()


os.register_at_fork(after_in_child=_after_fork_in_child)
