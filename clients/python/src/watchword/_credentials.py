"""What opens a protection space: a password, a token, tickets, a certificate, or trust in a server."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Union

from ._errors import InvalidArgument
from ._generated.enumerations import Persistence
from ._identities import Identity, StoredIdentity
from ._secrets import holds_secrets
from ._trust import TrustScope

__all__ = [
    "AnyCredential",
    "Credential",
    "IdentityCredential",
    "KerberosCredential",
    "Limits",
    "Passphrase",
    "Persistence",
    "SourceCredential",
    "StorableCredential",
    "Trust",
]


@dataclass(frozen=True)
class Limits:
    """What narrows a stored credential; checked by the daemon on every use."""

    idle_seconds: float | None = None
    lifetime_seconds: float | None = None
    not_after: datetime | None = None
    path_prefixes: Sequence[str] | None = None
    methods: Sequence[str] | None = None
    maximum_uses: int | None = None
    confirm: bool | None = None

    def to_wire(self) -> dict[str, Any]:
        """The members that are set."""
        not_after = None
        if self.not_after is not None:
            if self.not_after.tzinfo is None:
                raise InvalidArgument("not_after needs a time zone")
            not_after = self.not_after.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        members = {
            "idleSeconds": self.idle_seconds,
            "lifetimeSeconds": self.lifetime_seconds,
            "notAfter": not_after,
            "pathPrefixes": None if self.path_prefixes is None else list(self.path_prefixes),
            "methods": None if self.methods is None else list(self.methods),
            "maximumUses": self.maximum_uses,
            "confirm": self.confirm,
        }
        return {name: value for name, value in members.items() if value is not None}


@holds_secrets("password", "token")
@dataclass(frozen=True, repr=False)
class Credential:
    """A user with a password, or a token. Prints as ``<secret>``; ``asdict`` has no secret and pickling is refused."""

    user: str | bytes | None = None
    password: str | bytes | None = None
    token: str | None = None
    persistence: Persistence | str = Persistence.FOR_SESSION
    limits: Limits | None = None
    #: Goes with the first request, before the server asks: to the paths of ``limits``, or to the whole origin.
    preemptive: bool = False
    #: Of a key: what stands in front of it in its header field.
    prefix: str | None = None

    @classmethod
    def key(
        cls,
        key: str,
        *,
        prefix: str | None = None,
        persistence: Persistence | str = Persistence.FOR_SESSION,
        limits: Limits | None = None,
    ) -> Credential:
        """A key for ``ProtectionSpace.for_key``: goes with every request to the paths of ``limits``, or the origin."""
        return cls(token=key, persistence=persistence, limits=limits, prefix=prefix)

    def __post_init__(self) -> None:
        by_password = self.user is not None and self.password is not None and self.token is None
        by_token = self.user is None and self.password is None and self.token is not None
        if not (by_password or by_token):
            raise InvalidArgument("a credential is a user with a password, or a token")
        if self.prefix is not None and not by_token:
            raise InvalidArgument("a prefix is for a key")
        if isinstance(self.user, bytes):
            object.__setattr__(self, "user", _user(self.user))

    def __repr__(self) -> str:
        who = "token" if self.token is not None else f"user={self.user!r}"
        return f"Credential({who}, <secret>, persistence={_word(self.persistence)!r})"

    __str__ = __repr__

    def to_wire(self) -> dict[str, Any]:
        """The wire members, secret included: for the socket only."""
        members: dict[str, Any] = (
            {"token": self.token} if self.token is not None else {"user": self.user, **self._password()}
        )
        members["persistence"] = _word(self.persistence)
        if self.limits is not None:
            members["limits"] = self.limits.to_wire()
        if self.preemptive:
            members["preemptive"] = True
        if self.prefix is not None:
            members["prefix"] = self.prefix
        return members

    def _password(self) -> dict[str, str | None]:
        """Octets that are UTF-8 are the text: a server sees no difference."""
        if not isinstance(self.password, bytes):
            return {"password": self.password}
        try:
            return {"password": self.password.decode()}
        except UnicodeDecodeError:
            return {"passwordBytes": base64.b64encode(self.password).decode()}


def _user(octets: bytes) -> str:
    """A user is a text: it is shown, listed and compared."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        raise InvalidArgument("a user is UTF-8") from None


@dataclass(frozen=True)
class Trust:
    """That a server's certificates are accepted, with the reasons that were shown and no others."""

    scope: TrustScope | str = TrustScope.CERTIFICATE
    persistence: Persistence | str = Persistence.NONE
    #: Those of time and number, of a decision for a task or a session. A use is a handshake.
    limits: Limits | None = None

    def to_wire(self) -> dict[str, Any]:
        """The wire members."""
        members: dict[str, Any] = {"trust": _word(self.scope), "persistence": _word(self.persistence)}
        if self.limits is not None:
            members["limits"] = self.limits.to_wire()
        return members


@dataclass(frozen=True)
class IdentityCredential:
    """A client certificate: one of the session, or a new one for the origin that asks."""

    identity: Identity | StoredIdentity | str
    persistence: Persistence | str = Persistence.FOR_SESSION
    #: Of a new one: those of time and number.
    limits: Limits | None = None

    def to_wire(self) -> dict[str, Any]:
        """The wire members, key included: for the socket only."""
        identity = self.identity
        if isinstance(identity, Identity):
            value: Any = identity.to_wire()
        else:
            value = identity.id if isinstance(identity, StoredIdentity) else identity
        members = {"identity": value, "persistence": _word(self.persistence)}
        if self.limits is not None:
            members["limits"] = self.limits.to_wire()
        return members


@holds_secrets("cache", "keytab")
@dataclass(frozen=True, repr=False)
class KerberosCredential:
    """Tickets for Negotiate, or the keys to get some. Prints as ``<secret>``.

    A text names a cache or keytab of the administrator's; the cache ``default`` holds the tickets of the daemon's
    account. Bytes are the contents of a file. A path is opened here, and the daemon reads the file.
    """

    cache: str | bytes | os.PathLike[str] | None = None
    keytab: str | bytes | os.PathLike[str] | None = None
    #: The principal that logs in with a keytab that is no name.
    principal: str | None = None
    persistence: Persistence | str = Persistence.FOR_SESSION
    limits: Limits | None = None

    def __post_init__(self) -> None:
        if (self.cache is None) == (self.keytab is None):
            raise InvalidArgument("a Kerberos credential is a cache or a keytab")
        needs_principal = self.keytab is not None and not isinstance(self.keytab, str)
        if needs_principal != (self.principal is not None):
            raise InvalidArgument("principal goes with the contents of a keytab")

    def __repr__(self) -> str:
        return f"KerberosCredential(<secret>, persistence={_word(self.persistence)!r})"

    __str__ = __repr__

    @property
    def file(self) -> os.PathLike[str] | None:
        """The file whose descriptor goes with the message."""
        source = self.cache if self.cache is not None else self.keytab
        return source if isinstance(source, os.PathLike) else None

    def to_wire(self) -> dict[str, Any]:
        """The wire members, secret included: for the socket only. A file is the first descriptor."""
        name, source = ("cache", self.cache) if self.cache is not None else ("keytab", self.keytab)
        members: dict[str, Any] = {name: source}
        if isinstance(source, bytes):
            members[name] = {"base64": base64.b64encode(source).decode()}
        elif isinstance(source, os.PathLike):
            members[name] = {"descriptor": 0}
        if self.principal is not None:
            members["principal"] = self.principal
        wire: dict[str, Any] = {"kerberos": members, "persistence": _word(self.persistence)}
        if self.limits is not None:
            wire["limits"] = self.limits.to_wire()
        return wire


@holds_secrets("passphrase")
@dataclass(frozen=True, repr=False)
class Passphrase:
    """Of the locked agent, for a challenge with the method ``agentUnlock``. Prints as ``<secret>``."""

    passphrase: str

    def __repr__(self) -> str:
        return "<secret>"

    def to_wire(self) -> dict[str, Any]:
        """The members of the credential."""
        return {"passphrase": self.passphrase}


@dataclass(frozen=True)
class SourceCredential:
    """What one of the administrator's sources gives; it is read again when its credential is refused or over."""

    #: As the daemon's configuration file names it.
    name: str
    #: ``none`` or ``for_session``.
    persistence: Persistence | str = Persistence.FOR_SESSION
    limits: Limits | None = None
    #: Goes with the first request, before the server asks.
    preemptive: bool = False
    #: Of a key: what stands in front of it in its header field.
    prefix: str | None = None

    def to_wire(self) -> dict[str, Any]:
        wire: dict[str, Any] = {"source": self.name, "persistence": _word(self.persistence)}
        if self.limits is not None:
            wire["limits"] = self.limits.to_wire()
        if self.preemptive:
            wire["preemptive"] = True
        if self.prefix is not None:
            wire["prefix"] = self.prefix
        return wire


AnyCredential = Union[Credential, KerberosCredential, SourceCredential, Trust, IdentityCredential, Passphrase]
#: What can be stored before a challenge.
StorableCredential = Union[Credential, KerberosCredential, SourceCredential]


def _word(value: Enum | str) -> str:
    return str(value.value) if isinstance(value, Enum) else value
