"""The blocking API."""

from __future__ import annotations

import functools
import os
import socket
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, overload

from . import _connecting as connecting
from . import _credential_operations as credential_operations
from . import _operations as operations
from . import _requests as requests
from ._arguments import FetchArguments, options_of
from ._challenges import Answer, Challenge, ChallengeHandler
from ._connection import Connection
from ._credential_operations import ImportResult
from ._delegate import Delegate
from ._greeting import Greeting
from ._identities import TokenCertificate
from ._link import Line, Link
from ._opening import implicit, prepare
from ._operations import DaemonInfo
from ._redirects import RedirectHandler
from ._response import Response
from ._restrictions import FetchRule
from ._session import Session
from ._verbs import Verbs
from ._watches import Watch

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from . import results
    from .configuration import SessionConfiguration

__all__ = ["Client"]

#: The name of a watch that nothing arrives at: ``serve`` only waits.
_NOTHING = "$/nothing"


class Client(Verbs[Response]):
    """A connection to the daemon. May be used from several threads.

    When the daemon was restarted, and in a child process, the next call connects again and opens the sessions again.

    Handlers run in the thread whose fetch was challenged.
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
        dial = functools.partial(
            connecting.connect,
            socket_path,
            start=start,
            daemon=daemon,
            daemon_arguments=daemon_arguments,
            trusted_uids=trusted_uids,
        )
        self._greeting = Greeting(dial, name, may_start=connecting.may_start(start))
        self._connection = Link(Line(self._connect))

    def _connect(self) -> Connection:
        connection, self.daemon = self._greeting.connect()
        return connection

    # Sessions

    def session(
        self,
        name: str | None = None,
        configuration: SessionConfiguration | None = None,
        *,
        on_challenge: ChallengeHandler | None = None,
        methods: Sequence[str] = ("*",),
        on_session_challenge: ChallengeHandler | None = None,
        session_methods: Sequence[str] = ("*",),
        on_redirect: RedirectHandler | None = None,
        trust_verdicts: Literal["all", "refused"] | None = None,
        by_settings: bool = False,
        variant: str | None = None,
        trust_env: bool = True,
    ) -> Session:
        """Opens or joins a session; without a name, one of this connection's own.

        With ``by_settings`` and without a name it is the session that is named after ``configuration`` and ``variant``:
        whoever opens one with the same settings shares it, and no other session its credentials.

        ``on_challenge`` answers for this connection's tasks, for the authentication methods in ``methods``;
        ``on_session_challenge`` for every task of the session, for those in ``session_methods``.
        ``on_redirect`` asks for the redirect policy ``ask`` where the configuration names none.
        ``trust_verdicts`` says whose certificates are asked about: those that default evaluation refuses, or all, at a
        second connection for each origin. All is what a ``pin_handler`` and methods that name ``serverTrust`` mean;
        refused is what ``*`` means.

        A session without a name and without ``tls.roots`` trusts the authorities of ``REQUESTS_CA_BUNDLE``, or else
        ``CURL_CA_BUNDLE``, or else ``SSL_CERT_FILE``, and no others, unless ``trust_env`` is false. OSError when that
        file cannot be read. A session with a name, ``default`` too, has the settings of whoever made it.
        """
        delegate = Delegate(on_challenge, methods, on_session_challenge, session_methods, on_redirect, trust_verdicts)
        opening = prepare(name, configuration, delegate, by_settings, variant, trust_env)
        return Session(*self._connection.open(opening))

    def default_session(self) -> Session:
        """The session ``default`` of this uid, without answering any challenge."""
        return Session(*self._connection.join(implicit(), ("default", False)))

    def fetch(self, url: str, **options: Unpack[FetchArguments]) -> Response:
        """Fetches in the session ``default``."""
        if not options:
            return self._connection.run(requests.fetch(None, url, None, None))
        return self._request("fetch", url, options)

    def _request(self, function: str, url: str, arguments: FetchArguments, method: str | None = None) -> Response:
        prepared = options_of(f"Client.{function}", arguments, method)
        return self._connection.repeat(lambda: requests.fetch(None, url, None, prepared), prepared.retry)

    def sessions(self) -> list[results.SessionSummary]:
        """The sessions of this uid."""
        return self._connection.run(operations.list_sessions())

    # Tasks and challenges

    def tasks(self, session: str | None = None) -> list[results.TaskSummary]:
        """The tasks of a session (``default`` when none is named)."""
        return self._connection.run(operations.list_tasks(session))

    def describe_task(self, task: str) -> results.TaskDescription:
        """A task; with the result or error of a detached one that has finished."""
        return self._connection.run(operations.describe_task(task))

    def cancel_task(self, task: str) -> None:
        """Ends a task with TaskCancelled; TaskNotFound when it is over already."""
        self._connection.run(operations.task_verb("cancel", task))

    def suspend_task(self, task: str) -> None:
        """Stops reading the response until ``resume_task``; the origin waits."""
        self._connection.run(operations.task_verb("suspend", task))

    def resume_task(self, task: str) -> None:
        """Goes on with a suspended task."""
        self._connection.run(operations.task_verb("resume", task))

    def challenges(self, session: str | None = None) -> list[Challenge]:
        """The pending challenges that this connection may see."""
        return self._connection.run(operations.list_challenges(session))

    def challenge(self, challenge: str) -> Challenge:
        """One pending challenge."""
        return self._connection.run(operations.describe_challenge(challenge))

    def reply(self, challenge: Challenge | str, answer: Answer) -> None:
        """Answers a challenge outside its handler, as a person at a terminal does."""
        identifier = challenge.id if isinstance(challenge, Challenge) else challenge
        self._connection.run(operations.reply_to_challenge(identifier, answer))

    def serve(self, timeout: float | None = None) -> None:
        """Answers challenges of other processes until the time is up or the connection ends."""
        connection = self._connection.ready()
        with connection.state:
            channel = connection.conversation.open_watch(_NOTHING)
        try:
            connection.wait(channel, None if timeout is None else time.monotonic() + timeout)
            if channel.closed is not None:
                raise channel.closed
        finally:
            with connection.state:
                connection.conversation.close_watch(_NOTHING, channel)

    # Restrictions

    def restrict(
        self, rules: Sequence[FetchRule], *, session: str | None = None, expires_seconds: float | None = None
    ) -> str:
        """Leaves this connection nothing but to fetch by the rules, for good; the id of the restriction.

        For a connection that a command of less trust gets. Raises Restricted for whatever else it asks for.
        """
        return self._connection.run(operations.restrict(rules, session, expires_seconds))

    def listen(
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
        return self._connection.run(operations.listen(listener.fileno(), rules, session, expires_seconds))

    # The daemon

    def ping(self) -> None:
        """One round trip."""
        self._connection.run(operations.ping())

    def status(self) -> results.StatusSnapshot:
        """One snapshot of what the daemon is doing."""
        return self._connection.run(operations.status())

    def list_tokens(self) -> list[TokenCertificate]:
        """The client certificates that tokens of the daemon's PKCS#11 modules show, with the URIs of their keys."""
        return self._connection.run(operations.list_tokens())

    def add_roots(self, certificates: str) -> results.RootAddition:
        """Adds certificate authorities (PEM) to those that every session of the user trusts beside the system's.

        All of them or none: a certificate that is no authority's is InvalidParams.
        """
        return self._connection.run(operations.add_roots(certificates))

    def list_roots(self) -> list[results.Root]:
        """The certificate authorities of the user."""
        return self._connection.run(operations.list_roots())

    def remove_roots(self, root: results.Root | str | None = None) -> int:
        """Removes one of them, or its SHA-256, or all of them; how many were removed."""
        return self._connection.run(operations.remove_roots(root))

    def credential_history(
        self, *, limit: int | None = None, user: str | None = None, origin: str | None = None
    ) -> list[results.HistoryEntry]:
        """What became of this uid's credentials and challenges, newest first; never a secret."""
        return self._connection.run(operations.history(limit, user, origin))

    def watch_status(self, interval_seconds: float = 1.0) -> Watch[results.StatusSnapshot]:
        """Snapshots as they change; a context manager to iterate over."""
        watch: Watch[results.StatusSnapshot] = Watch(
            self._connection.ready(), "status/didChange", operations.unsubscribe_from_status()
        )
        try:
            self._connection.run(operations.subscribe_to_status(interval_seconds))
        except BaseException:
            watch.close()
            raise
        return watch

    @overload
    def watch(
        self, method: Literal["session/didReceiveChallenge", "task/didReceiveChallenge"]
    ) -> Watch[results.Challenge]: ...
    @overload
    def watch(self, method: Literal["challenge/didSettle"]) -> Watch[results.ChallengeDidSettle]: ...
    @overload
    def watch(self, method: Literal["task/willRedirect"]) -> Watch[results.TaskWillRedirect]: ...
    @overload
    def watch(self, method: Literal["task/didRedirect"]) -> Watch[results.TaskDidRedirect]: ...
    @overload
    def watch(self, method: Literal["task/didReceiveHead"]) -> Watch[results.TaskDidReceiveHead]: ...
    @overload
    def watch(self, method: Literal["task/didReceiveResponse"]) -> Watch[results.TaskDidReceiveResponse]: ...
    @overload
    def watch(self, method: Literal["task/didReceiveData"]) -> Watch[results.TaskDidReceiveData]: ...
    @overload
    def watch(self, method: Literal["task/didSendBodyData"]) -> Watch[results.TaskDidSendBodyData]: ...
    @overload
    def watch(self, method: Literal["task/didFinish"]) -> Watch[results.TaskDidFinish]: ...
    @overload
    def watch(self, method: Literal["credential/didChange"]) -> Watch[results.CredentialDidChange]: ...
    @overload
    def watch(self, method: Literal["session/didInvalidate"]) -> Watch[results.SessionDidInvalidate]: ...
    @overload
    def watch(self, method: Literal["status/didChange"]) -> Watch[results.StatusDidChange]: ...
    @overload
    def watch(self, method: str) -> Watch[Any]: ...
    def watch(self, method: str) -> Watch[Any]:
        """The parameters of every notification of one method, such as ``credential/didChange``."""
        return Watch(self._connection.ready(), method, None)

    def discover(self) -> results.OpenRPCDocument:
        """The daemon's OpenRPC document."""
        return self._connection.run(operations.discover())

    def make_vault(self, *, passphrase: str | None = None) -> None:
        """Makes the vault for permanent credentials; without a passphrase it opens with a key file."""
        self._connection.run(credential_operations.make_vault(passphrase))

    def set_vault_passphrase(self, passphrase: str, *, keep_others: bool = False) -> None:
        """The vault opens with this passphrase from now on; a key file and the like only with ``keep_others``."""
        self._connection.run(credential_operations.set_vault_passphrase(passphrase, keep_others))

    def rekey_vault(self, opener: str | None = None) -> None:
        """Seals every record of the vault under a new key.

        ``opener`` is what opens it without a person from now on: ``keyFile`` or ``secretService``.
        """
        self._connection.run(credential_operations.rekey_vault(opener))

    def check_vault(self) -> results.VaultReport:
        """Reads the whole vault, and counts what it holds and what does not open."""
        return self._connection.run(credential_operations.check_vault())

    def export_credentials(self, file: IO[bytes], *, passphrase: str) -> int:
        """Writes the permanent credentials to a file or pipe, sealed under a passphrase of its own; how many it has."""
        return self._connection.run(credential_operations.export_credentials(file.fileno(), passphrase))

    def import_credentials(self, file: IO[bytes], *, passphrase: str) -> ImportResult:
        """Merges an export into the vault, all of it or nothing; of one user of a space the newer credential stays.

        A file is read from its beginning. Raises CredentialUnusable for a wrong passphrase, DescriptorUnusable with its
        ``reason`` for a file that is no export, was cut or altered, or is of a later version.
        """
        return self._connection.run(credential_operations.import_credentials(file.fileno(), passphrase))

    def lock(self, passphrase: str) -> None:
        """Locks the agent of the user with this passphrase, and clears its memory; AgentLocked if it is locked."""
        self._connection.run(credential_operations.lock(passphrase))

    def unlock(self, passphrase: str) -> None:
        """Unlocks the agent, or else opens a vault that has a passphrase; CredentialUnusable if it is wrong."""
        self._connection.run(credential_operations.unlock(passphrase))

    def forget(self) -> None:
        """Clears the daemon's memory of the user's secrets; the vault stays."""
        self._connection.run(credential_operations.forget())

    def prune_sessions(self, older_than: float | None = None) -> list[str]:
        """Ends the named sessions that nobody has used for so many seconds, and returns their names."""
        return self._connection.run(operations.prune_sessions(older_than))

    def configuration(self) -> results.ServerConfiguration:
        """The daemon's settings in use, and the file that they are from."""
        return self._connection.run(operations.server_configuration())

    def reload(self) -> None:
        """Makes the daemon read its configuration again."""
        self._connection.run(operations.reload_server())

    def restart(self) -> None:
        """Starts the daemon's program again, after an upgrade the new one, which keeps the sessions with a name.

        Fetches that run finish first, for at most ten seconds. The next call goes to the new daemon. RestartFailed says
        why it does not start; then nothing has changed.
        """
        self._connection.run(operations.restart_server())

    def shut_down(self, *, graceful: bool = True) -> None:
        """Stops the daemon, after its tasks or at once."""
        self._connection.run(operations.shut_down_server(graceful))

    def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Any method by name; the result as it came, without descriptors."""
        return self._connection.run(operations.call(method, params))

    # The end

    def close(self) -> None:
        """Hangs up. Calls that wait in other threads fail with ClientClosed."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        connection = getattr(self, "_connection", None)  # missing when the constructor failed
        return f"<Client {'open' if connection is not None and connection.is_open else 'closed'}>"
