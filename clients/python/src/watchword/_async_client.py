"""The asyncio API."""

from __future__ import annotations

import asyncio
import functools
import os
import socket
from collections.abc import Coroutine, Mapping, Sequence
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Callable, Literal, Optional, Union, overload

from . import _connecting as connecting
from . import _credential_operations as credential_operations
from . import _operations as operations
from . import _requests as requests
from ._arguments import FetchArguments, options_of
from ._async_connection import AsyncConnection
from ._async_link import AsyncLine, AsyncLink
from ._async_session import AsyncSession
from ._challenges import Answer, Challenge
from ._credential_operations import ImportResult
from ._delegate import Delegate
from ._errors import ClientClosed, DaemonConnectionLost, DaemonUnavailable
from ._identities import TokenCertificate
from ._opening import implicit, prepare
from ._operations import DaemonInfo
from ._redirects import RedirectAnswer, RedirectProposal
from ._response import Response
from ._restrictions import FetchRule
from ._verbs import Verbs
from ._watches import AsyncWatch

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from typing_extensions import Self, Unpack

    from . import results
    from .configuration import SessionConfiguration

    AnyChallengeHandler = Callable[[Challenge], Union[Answer, Awaitable[Optional[Answer]], None]]
    AnyRedirectHandler = Callable[[RedirectProposal], Union[RedirectAnswer, Awaitable[RedirectAnswer]]]

__all__ = ["AsyncClient"]

#: How long a process that took the connection may take to say hello.
HELLO_SECONDS = 10


class AsyncClient(Verbs[Coroutine[Any, Any, Response]]):
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
        self._dial = functools.partial(
            connecting.connect,
            socket_path,
            start=start,
            daemon=daemon,
            daemon_arguments=daemon_arguments,
            trusted_uids=trusted_uids,
        )
        self._may_start = connecting.may_start(start)
        self._name = name
        self._line = AsyncLine(self._connect)
        self._connection = AsyncLink(self._line)

    async def connect(self) -> Self:
        """Connects; the ``async with`` block does so by itself."""
        if self._connection.current.is_used:
            raise ClientClosed("a client connects once")
        await self._line.connect()
        return self

    async def _connect(self) -> AsyncConnection:
        """Connects and says hello; once more if no word came: a daemon that was idle may have ended meanwhile."""
        try:
            return await self._greeted()
        except (DaemonConnectionLost, asyncio.TimeoutError) as error:
            failure: Exception = error
        if self._may_start and isinstance(failure, DaemonConnectionLost):
            try:
                return await self._greeted()
            except (DaemonConnectionLost, asyncio.TimeoutError) as error:
                failure = error
        raise DaemonUnavailable("the daemon did not say hello") from failure

    async def _greeted(self) -> AsyncConnection:
        connection = AsyncConnection()
        try:
            connection.begin(await asyncio.get_running_loop().run_in_executor(None, self._dial))
            self.daemon = await asyncio.wait_for(connection.run(operations.initialize(self._name)), HELLO_SECONDS)
            connection.conversation.heed(self.daemon.limits)
        except BaseException:
            await connection.close()
            raise
        return connection

    # Sessions

    async def session(
        self,
        name: str | None = None,
        configuration: SessionConfiguration | None = None,
        *,
        on_challenge: AnyChallengeHandler | None = None,
        methods: Sequence[str] = ("*",),
        on_session_challenge: AnyChallengeHandler | None = None,
        session_methods: Sequence[str] = ("*",),
        on_redirect: AnyRedirectHandler | None = None,
        trust_verdicts: Literal["all", "refused"] | None = None,
        by_settings: bool = False,
        variant: str | None = None,
        trust_env: bool = True,
    ) -> AsyncSession:
        """Opens or joins a session; see ``Client.session``."""
        delegate = Delegate(on_challenge, methods, on_session_challenge, session_methods, on_redirect, trust_verdicts)
        opening = prepare(name, configuration, delegate, by_settings, variant, trust_env)
        return AsyncSession(*await self._connection.open(opening))

    def default_session(self) -> AsyncSession:
        """The session ``default`` of this uid, without answering any challenge."""
        return AsyncSession(*self._connection.join(implicit(), ("default", False)))

    async def fetch(self, url: str, **options: Unpack[FetchArguments]) -> Response:
        """Fetches in the session ``default``."""
        if not options:
            return await self._connection.run(requests.fetch(None, url, None, None))
        return await self._request("fetch", url, options)

    async def _request(
        self, function: str, url: str, arguments: FetchArguments, method: str | None = None
    ) -> Response:
        prepared = options_of(f"AsyncClient.{function}", arguments, method)
        return await self._connection.repeat(lambda: requests.fetch(None, url, None, prepared), prepared.retry)

    async def sessions(self) -> list[results.SessionSummary]:
        """The sessions of this uid."""
        return await self._connection.run(operations.list_sessions())

    # Tasks and challenges

    async def tasks(self, session: str | None = None) -> list[results.TaskSummary]:
        """The tasks of a session (``default`` when none is named)."""
        return await self._connection.run(operations.list_tasks(session))

    async def describe_task(self, task: str) -> results.TaskDescription:
        """A task; with the result or error of a detached one that has finished."""
        return await self._connection.run(operations.describe_task(task))

    async def cancel_task(self, task: str) -> None:
        """Ends a task with TaskCancelled; TaskNotFound when it is over already."""
        await self._connection.run(operations.task_verb("cancel", task))

    async def suspend_task(self, task: str) -> None:
        """Stops reading the response until ``resume_task``; the origin waits."""
        await self._connection.run(operations.task_verb("suspend", task))

    async def resume_task(self, task: str) -> None:
        """Goes on with a suspended task."""
        await self._connection.run(operations.task_verb("resume", task))

    async def challenges(self, session: str | None = None) -> list[Challenge]:
        """The pending challenges that this connection may see."""
        return await self._connection.run(operations.list_challenges(session))

    async def challenge(self, challenge: str) -> Challenge:
        """One pending challenge."""
        return await self._connection.run(operations.describe_challenge(challenge))

    async def reply(self, challenge: Challenge | str, answer: Answer) -> None:
        """Answers a challenge outside its handler."""
        identifier = challenge.id if isinstance(challenge, Challenge) else challenge
        await self._connection.run(operations.reply_to_challenge(identifier, answer))

    # Restrictions

    async def restrict(
        self, rules: Sequence[FetchRule], *, session: str | None = None, expires_seconds: float | None = None
    ) -> str:
        """Leaves this connection nothing but to fetch by the rules, for good; the id of the restriction.

        For a connection that a command of less trust gets. Raises Restricted for whatever else it asks for.
        """
        return await self._connection.run(operations.restrict(rules, session, expires_seconds))

    async def listen(
        self,
        listener: socket.socket,
        rules: Sequence[FetchRule],
        *,
        session: str | None = None,
        expires_seconds: float | None = None,
    ) -> str:
        """Serves restricted connections on a Unix stream socket that listens, until this client is closed.

        A command that gets the path as ``WATCHWORD_SOCKET`` can fetch by the rules and do nothing else. Set
        ``WATCHWORD_NO_START`` to 1 for it, too: it may outlive the rules, and start no daemon without them. Close
        your own copy of the socket, so that the daemon alone accepts connections. A call that is given up shuts the
        socket down.
        """
        return await self._connection.run(operations.listen(listener.fileno(), rules, session, expires_seconds))

    # The daemon

    async def ping(self) -> None:
        """One round trip."""
        await self._connection.run(operations.ping())

    async def status(self) -> results.StatusSnapshot:
        """One snapshot of what the daemon is doing."""
        return await self._connection.run(operations.status())

    async def list_tokens(self) -> list[TokenCertificate]:
        """The client certificates that tokens of the daemon's PKCS#11 modules show, with the URIs of their keys."""
        return await self._connection.run(operations.list_tokens())

    async def add_roots(self, certificates: str) -> results.RootAddition:
        """Adds certificate authorities (PEM) to those that every session of the user trusts beside the system's.

        All of them or none: a certificate that is no authority's is InvalidParams.
        """
        return await self._connection.run(operations.add_roots(certificates))

    async def list_roots(self) -> list[results.Root]:
        """The certificate authorities of the user."""
        return await self._connection.run(operations.list_roots())

    async def remove_roots(self, root: results.Root | str | None = None) -> int:
        """Removes one of them, or its SHA-256, or all of them; how many were removed."""
        return await self._connection.run(operations.remove_roots(root))

    async def credential_history(
        self, *, limit: int | None = None, user: str | None = None, origin: str | None = None
    ) -> list[results.HistoryEntry]:
        """What became of this uid's credentials and challenges, newest first; never a secret."""
        return await self._connection.run(operations.history(limit, user, origin))

    async def watch_status(self, interval_seconds: float = 1.0) -> AsyncWatch[results.StatusSnapshot]:
        """Snapshots as they change; an async context manager to iterate over."""
        watch: AsyncWatch[results.StatusSnapshot] = AsyncWatch(
            await self._connection.ready(), "status/didChange", operations.unsubscribe_from_status()
        )
        try:
            await self._connection.run(operations.subscribe_to_status(interval_seconds))
        except BaseException:
            await watch.close()
            raise
        return watch

    @overload
    def watch(
        self, method: Literal["session/didReceiveChallenge", "task/didReceiveChallenge"]
    ) -> AsyncWatch[results.Challenge]: ...
    @overload
    def watch(self, method: Literal["challenge/didSettle"]) -> AsyncWatch[results.ChallengeDidSettle]: ...
    @overload
    def watch(self, method: Literal["task/willRedirect"]) -> AsyncWatch[results.TaskWillRedirect]: ...
    @overload
    def watch(self, method: Literal["task/didRedirect"]) -> AsyncWatch[results.TaskDidRedirect]: ...
    @overload
    def watch(self, method: Literal["task/didReceiveHead"]) -> AsyncWatch[results.TaskDidReceiveHead]: ...
    @overload
    def watch(self, method: Literal["task/didReceiveResponse"]) -> AsyncWatch[results.TaskDidReceiveResponse]: ...
    @overload
    def watch(self, method: Literal["task/didReceiveData"]) -> AsyncWatch[results.TaskDidReceiveData]: ...
    @overload
    def watch(self, method: Literal["task/didSendBodyData"]) -> AsyncWatch[results.TaskDidSendBodyData]: ...
    @overload
    def watch(self, method: Literal["task/didFinish"]) -> AsyncWatch[results.TaskDidFinish]: ...
    @overload
    def watch(self, method: Literal["credential/didChange"]) -> AsyncWatch[results.CredentialDidChange]: ...
    @overload
    def watch(self, method: Literal["session/didInvalidate"]) -> AsyncWatch[results.SessionDidInvalidate]: ...
    @overload
    def watch(self, method: Literal["status/didChange"]) -> AsyncWatch[results.StatusDidChange]: ...
    @overload
    def watch(self, method: str) -> AsyncWatch[Any]: ...
    def watch(self, method: str) -> AsyncWatch[Any]:
        """The parameters of every notification of one method."""
        return AsyncWatch(self._connection.current, method, None)

    async def discover(self) -> results.OpenRPCDocument:
        """The daemon's OpenRPC document."""
        return await self._connection.run(operations.discover())

    async def make_vault(self, *, passphrase: str | None = None) -> None:
        """Makes the vault for permanent credentials; without a passphrase it opens with a key file."""
        await self._connection.run(credential_operations.make_vault(passphrase))

    async def set_vault_passphrase(self, passphrase: str, *, keep_others: bool = False) -> None:
        """The vault opens with this passphrase from now on; a key file and the like only with ``keep_others``."""
        await self._connection.run(credential_operations.set_vault_passphrase(passphrase, keep_others))

    async def rekey_vault(self, opener: str | None = None) -> None:
        """Seals every record of the vault under a new key.

        ``opener`` is what opens it without a person from now on: ``keyFile`` or ``secretService``.
        """
        await self._connection.run(credential_operations.rekey_vault(opener))

    async def check_vault(self) -> results.VaultReport:
        """Reads the whole vault, and counts what it holds and what does not open."""
        return await self._connection.run(credential_operations.check_vault())

    async def export_credentials(self, file: IO[bytes], *, passphrase: str) -> int:
        """Writes the permanent credentials to a file or pipe, sealed under a passphrase of its own; how many it has."""
        return await self._connection.run(credential_operations.export_credentials(file.fileno(), passphrase))

    async def import_credentials(self, file: IO[bytes], *, passphrase: str) -> ImportResult:
        """Merges an export into the vault, all of it or nothing; of one user of a space the newer credential stays.

        A file is read from its beginning. Raises CredentialUnusable for a wrong passphrase, DescriptorUnusable with its
        ``reason`` for a file that is no export, was cut or altered, or is of a later version.
        """
        return await self._connection.run(credential_operations.import_credentials(file.fileno(), passphrase))

    async def lock(self, passphrase: str) -> None:
        """Locks the agent of the user with this passphrase, and clears its memory; AgentLocked if it is locked."""
        await self._connection.run(credential_operations.lock(passphrase))

    async def unlock(self, passphrase: str) -> None:
        """Unlocks the agent, or else opens a vault that has a passphrase; CredentialUnusable if it is wrong."""
        await self._connection.run(credential_operations.unlock(passphrase))

    async def forget(self) -> None:
        """Clears the daemon's memory of the user's secrets; the vault stays."""
        await self._connection.run(credential_operations.forget())

    async def prune_sessions(self, older_than: float | None = None) -> list[str]:
        """Ends the named sessions that nobody has used for so many seconds, and returns their names."""
        return await self._connection.run(operations.prune_sessions(older_than))

    async def configuration(self) -> results.ServerConfiguration:
        """The daemon's settings in use, and the file that they are from."""
        return await self._connection.run(operations.server_configuration())

    async def reload(self) -> None:
        """Makes the daemon read its configuration again."""
        await self._connection.run(operations.reload_server())

    async def restart(self) -> None:
        """Starts the daemon's program again, after an upgrade the new one, which keeps the sessions with a name.

        Fetches that run finish first, for at most ten seconds. The next call goes to the new daemon. RestartFailed says
        why it does not start; then nothing has changed.
        """
        await self._connection.run(operations.restart_server())

    async def shut_down(self, *, graceful: bool = True) -> None:
        """Stops the daemon, after its tasks or at once."""
        await self._connection.run(operations.shut_down_server(graceful))

    async def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Any method by name; the result as it came, without descriptors."""
        return await self._connection.run(operations.call(method, params))

    # The end

    async def close(self) -> None:
        """Hangs up. Calls that wait fail with ClientClosed."""
        await self._connection.current.close()

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        connection = getattr(self, "_connection", None)  # missing when the constructor failed
        return f"<AsyncClient {'open' if connection is not None and connection.is_open else 'closed'}>"
