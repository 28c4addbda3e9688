"""Every way in which a call can fail, as one tree.

::

    WatchwordError
    ├── InvalidArgument             what the caller passed cannot be sent; nothing was sent
    ├── ClientClosed                the client was closed, or belongs to the parent process
    │   └── ForkedClient
    ├── DaemonUnavailable           no daemon was reached, started or believed
    │   └── UntrustedDaemon         the process at the socket runs as another uid
    ├── DaemonConnectionLost        the daemon hung up while calls were waiting
    ├── ProtocolError               the daemon sent what the protocol does not know
    ├── StatusError                 raise_for_status() met a 4xx or 5xx
    ├── BodyError                   a body is not there, or is not what was asked for (text, JSON)
    └── RPCError                    the daemon's own answer: code, kind, retry, data
        ├── RequestError            ParseError InvalidRequest MethodNotFound InvalidParams InternalError
        ├── SessionError            SessionNotFound SessionInvalidated SessionConfigurationDiffers
        │                           LimitExceeded NotPermitted MessageTooLarge ShuttingDown DescriptorUnusable
        │                           ConfigurationInvalid
        ├── TaskError               TaskNotFound TaskCancelled RequestCancelled TaskIdentifierInUse
        │                           BodyNotReplayable TooManyRedirects RedirectRefused RedirectNotPending
        │                           OutputFailed BodyTooLarge
        ├── ChallengeError          ChallengeNotPending DispositionNotAllowed CredentialUnusable
        │                           UserCancelledAuthentication ServerTrustRejected ServerNotAuthenticated
        ├── TransportError          TransportFailed NameNotResolved ConnectionFailed ConnectionLost TimedOut
        │                           MalformedResponse TLSFailed AddressRefused HeadersTooLarge
        │                           ContentDecodingFailed PolicyRefused
        ├── StorageError            StorageUnavailable CredentialNotFound
        └── OtherError              a kind or code that this version does not know

``ConnectionLost`` is the origin's connection, ``DaemonConnectionLost`` the daemon's. ``TimedOut`` is a
``TimeoutError``, ``InvalidArgument`` and ``BodyError`` are ``ValueError``s. Every error can be pickled, a
``StatusError`` with its response.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ._reasons import TrustReason

if TYPE_CHECKING:
    from ._response import Response

__all__ = [
    "ERRORS",
    "AddressRefused",
    "BodyError",
    "BodyNotReplayable",
    "BodyTooLarge",
    "ChallengeError",
    "ChallengeNotPending",
    "ClientClosed",
    "ConfigurationInvalid",
    "ConnectionFailed",
    "ConnectionLost",
    "ContentDecodingFailed",
    "CredentialNotFound",
    "CredentialUnusable",
    "DaemonConnectionLost",
    "DaemonUnavailable",
    "DescriptorUnusable",
    "DispositionNotAllowed",
    "ForkedClient",
    "HeadersTooLarge",
    "InternalError",
    "InvalidArgument",
    "InvalidParams",
    "InvalidRequest",
    "LimitExceeded",
    "MalformedResponse",
    "MessageTooLarge",
    "MethodNotFound",
    "NameNotResolved",
    "NotPermitted",
    "OtherError",
    "OutputFailed",
    "ParseError",
    "PolicyRefused",
    "ProtocolError",
    "RPCError",
    "RedirectNotPending",
    "RedirectRefused",
    "RequestCancelled",
    "RequestError",
    "ServerNotAuthenticated",
    "ServerTrustRejected",
    "SessionConfigurationDiffers",
    "SessionError",
    "SessionInvalidated",
    "SessionNotFound",
    "ShuttingDown",
    "StatusError",
    "StorageError",
    "StorageUnavailable",
    "TLSFailed",
    "TaskCancelled",
    "TaskError",
    "TaskIdentifierInUse",
    "TaskNotFound",
    "TimedOut",
    "TooManyRedirects",
    "TransportError",
    "TransportFailed",
    "UntrustedDaemon",
    "UserCancelledAuthentication",
    "WatchwordError",
]


class WatchwordError(Exception):
    """Any failure of this package."""


class InvalidArgument(WatchwordError, ValueError):
    """An argument that cannot be sent; the connection is untouched."""


class ClientClosed(WatchwordError):
    """The client was closed before or during the call."""


class ForkedClient(ClientClosed):
    """A client made before a fork was used in the child; the child makes one of its own."""


class DaemonUnavailable(WatchwordError):
    """No daemon was reached, started or believed."""


class UntrustedDaemon(DaemonUnavailable):
    """The process at the socket runs as another uid, so nothing was said to it."""


class DaemonConnectionLost(WatchwordError):
    """The daemon hung up; whether the call took effect is unknown."""


class ProtocolError(WatchwordError):
    """The daemon sent something that the protocol does not know. Never quotes the bytes: they may be secret."""


class StatusError(WatchwordError):
    """The origin answered with a 4xx or 5xx."""

    def __init__(self, response: Response) -> None:
        super().__init__(f"{response.status} from {response.origin}")
        self.response = response
        self.status = response.status

    def __reduce__(self) -> Any:
        return type(self), (self.response,), self.__dict__


class BodyError(WatchwordError, ValueError):
    """A body that is not there any more, or is not what was asked for."""


class RPCError(WatchwordError):
    """An error reply.

    ``retry`` says what can help: ``never``, ``same`` (again as it was), ``newCredential`` or ``later``.
    ``data`` holds the other members: ``path``, ``hop``, ``url``, ``phase``, ``limit``, ``members``, ``reasons``.
    """

    code: int = 0
    kind: str = ""
    retry: str = "never"
    expected_code: ClassVar[int] = 0
    expected_kind: ClassVar[str] = ""
    expected_retry: ClassVar[str] = "never"

    def __init__(self, message: str = "", *, data: Mapping[str, Any] | None = None, code: int | None = None) -> None:
        self.data: dict[str, Any] = dict(data or {})
        kind = self.data.get("kind")
        retry = self.data.get("retry")
        self.code = self.expected_code if code is None else code
        self.kind = kind if isinstance(kind, str) else self.expected_kind
        self.retry = retry if isinstance(retry, str) else self.expected_retry
        self.message = message
        super().__init__(message)

    def __str__(self) -> str:
        text = printable(self.message) or printable(self.kind) or "failed"
        place = self.data.get("path") or self.data.get("url")
        return f"{text} ({printable(place)})" if isinstance(place, str) and place not in self.message else text


class RequestError(RPCError):
    """What was asked does not fit the protocol: the fault of this client or of its caller."""


class SessionError(RPCError):
    """10xx: the session or this connection."""


class TaskError(RPCError):
    """11xx: the task."""


class ChallengeError(RPCError):
    """12xx: a challenge or its answer."""


class TransportError(RPCError):
    """13xx: network, server or certificate."""

    @property
    def hop(self) -> str | None:
        """Where it happened: ``origin`` or ``proxy``."""
        value = self.data.get("hop")
        return value if isinstance(value, str) else None


class StorageError(RPCError):
    """14xx: the credential storage."""


class OtherError(RPCError):
    """A kind or code that this version does not know."""


#: Every error class by its kind; a test holds it against ``protocol/errors.json``.
ERRORS: dict[str, type[RPCError]] = {}
_BY_CODE: dict[int, type[RPCError]] = {}


def _kind(code: int, kind: str, retry: str = "never") -> Any:
    def register(cls: type[RPCError]) -> type[RPCError]:
        cls.expected_code, cls.expected_kind, cls.expected_retry = code, kind, retry
        ERRORS[kind] = cls
        _BY_CODE[code] = cls
        return cls

    return register


@_kind(-32700, "parseError")
class ParseError(RequestError):
    """The daemon could not read the message."""


@_kind(-32600, "invalidRequest")
class InvalidRequest(RequestError):
    """The message is no JSON-RPC 2.0 request."""


@_kind(-32601, "methodNotFound")
class MethodNotFound(RequestError):
    """This daemon has no such method."""


@_kind(-32602, "invalidParams")
class InvalidParams(RequestError):
    """A parameter is missing, unknown or wrong; ``path`` names it."""

    @property
    def path(self) -> str | None:
        """The place of the parameter, such as ``params.headers[2]``."""
        value = self.data.get("path")
        return value if isinstance(value, str) else None


@_kind(-32603, "internalError", "later")
class InternalError(RequestError):
    """The daemon failed in itself."""


@_kind(1000, "sessionNotFound")
class SessionNotFound(SessionError):
    """No such session, or not one of ours."""


@_kind(1001, "sessionInvalidated")
class SessionInvalidated(SessionError):
    """The session was finished or invalidated."""


@_kind(1002, "sessionConfigurationDiffers")
class SessionConfigurationDiffers(SessionError):
    """The session exists with another configuration; ``data["members"]`` names what differs."""


@_kind(1003, "limitExceeded", "later")
class LimitExceeded(SessionError):
    """A limit of the daemon is reached; ``data["limit"]`` names it."""


@_kind(1004, "notPermitted")
class NotPermitted(SessionError):
    """An administrator's verb, asked by somebody else."""


@_kind(1005, "messageTooLarge")
class MessageTooLarge(SessionError):
    """The message is over the daemon's limit; the connection is closed."""


@_kind(1006, "shuttingDown", "later")
class ShuttingDown(SessionError):
    """The daemon is stopping and takes no new work."""


@_kind(1007, "descriptorUnusable")
class DescriptorUnusable(SessionError):
    """A descriptor is missing, of the wrong kind or opened for the wrong direction."""


@_kind(1008, "configurationInvalid")
class ConfigurationInvalid(SessionError):
    """The daemon's configuration file is wrong; the configuration that was read before holds."""

    @property
    def path(self) -> str | None:
        """The member of the file, such as ``transportSecurity.domains[0].domain``; None when the file is no JSON."""
        value = self.data.get("path")
        return value if isinstance(value, str) else None


@_kind(1100, "taskNotFound")
class TaskNotFound(TaskError):
    """No such task."""


@_kind(1101, "taskCancelled", "same")
class TaskCancelled(TaskError):
    """The task was cancelled."""


@_kind(1102, "requestCancelled", "same")
class RequestCancelled(TaskError):
    """The request was cancelled by ``$/cancelRequest``."""


@_kind(1103, "taskIdentifierInUse")
class TaskIdentifierInUse(TaskError):
    """The chosen task id belongs to another task."""


@_kind(1104, "bodyNotReplayable", "same")
class BodyNotReplayable(TaskError):
    """The request body is a pipe that was read already and would have to be sent again."""


@_kind(1105, "tooManyRedirects")
class TooManyRedirects(TaskError):
    """More hops than the session allows."""


@_kind(1106, "redirectRefused")
class RedirectRefused(TaskError):
    """A redirect to where the session does not go, such as from https to http."""


@_kind(1107, "redirectNotPending")
class RedirectNotPending(TaskError):
    """The redirect was answered already, or never asked."""


@_kind(1108, "outputFailed")
class OutputFailed(TaskError):
    """The output descriptor could not be written."""


@_kind(1109, "bodyTooLarge")
class BodyTooLarge(TaskError):
    """The response body is over the session's limit."""


@_kind(1200, "challengeNotPending")
class ChallengeNotPending(ChallengeError):
    """The challenge is settled, unknown or somebody else's."""


@_kind(1201, "dispositionNotAllowed")
class DispositionNotAllowed(ChallengeError):
    """Policy forbids this disposition here; the challenge is still pending."""


@_kind(1202, "credentialUnusable", "newCredential")
class CredentialUnusable(ChallengeError):
    """The credential does not fit the method, or cannot be used; the challenge is still pending."""

    @property
    def reason(self) -> str | None:
        """Why, in a word: ``wrongKind``, ``passphraseNeeded``, ``wrongPassphrase``, ``expired``, …"""
        reason = self.data.get("reason")
        return reason if isinstance(reason, str) else None


@_kind(1203, "userCancelledAuthentication", "newCredential")
class UserCancelledAuthentication(ChallengeError):
    """A challenge of the task was cancelled, or nobody answered it in time."""


@_kind(1204, "serverTrustRejected")
class ServerTrustRejected(ChallengeError):
    """The certificate was refused; ``reasons`` says why."""

    @property
    def reasons(self) -> list[TrustReason]:
        """What default evaluation found; empty when a handler refused a good certificate."""
        return TrustReason.all_of(self.data.get("reasons"))


@_kind(1205, "serverNotAuthenticated")
class ServerNotAuthenticated(ChallengeError):
    """The server could not prove that it knows the password (a wrong Digest ``rspauth``)."""


@_kind(1300, "transportFailed", "later")
class TransportFailed(TransportError):
    """The exchange failed in a way that has no kind of its own."""


@_kind(1301, "nameNotResolved", "later")
class NameNotResolved(TransportError):
    """The host name has no address."""


@_kind(1302, "connectionFailed", "later")
class ConnectionFailed(TransportError):
    """No connection to the origin or proxy."""


@_kind(1303, "connectionLost", "same")
class ConnectionLost(TransportError):
    """The origin or proxy closed the connection in the middle."""

    @property
    def processed(self) -> str | None:
        """Whether the origin has acted on the request: ``no`` or ``unknown``; None where the daemon does not say."""
        value = self.data.get("processed")
        return value if isinstance(value, str) else None


@_kind(1304, "timedOut", "later")
class TimedOut(TransportError, TimeoutError):
    """A timeout of the fetch ran out; ``phase`` says which. Also a TimeoutError, as Python's own are."""

    @property
    def phase(self) -> str | None:
        """``connect``, ``request`` or ``resource``."""
        value = self.data.get("phase")
        return value if isinstance(value, str) else None


@_kind(1305, "malformedResponse")
class MalformedResponse(TransportError):
    """The origin's response is no HTTP."""


@_kind(1306, "tlsFailed")
class TLSFailed(TransportError):
    """The TLS handshake failed."""


@_kind(1307, "addressRefused")
class AddressRefused(TransportError):
    """The session's address policy forbids the resolved address."""


@_kind(1308, "headersTooLarge")
class HeadersTooLarge(TransportError):
    """The response's header fields are over the limit."""


@_kind(1309, "contentDecodingFailed")
class ContentDecodingFailed(TransportError):
    """The content coding is broken or unknown."""


@_kind(1310, "policyRefused")
class PolicyRefused(TransportError):
    """The administrator's policy forbids this fetch."""


@_kind(1400, "storageUnavailable", "later")
class StorageUnavailable(StorageError):
    """The storage that the persistence asks for is not there."""


@_kind(1401, "credentialNotFound")
class CredentialNotFound(StorageError):
    """No such credential."""


def error_from_wire(code: int, message: str, data: Mapping[str, Any] | None) -> RPCError:
    """The error class of an error reply. The kind decides; the code only where no kind was sent."""
    kind = data.get("kind") if data else None
    cls = ERRORS.get(kind, OtherError) if isinstance(kind, str) else _BY_CODE.get(code, OtherError)
    return cls(message, data=data, code=code)


def again(error: WatchwordError) -> WatchwordError:
    """A copy to raise: several callers may get the same error, and each raise would lengthen one traceback."""
    return copy.copy(error).with_traceback(None)


def printable(text: str) -> str:
    """The text with control and format characters escaped: servers choose parts of it, terminals obey them."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
