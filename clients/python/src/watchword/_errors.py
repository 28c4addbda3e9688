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
    ├── StatusError                 raise_for_status() met a 4xx, a 5xx or a login page
    ├── BodyError                   a body is not there, or is not what was asked for (text, JSON)
    └── RPCError                    the daemon's own answer: code, kind, retry, data
        ├── RequestError            what was asked does not fit the protocol
        ├── SessionError            10xx
        ├── TaskError               11xx
        ├── ChallengeError          12xx
        ├── TransportError          13xx: network, server or certificate
        ├── StorageError            14xx
        └── OtherError              a kind or code that this version does not know

Each kind of error reply has a class of its own below these groups, in ``_generated/errors.py``.
``ConnectionLost`` is the origin's connection, ``DaemonConnectionLost`` the daemon's. ``TimedOut`` is a
``TimeoutError``, ``InvalidArgument`` and ``BodyError`` are ``ValueError``s. Every error can be pickled, a
``StatusError`` with its response.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

__all__ = [
    "ERRORS",
    "BodyError",
    "ChallengeError",
    "ClientClosed",
    "DaemonConnectionLost",
    "DaemonUnavailable",
    "ForkedClient",
    "InvalidArgument",
    "OtherError",
    "ProtocolError",
    "RPCError",
    "RequestError",
    "SessionError",
    "StorageError",
    "TaskError",
    "TransportError",
    "UntrustedDaemon",
    "WatchwordError",
]


class WatchwordError(Exception):
    """Any failure of this package."""


class InvalidArgument(WatchwordError, ValueError):
    """An argument that cannot be sent; the connection is untouched."""


class ClientClosed(WatchwordError):
    """The client was closed before or during the call."""


class ForkedClient(ClientClosed):
    """What belongs to the parent was used in the child: a task, or a client where the child reaches no daemon."""


class DaemonUnavailable(WatchwordError):
    """No daemon was reached, started or believed."""


class UntrustedDaemon(DaemonUnavailable):
    """The process at the socket runs as another uid, so nothing was said to it."""


class DaemonConnectionLost(WatchwordError):
    """The daemon hung up; whether the call took effect is unknown. The next call finds a daemon that was restarted."""


class ProtocolError(WatchwordError):
    """The daemon sent something that the protocol does not know. Never quotes the bytes: they may be secret."""


class BodyError(WatchwordError, ValueError):
    """A body that is not there any more, or is not what was asked for."""


#: In front of the path of a parameter.
_PARAMETERS = "params."
_CAPITAL = re.compile("[A-Z]")


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
        if not isinstance(place, str):
            return text
        if place not in self.message:
            return f"{text} ({printable(place)})"
        # What is wrong is an argument of a call, which has another name than its member on the wire.
        argument = _CAPITAL.sub(r"_\g<0>", place[len(_PARAMETERS) :]).lower()
        return text.replace(place, argument, 1) if place.startswith(_PARAMETERS) else text


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


#: Every error class by its kind; ``_generated.errors`` has the classes.
ERRORS: dict[str, type[RPCError]] = {}
_BY_CODE: dict[int, type[RPCError]] = {}

_Error = TypeVar("_Error", bound=RPCError)


def error_kind(code: int, name: str, retry: str) -> Callable[[type[_Error]], type[_Error]]:
    """Makes a class the one for error replies of a kind."""

    def register(cls: type[_Error]) -> type[_Error]:
        cls.expected_code, cls.expected_kind, cls.expected_retry = code, name, retry
        ERRORS[name] = cls
        _BY_CODE[code] = cls
        return cls

    return register


def text(value: object) -> str | None:
    """A member of ``data`` that should be a string."""
    return value if isinstance(value, str) else None


def strings(value: object) -> list[str]:
    """A member of ``data`` that should be a list of strings."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


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
