"""One connection's calls, tasks and delegates, without I/O: the half of a client that both APIs share.

A connection writes what ``Send`` says, runs what ``Ask`` says, hands in the bytes that arrive, and waits for its
waiter. Everything else is decided here. Not thread-safe: a connection that is used from several threads holds its
lock around every method.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Callable, TypeVar

from . import _operations as operations
from ._challenges import (
    Answer,
    Challenge,
    Disposition,
    cancel,
    perform_default_handling,
    read_challenge,
)
from ._credentials import Credential, Trust
from ._delegate import Delegate
from ._errors import ProtocolError, RPCError, WatchwordError, again
from ._generated.errors import ChallengeNotPending, RedirectNotPending
from ._message_limits import MessageLimits
from ._operation import Operation
from ._protocol import Broken, Notification, Protocol, Reply, close_descriptors
from ._redirects import RedirectAnswer, RedirectProposal, read_redirect_proposal, stop
from ._tasks import DataReceived, TaskFinished, read_task_event
from ._waiting import Ask, Call, Channel, Effect, Send, Waiter

__all__ = ["Conversation"]

T = TypeVar("T")

logger = logging.getLogger("watchword")

#: A consumer that is this far behind pauses its task; it resumes when half of that is taken.
HIGHEST_BACKLOG_BYTES = 4 << 20


class Conversation:
    """The state of one connection."""

    def __init__(self) -> None:
        self.protocol = Protocol()
        self.lost_by: WatchwordError | None = None
        self._calls: dict[int, Call[Any]] = {}
        self._tasks: dict[str, Waiter] = {}
        self._delegates: dict[str, Delegate] = {}
        self._watches: dict[str, list[Channel[Any]]] = {}
        self._task_prefix = f"py-{secrets.token_hex(6)}-"
        self._last_task = 0

    def heed(self, limits: Mapping[str, float]) -> None:
        """Takes the limits of the daemon's greeting."""
        self.protocol.limits = MessageLimits(limits)

    # Requests

    def begin(
        self, operation: Operation[T], then: Callable[[Call[Any]], list[Effect]] | None = None
    ) -> tuple[Call[T], Send]:
        """A new call and the bytes that make it."""
        if self.lost_by is not None:
            operation.discard()
            raise again(self.lost_by)
        count = len(operation.descriptors)
        try:
            if operation.text is not None:
                id, data = self.protocol.encoded_request(operation.method, operation.text, count)
            else:
                id, data = self.protocol.request(operation.method, operation.params, count)
        except BaseException:
            operation.discard()
            raise
        call = Call(operation, then)
        call.id = id
        self._calls[id] = call
        if operation.task is not None and operation.method == "fetch":
            self._tasks[operation.task] = call
        return call, Send(data, operation.descriptors, operation if operation.owned else None)

    def abandon(self, call: Call[Any]) -> list[Effect]:
        """Gives a call up: it is cancelled, and what its reply hands out is given back."""
        self._forget_task(call)
        if call.done:
            return self._undo(call)
        call.abandoned = True
        return [Send(self.protocol.notification("$/cancelRequest", {"id": call.id}))] if not self.lost_by else []

    def withdraw(self, call: Call[Any]) -> None:
        """Forgets a call whose request never left."""
        self._calls.pop(call.id, None)
        self._forget_task(call)

    def next_task(self) -> str:
        """A task id of our own choice, so that notifications that come before the reply find their way."""
        self._last_task += 1
        # A process that was forked has the same prefix and number.
        return f"{self._task_prefix}{os.getpid()}-{self._last_task}"

    # Delegates, tasks and watches

    def set_delegate(self, session: str, delegate: Delegate | None) -> None:
        """Says who answers for a session."""
        if delegate is None:
            self._delegates.pop(session, None)
        else:
            self._delegates[session] = delegate

    def open_channel(self, task: str) -> Channel[Any]:
        """Where the events of a task arrive; opened before the task is started."""
        channel: Channel[Any] = Channel(task)
        self._tasks[task] = channel
        return channel

    def close_channel(self, channel: Channel[Any]) -> None:
        """Stops listening to a task."""
        channel.ended = True
        if channel.task is not None and self._tasks.get(channel.task) is channel:
            del self._tasks[channel.task]
        channel.notify()

    def open_watch(self, method: str) -> Channel[Any]:
        """Where the notifications of one method arrive."""
        channel: Channel[Any] = Channel()
        self._watches.setdefault(method, []).append(channel)
        return channel

    def close_watch(self, method: str, channel: Channel[Any]) -> bool:
        """Stops watching; True when the method has no watcher any more."""
        watches = self._watches.get(method, [])
        if channel in watches:
            watches.remove(channel)
        channel.ended = True
        channel.notify()
        return not watches

    def take(self, channel: Channel[T]) -> tuple[T, list[Effect]] | None:
        """The next item, or None at the end. The error that closed the channel is raised after the last item."""
        if not channel.items:
            if channel.failure is not None:
                raise channel.failure
            if channel.closed is not None and not channel.ended:
                raise again(channel.closed)
            return None
        item = channel.items.popleft()
        effects: list[Effect] = []
        if isinstance(item, DataReceived):
            channel.backlog -= len(item.data)
            if channel.paused and channel.backlog * 2 <= HIGHEST_BACKLOG_BYTES and channel.task is not None:
                channel.paused = False
                if self.lost_by is None:
                    effects.append(self._aside(operations.task_verb("resume", channel.task)))
        if isinstance(item, TaskFinished):
            if channel.failure is not None:
                raise channel.failure
            channel.finished = item
        return item, effects

    # Arriving bytes

    def receive(self, data: bytes, descriptors: Sequence[int] = ()) -> list[Effect]:
        """What follows from bytes that arrived."""
        effects: list[Effect] = []
        for event in self.protocol.receive(data, descriptors):
            if self.lost_by is not None:
                if not isinstance(event, Broken):
                    close_descriptors(event.descriptors)
            elif isinstance(event, Reply):
                self._reply(event, effects)
            elif isinstance(event, Notification):
                try:
                    self._notification(event, effects)
                except ProtocolError as error:
                    self.lose(error)
                finally:
                    close_descriptors(event.descriptors)  # those that a finished task did not take
            else:
                assert isinstance(event, Broken)
                self.lose(event.error)
        return effects

    def lose(self, error: WatchwordError) -> None:
        """The connection is gone or unusable: each waiting call fails, and later calls fail the same way."""
        if self.lost_by is not None:
            return
        self.lost_by = error
        self.protocol.close()
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.error = error
            call.done = True
            call.notify()
        tasks, self._tasks = self._tasks, {}
        channels = [waiter for waiter in tasks.values() if isinstance(waiter, Channel)]
        for channel in [*channels, *(c for row in self._watches.values() for c in row)]:
            channel.closed = error
            channel.notify()

    def _reply(self, reply: Reply, effects: list[Effect]) -> None:
        if reply.id is None:  # an error about the stream itself; the daemon closes after it
            close_descriptors(reply.descriptors)
            self.lose(reply.error or ProtocolError("the daemon sent a reply without an id"))
            return
        call = self._calls.pop(reply.id, None)
        if call is None:
            close_descriptors(reply.descriptors)
            self.lose(ProtocolError("the daemon answered a request that was not made"))
            return
        if reply.error is not None:
            close_descriptors(reply.descriptors)
            call.error = reply.error
        else:
            call.result = reply.result
            call.descriptors = reply.descriptors
        call.done = True
        if call.abandoned:
            effects.extend(self._undo(call))
            return
        if call._operation.task is not None:
            self._forget_task(call)
        for wake in call.wakes:
            wake()
        if call._then is not None:
            effects.extend(call._then(call))

    def _undo(self, call: Call[Any]) -> list[Effect]:
        """What gives back what the reply of an abandoned call hands out."""
        undo, call._operation.undo = call._operation.undo, None
        if call.error is not None or undo is None or self.lost_by is not None:
            close_descriptors(call.descriptors)
            call.descriptors = ()
            return []
        try:
            operation = undo(call.outcome())
        except WatchwordError:
            return []  # the result cannot be read
        return [] if operation is None else [self._aside(operation)]

    def _forget_task(self, call: Call[Any]) -> None:
        task = call._operation.task
        if task is not None and self._tasks.get(task) is call:
            del self._tasks[task]

    def _notification(self, event: Notification, effects: list[Effect]) -> None:
        method, params = event.method, event.params
        for channel in self._watches.get(method, ()):
            channel.items.append(params)
            channel.notify()
        if method in ("task/didReceiveChallenge", "session/didReceiveChallenge"):
            effects.append(self._challenge(method, read_challenge(params)))
        elif method == "task/willRedirect":
            effects.append(self._redirect(read_redirect_proposal(params)))
        elif method == "session/didInvalidate":
            self._delegates.pop(str(params.get("session") if isinstance(params, dict) else ""), None)
        elif isinstance(params, dict):
            listener = self._tasks.get(str(params.get("task")))
            if isinstance(listener, Channel):
                self._task_event(listener, event, effects)

    def _task_event(self, channel: Channel[Any], event: Notification, effects: list[Effect]) -> None:
        descriptors: Sequence[int] = ()
        if event.method == "task/didFinish":
            descriptors, event.descriptors = event.descriptors, ()
        item = read_task_event(event.method, event.params, descriptors)
        if item is None or channel.task is None:
            return
        channel.items.append(item)
        if isinstance(item, DataReceived):
            channel.backlog += len(item.data)
            if channel.backlog > HIGHEST_BACKLOG_BYTES and not channel.paused:
                channel.paused = True
                effects.append(self._aside(operations.task_verb("suspend", channel.task)))
        elif isinstance(item, TaskFinished):
            channel.ended = True
            del self._tasks[channel.task]
        channel.notify()

    # Questions

    def _challenge(self, method: str, challenge: Challenge) -> Effect:
        delegate = self._delegates.get(challenge.session)
        owner = self._owner(challenge)
        handler = None
        if delegate is not None:
            first, second = delegate.on_challenge, delegate.on_session_challenge
            if method == "session/didReceiveChallenge" or (owner is None and challenge.task is not None):
                first, second = second, first
            handler = first or second
        if handler is None:  # no handler takes it after all: it must not wait for its deadline
            return self._reply_to_challenge(challenge, perform_default_handling(), owner)
        return Ask(handler, challenge, owner)

    def _owner(self, challenge: Challenge) -> Waiter | None:
        for task in (challenge.task, *(waiter.task for waiter in challenge.waiters)):
            if task is not None and (owner := self._tasks.get(task)) is not None:
                return owner
        return None

    def _redirect(self, proposal: RedirectProposal) -> Effect:
        delegate = self._delegates.get(proposal.session)
        if delegate is None or delegate.on_redirect is None:
            return self._reply_to_redirect(proposal, RedirectAnswer({}))
        return Ask(delegate.on_redirect, proposal, self._tasks.get(proposal.task))

    def answer(self, ask: Ask, answer: Any) -> list[Effect]:
        """What follows from a handler's return."""
        if self.lost_by is not None:
            return []
        try:
            if isinstance(ask.question, Challenge):
                if answer is None and ask.question.device_code is not None:
                    return []  # the person answers it
                if not isinstance(answer, Answer):
                    raise TypeError(f"a challenge handler returns an Answer, not {type(answer).__name__}")
                if ask.question.server_trust is not None and answer.disposition is Disposition.USE_CREDENTIAL:
                    # A handler that knows of passwords only says nothing about certificates.
                    answer = answer if isinstance(answer.credential, Trust) else perform_default_handling()
                if ask.question.authentication_method == "clientCertificate" and isinstance(
                    answer.credential, Credential
                ):
                    answer = perform_default_handling()
                return [self._reply_to_challenge(ask.question, answer, ask.owner)]
            if not isinstance(answer, RedirectAnswer):
                raise TypeError(f"a redirect handler returns a RedirectAnswer, not {type(answer).__name__}")
            return [self._reply_to_redirect(ask.question, answer)]
        except (TypeError, OSError, WatchwordError) as error:  # OSError: a file of the answer cannot be opened
            return self.refuse(ask, error)

    def refuse(self, ask: Ask, failure: BaseException) -> list[Effect]:
        """What follows from a handler's exception: the question is cancelled, the owner's caller gets it."""
        self._fail(ask.owner, failure)
        if self.lost_by is not None:
            return []
        if isinstance(ask.question, Challenge):
            return [self._reply_to_challenge(ask.question, cancel(), None)]
        return [self._reply_to_redirect(ask.question, stop())]

    def _fail(self, owner: Waiter | None, failure: BaseException) -> None:
        if owner is None:
            logger.error("a handler for another process's task failed", exc_info=failure)
        elif owner.failure is None:
            owner.failure = failure

    def _reply_to_challenge(self, challenge: Challenge, answer: Answer, owner: Waiter | None) -> Effect:
        def then(call: Call[Any]) -> list[Effect]:
            if not isinstance(call.error, RPCError) or isinstance(call.error, ChallengeNotPending):
                return []  # settled in another way meanwhile: no fault of the handler's
            self._fail(owner, call.error)
            return [self._reply_to_challenge(challenge, cancel(), None)] if answer != cancel() else []

        return self._aside(operations.reply_to_challenge(challenge.id, answer), then)

    def _reply_to_redirect(self, proposal: RedirectProposal, answer: RedirectAnswer) -> Effect:
        owner = self._tasks.get(proposal.task)

        def then(call: Call[Any]) -> list[Effect]:
            if not isinstance(call.error, RPCError) or isinstance(call.error, RedirectNotPending):
                return []
            self._fail(owner, call.error)
            return [self._aside(operations.reply_to_redirect(proposal.task, None))] if answer.request else []

        return self._aside(operations.reply_to_redirect(proposal.task, answer.request), then)

    def _aside(self, operation: Operation[Any], then: Callable[[Call[Any]], list[Effect]] | None = None) -> Send:
        """A request whose reply is ignored."""
        return self.begin(operation, then)[1]
