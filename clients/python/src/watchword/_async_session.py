"""The sessions of the asyncio API."""

from __future__ import annotations

import os
from collections.abc import Coroutine, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Optional, Union

from . import _credential_operations as credential_operations
from . import _operations as operations
from ._arguments import FetchArguments, FetchOptions, check_single, options_of
from ._async_link import AsyncLink
from ._async_started import AsyncStream, AsyncTask
from ._challenges import Answer, Challenge
from ._credential_operations import ANY_PATH, AnyPath, ReadCredential, StoredCredential
from ._credentials import Limits, Persistence, StorableCredential
from ._download import Starter, download
from ._errors import ClientClosed, DaemonConnectionLost, WatchwordError
from ._generated.errors import SessionInvalidated, SessionNotFound
from ._identities import Identity, StoredIdentity
from ._opening import Opening, SessionCore
from ._redirects import RedirectAnswer, RedirectProposal
from ._response import HeaderTypes, Response
from ._spaces import ProtectionSpace
from ._trust import TrustDecision
from ._verbs import Verbs

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from typing_extensions import Self, Unpack

    from . import results
    from .configuration import SessionConfiguration

    AnyChallengeHandler = Callable[[Challenge], Union[Answer, Awaitable[Optional[Answer]], None]]
    AnyRedirectHandler = Callable[[RedirectProposal], Union[RedirectAnswer, Awaitable[RedirectAnswer]]]

__all__ = ["AsyncSession"]


class AsyncSession(Verbs[Coroutine[Any, Any, Response]]):
    """A session: one credential cache, its connections and its tasks. Leaving the ``async with`` block closes it."""

    def __init__(self, link: AsyncLink, core: SessionCore) -> None:
        self._connection = link
        self._core = core

    @property
    def id(self) -> str:
        """The session's id; a named session's is its name."""
        return self._core.id

    @property
    def created(self) -> bool:
        """Whether it was made by this opening, or joined."""
        return self._core.created

    async def fetch(self, url: str, **options: Unpack[FetchArguments]) -> Response:
        """Fetches; cancelling the wait cancels the task. See ``Session.fetch`` and ``FetchArguments``."""
        if not options:
            return await self._connection.run(self._core.fetch(url, None))
        return await self._request("fetch", url, options)

    async def _request(
        self, function: str, url: str, arguments: FetchArguments, method: str | None = None
    ) -> Response:
        prepared = options_of(f"AsyncSession.{function}", arguments, method)
        return await self._connection.repeat(lambda: self._core.fetch(url, prepared), prepared.retry)

    async def download(
        self,
        url: str,
        destination: str | os.PathLike[str] | BinaryIO,
        *,
        resume: bool = False,
        **options: Unpack[FetchArguments],
    ) -> Response:
        """Fetches into a file, by descriptor; see ``Session.download``."""
        check_single("AsyncSession.download", options)
        connection = await self._connection.ready()
        starter = Starter(self._core.fetch, self._core.start, connection.conversation.close_channel)
        return await connection.drive(download(starter, url, destination, resume, options))

    async def start(self, url: str, **options: Unpack[FetchArguments]) -> AsyncTask:
        """Starts a task and returns at once."""
        return await self._start("start", url, options)

    async def _start(self, function: str, url: str, arguments: FetchArguments) -> AsyncTask:
        check_single(f"AsyncSession.{function}", arguments)
        options = FetchOptions(arguments)
        connection = await self._connection.ready()
        channel, operation = self._core.start(url, options)
        try:
            await connection.run(operation)
        except BaseException:
            connection.conversation.close_channel(channel)
            raise
        return AsyncTask(connection, channel)

    async def stream(self, url: str, **options: Unpack[FetchArguments]) -> AsyncStream:
        """A body in pieces: ``async with await session.stream(url) as stream: async for piece in stream: …``"""
        options.setdefault("output", "stream")
        return AsyncStream(await self._start("stream", url, options))

    async def _open_beside(self, opening: Opening) -> AsyncSession:
        """Another session of the same client."""
        return AsyncSession(*await self._connection.open(opening))

    async def tasks(self) -> list[results.TaskSummary]:
        """The session's tasks."""
        return await self._connection.run(operations.list_tasks(self.id))

    async def challenges(self) -> list[Challenge]:
        """The session's pending challenges."""
        return await self._connection.run(operations.list_challenges(self.id))

    async def explain(
        self,
        url: str,
        method: str | None = None,
        *,
        proxies: str | Mapping[str, Any] | None = None,
        headers: HeaderTypes | None = None,
    ) -> results.Explanation:
        """What a fetch of this URL, with these ``proxies`` and ``headers``, would do; nothing is sent."""
        return await self._connection.run(operations.explain(self.id, url, method, proxies, headers))

    async def describe(self) -> results.SessionDescription:
        """Its configuration, holders and numbers."""
        return await self._connection.run(operations.describe_session(self.id))

    async def set_credential(
        self,
        space: ProtectionSpace,
        credential: StorableCredential,
        *,
        default: bool | None = None,
        readable: bool | None = None,
        preemptive: bool | None = None,
    ) -> None:
        """Stores a credential before a server asks for it; ``readable``: ``read_credential`` gives it back.

        ``preemptive``: it goes with the first request, for servers that never ask, as the credential's own member says.
        """
        await self._connection.run(
            credential_operations.set_credential(self.id, space, credential, default, readable, preemptive)
        )

    async def read_credential(
        self, space: ProtectionSpace, user: str | None = None, *, path: str | None = None
    ) -> ReadCredential:
        """Gives back what was stored with ``readable``, of the user or the default one; else ``CredentialNotFound``.

        ``path`` is what it is for, where the credential is limited to paths.
        """
        return await self._connection.run(credential_operations.read_credential(self.id, space, user, path))

    async def list_credentials(self) -> list[StoredCredential]:
        """The stored credentials, without their secrets."""
        return await self._connection.run(credential_operations.list_credentials(self.id))

    async def remove_credential(
        self,
        space: ProtectionSpace,
        user: str | None = None,
        *,
        path: str | AnyPath | None = ANY_PATH,
    ) -> int:
        """Removes a user's credential, or all of the space; how many there were.

        With ``path``, only those that are kept for this path: readable ones, those that go with the first request, and
        keys; with None, only those for no path.
        """
        return await self._connection.run(credential_operations.remove_credential(self.id, space, user, path))

    async def set_default_credential(self, space: ProtectionSpace, user: str) -> None:
        """Makes one user the space's default."""
        await self._connection.run(credential_operations.set_default_credential(self.id, space, user))

    async def retry_credentials(self, url: str, *, proxies: str | Mapping[str, Any] | None = None) -> int:
        """Lets what a URL's server or proxy has refused be sent once more, if it comes from outside the session.

        An account was unlocked. Returns how many credentials of sources, netrc and URLs they are.
        """
        return await self._connection.run(credential_operations.retry_credentials(self.id, url, proxies))

    async def list_trust(self) -> list[TrustDecision]:
        """What the session has decided about servers' certificates."""
        return await self._connection.run(operations.list_trust(self.id))

    async def remove_trust(self, decision: TrustDecision | str | None = None, *, origin: str | None = None) -> int:
        """Takes back a decision, those about a URL's origin, or all of them; how many there were."""
        return await self._connection.run(operations.remove_trust(self.id, decision, origin))

    async def add_identity(
        self,
        identity: Identity,
        *,
        limits: Limits | None = None,
        persistence: Persistence | str = Persistence.FOR_SESSION,
    ) -> str:
        """Gives the session a client certificate for every server that asks for its issuer; its id.

        With ``Persistence.PERMANENT`` the vault keeps it for every session.
        """
        return await self._connection.run(operations.add_identity(self.id, identity, limits, persistence))

    async def list_identities(self) -> list[StoredIdentity]:
        """The session's client certificates, the one that was added last first, and then the permanent ones."""
        return await self._connection.run(operations.list_identities(self.id))

    async def remove_identity(self, identity: StoredIdentity | str | None = None) -> int:
        """Forgets a client certificate, or all of them, the permanent ones too; how many there were."""
        return await self._connection.run(operations.remove_identity(self.id, identity))

    async def list_cookies(self, url: str | None = None) -> list[results.Cookie]:
        """The session's cookies."""
        return await self._connection.run(operations.list_cookies(self.id, url))

    async def set_cookie(self, cookie: Mapping[str, Any]) -> None:
        """Stores a cookie."""
        await self._connection.run(operations.set_cookie(self.id, cookie))

    async def remove_cookies(self, domain: str | None = None, name: str | None = None) -> int:
        """Removes cookies; how many there were."""
        return await self._connection.run(operations.remove_cookies(self.id, domain, name))

    async def configure(self, configuration: SessionConfiguration) -> results.ConfiguredSession:
        """Changes the settings that ``configuration`` has, for later fetches; what has changed, and what was dropped.

        A change of roots, pins, revocation, proxies, addresses, forms, a Host field or Basic over cleartext drops what
        the session has, and is an error while fetches run. A session that is opened again after a restart of the daemon
        has its first settings.
        """
        return await self._connection.run(operations.configure_session(self.id, configuration))

    async def reset(self) -> None:
        """Forgets cookies, credentials and trust."""
        await self._connection.run(operations.session_verb("reset", self.id))

    async def finish(self) -> None:
        """Lets the tasks finish, then ends the session for every holder."""
        await self._connection.run(operations.session_verb("finish", self.id))
        self._connection.end()

    async def invalidate(self) -> None:
        """Cancels the tasks and ends the session for every holder."""
        await self._connection.run(operations.session_verb("invalidate", self.id))
        self._connection.end()

    async def close(self) -> None:
        """Leaves the session; a private one ends with that."""
        await self._connection.leave(operations.session_verb("close", self.id))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.close()
        except (SessionNotFound, SessionInvalidated, ClientClosed, DaemonConnectionLost):
            pass  # ended already
        except WatchwordError:
            if error is None:
                raise

    def __repr__(self) -> str:
        return f"<AsyncSession {getattr(self, 'id', None)!r}>"
