"""The sessions of the blocking API."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from . import _credential_operations as credential_operations
from . import _operations as operations
from ._arguments import FetchArguments, FetchOptions, check_single, options_of
from ._challenges import Challenge
from ._credential_operations import ANY_PATH, AnyPath, ReadCredential, StoredCredential
from ._credentials import Limits, Persistence, StorableCredential
from ._download import Starter, download
from ._errors import ClientClosed, DaemonConnectionLost, WatchwordError
from ._generated.errors import SessionInvalidated, SessionNotFound
from ._identities import Identity, StoredIdentity
from ._link import Link
from ._opening import Opening, SessionCore
from ._operation import Operation
from ._response import HeaderTypes, Response
from ._spaces import ProtectionSpace
from ._started import Stream, Task
from ._trust import TrustDecision
from ._verbs import Verbs
from ._waiting import Channel

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from . import results
    from .configuration import SessionConfiguration


__all__ = ["Session"]


class Session(Verbs[Response]):
    """A session: one credential cache, its connections and its tasks. Leaving the ``with`` block closes it."""

    def __init__(self, link: Link, core: SessionCore) -> None:
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

    def fetch(self, url: str, **options: Unpack[FetchArguments]) -> Response:
        """Fetches, and waits until the task has finished. See ``FetchArguments``.

        Raises what the challenge's handler raised, else TransportError and its kin (the origin was not reached or
        failed), ChallengeError (a challenge was cancelled), TaskError, InvalidArgument or InvalidParams (the request
        cannot be made), DaemonConnectionLost. A status of 400 and above is a response.
        """
        if not options:
            return self._connection.run(self._core.fetch(url, None))
        return self._request("fetch", url, options)

    def _request(self, function: str, url: str, arguments: FetchArguments, method: str | None = None) -> Response:
        prepared = options_of(f"Session.{function}", arguments, method)
        return self._connection.repeat(lambda: self._core.fetch(url, prepared), prepared.retry)

    def download(
        self,
        url: str,
        destination: str | os.PathLike[str] | BinaryIO,
        *,
        resume: bool = False,
        **options: Unpack[FetchArguments],
    ) -> Response:
        """Fetches into a file, by descriptor. StatusError for 4xx and 5xx, and for a login page.

        A path appears when the file is complete. With ``resume`` an interrupted download leaves ``PATH.part``,
        and the next one goes on from there if the origin's entity tag is still the same. A part that lacks
        nothing takes the path at once; the response is the 416 then, with the ``continuation`` ``complete``.
        A path of a device, a pipe or a folder is an OSError: pass an open file. What an open file was given before an
        error stays in it.
        """
        check_single("Session.download", options)
        connection = self._connection.ready()
        starter = Starter(self._core.fetch, self._open_task, connection.close_channel)
        return connection.drive(download(starter, url, destination, resume, options))

    def start(self, url: str, **options: Unpack[FetchArguments]) -> Task:
        """Starts a task and returns at once."""
        return self._start("start", url, options)

    def _start(self, function: str, url: str, arguments: FetchArguments) -> Task:
        check_single(f"Session.{function}", arguments)
        options = FetchOptions(arguments)
        connection = self._connection.ready()
        channel, operation = self._open_task(url, options)
        try:
            connection.run(operation)
        except BaseException:
            connection.close_channel(channel)
            raise
        return Task(connection, channel)

    def stream(self, url: str, **options: Unpack[FetchArguments]) -> Stream:
        """A body in pieces as they arrive: ``with session.stream(url) as stream: for piece in stream: …``"""
        options.setdefault("output", "stream")
        return Stream(self._start("stream", url, options))

    def _open_beside(self, opening: Opening) -> Session:
        """Another session of the same client."""
        return Session(*self._connection.open(opening))

    def _open_task(self, url: str, options: FetchOptions) -> tuple[Channel[Any], Operation[None]]:
        with self._connection.current.state:
            return self._core.start(url, options)

    def tasks(self) -> list[results.TaskSummary]:
        """The session's tasks."""
        return self._connection.run(operations.list_tasks(self.id))

    def challenges(self) -> list[Challenge]:
        """The session's pending challenges."""
        return self._connection.run(operations.list_challenges(self.id))

    def explain(
        self,
        url: str,
        method: str | None = None,
        *,
        proxies: str | Mapping[str, Any] | None = None,
        headers: HeaderTypes | None = None,
    ) -> results.Explanation:
        """What a fetch of this URL, with these ``proxies`` and ``headers``, would do; nothing is sent."""
        return self._connection.run(operations.explain(self.id, url, method, proxies, headers))

    def describe(self) -> results.SessionDescription:
        """Its configuration, holders and numbers."""
        return self._connection.run(operations.describe_session(self.id))

    def set_credential(
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
        self._connection.run(
            credential_operations.set_credential(self.id, space, credential, default, readable, preemptive)
        )

    def read_credential(
        self, space: ProtectionSpace, user: str | None = None, *, path: str | None = None
    ) -> ReadCredential:
        """Gives back what was stored with ``readable``, of the user or the default one; else ``CredentialNotFound``.

        ``path`` is what it is for, where the credential is limited to paths.
        """
        return self._connection.run(credential_operations.read_credential(self.id, space, user, path))

    def list_credentials(self) -> list[StoredCredential]:
        """The stored credentials, without their secrets."""
        return self._connection.run(credential_operations.list_credentials(self.id))

    def remove_credential(
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
        return self._connection.run(credential_operations.remove_credential(self.id, space, user, path))

    def set_default_credential(self, space: ProtectionSpace, user: str) -> None:
        """Makes one user the space's default."""
        self._connection.run(credential_operations.set_default_credential(self.id, space, user))

    def retry_credentials(self, url: str, *, proxies: str | Mapping[str, Any] | None = None) -> int:
        """Lets what a URL's server or proxy has refused be sent once more, if it comes from outside the session.

        An account was unlocked. Returns how many credentials of sources, netrc and URLs they are.
        """
        return self._connection.run(credential_operations.retry_credentials(self.id, url, proxies))

    def list_trust(self) -> list[TrustDecision]:
        """What the session has decided about servers' certificates."""
        return self._connection.run(operations.list_trust(self.id))

    def remove_trust(self, decision: TrustDecision | str | None = None, *, origin: str | None = None) -> int:
        """Takes back a decision, those about a URL's origin, or all of them; how many there were."""
        return self._connection.run(operations.remove_trust(self.id, decision, origin))

    def add_identity(
        self,
        identity: Identity,
        *,
        limits: Limits | None = None,
        persistence: Persistence | str = Persistence.FOR_SESSION,
    ) -> str:
        """Gives the session a client certificate for every server that asks for its issuer; its id.

        With ``Persistence.PERMANENT`` the vault keeps it for every session.
        """
        return self._connection.run(operations.add_identity(self.id, identity, limits, persistence))

    def list_identities(self) -> list[StoredIdentity]:
        """The session's client certificates, the one that was added last first, and then the permanent ones."""
        return self._connection.run(operations.list_identities(self.id))

    def remove_identity(self, identity: StoredIdentity | str | None = None) -> int:
        """Forgets a client certificate, or all of them, the permanent ones too; how many there were."""
        return self._connection.run(operations.remove_identity(self.id, identity))

    def list_cookies(self, url: str | None = None) -> list[results.Cookie]:
        """The session's cookies."""
        return self._connection.run(operations.list_cookies(self.id, url))

    def set_cookie(self, cookie: Mapping[str, Any]) -> None:
        """Stores a cookie."""
        self._connection.run(operations.set_cookie(self.id, cookie))

    def remove_cookies(self, domain: str | None = None, name: str | None = None) -> int:
        """Removes cookies; how many there were."""
        return self._connection.run(operations.remove_cookies(self.id, domain, name))

    def configure(self, configuration: SessionConfiguration) -> results.ConfiguredSession:
        """Changes the settings that ``configuration`` has, for later fetches; what has changed, and what was dropped.

        A change of roots, pins, revocation, proxies, addresses, forms, a Host field or Basic over cleartext drops what
        the session has, and is an error while fetches run. A session that is opened again after a restart of the daemon
        has its first settings.
        """
        return self._connection.run(operations.configure_session(self.id, configuration))

    def reset(self) -> None:
        """Forgets cookies, credentials and trust."""
        self._connection.run(operations.session_verb("reset", self.id))

    def finish(self) -> None:
        """Lets the tasks finish, then ends the session for every holder."""
        self._connection.run(operations.session_verb("finish", self.id))
        self._connection.end()

    def invalidate(self) -> None:
        """Cancels the tasks and ends the session for every holder."""
        self._connection.run(operations.session_verb("invalidate", self.id))
        self._connection.end()

    def close(self) -> None:
        """Leaves the session; a private one ends with that."""
        self._connection.leave(operations.session_verb("close", self.id))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except (SessionNotFound, SessionInvalidated, ClientClosed, DaemonConnectionLost):
            pass  # ended already
        except WatchwordError:
            if error is None:
                raise

    def __repr__(self) -> str:
        return f"<Session {getattr(self, 'id', None)!r}>"
