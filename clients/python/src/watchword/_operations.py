"""Every request as a value: method, parameters, descriptors, and how its result is read.

Both APIs run these; neither knows a method's name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Generic, TypeVar, cast

from ._challenges import (
    Answer,
    Challenge,
    ProtectionSpace,
    read_challenge,
    read_protection_space,
    read_time,
)
from ._credentials import AnyCredential, KerberosCredential, Limits, StorableCredential
from ._errors import ProtocolError
from ._explanation import Explanation
from ._identities import Identity, StoredIdentity, TokenCertificate, read_identity, read_token_certificate
from ._json import Reader
from ._protocol import close_descriptors
from ._restrictions import FetchRule
from ._trust import TrustDecision, read_trust_decision
from ._version import __version__

__all__ = ["DaemonInfo", "ImportResult", "Operation", "ReadCredential", "StoredCredential", "call", "initialize"]

T = TypeVar("T")
Decode = Callable[[Any, Sequence[int]], T]


class Operation(Generic[T]):
    """One request. ``owned`` are descriptors made for it, closed once it was sent.

    ``text`` is the parameters as JSON text, where somebody already wrote them. Has no repr: it may hold a secret.
    """

    __slots__ = ("decode", "descriptors", "method", "owned", "params", "task", "text")

    def __init__(
        self,
        method: str,
        params: Any,
        decode: Decode[T],
        *,
        descriptors: Sequence[int] = (),
        owned: Sequence[int] = (),
        task: str | None = None,
        text: str | None = None,
    ) -> None:
        self.method = method
        self.params = params
        self.decode = decode
        self.descriptors = descriptors
        self.owned = owned
        self.task = task
        self.text = text

    def discard(self) -> None:
        """Closes the descriptors that were made for it."""
        owned, self.owned = self.owned, ()
        close_descriptors(owned)


def plain(read: Callable[[Any], T]) -> Decode[T]:
    """A reader for results that bring no descriptors."""

    def decode(result: Any, descriptors: Sequence[int]) -> T:
        close_descriptors(descriptors)
        return read(result)

    return decode


def _reader(result: Any) -> Reader:
    return Reader(result, "result")


def _object(result: Any) -> dict[str, Any]:
    return _reader(result).members


def _nothing(result: Any) -> None:
    _reader(result)


_no_result = plain(_nothing)
_as_it_came: Decode[Any] = plain(lambda result: result)


def _list(name: str) -> Callable[[Any], list[dict[str, Any]]]:
    return lambda result: [item.members for item in _reader(result).objects(name)]


def _params(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


@dataclass(frozen=True)
class DaemonInfo:
    """What the daemon said of itself in ``initialize``."""

    name: str
    version: str
    protocol_version: str
    pid: int
    uid: int
    limits: Mapping[str, float]
    capabilities: Mapping[str, Any]


PROTOCOL_VERSION = "1"


def initialize(name: str) -> Operation[DaemonInfo]:
    """Hello: names this client and says that it takes descriptors."""

    def read(result: Any) -> DaemonInfo:
        r = _reader(result)
        info = DaemonInfo(
            r.string("name"),
            r.string("version"),
            r.string("protocolVersion"),
            r.integer("pid"),
            r.integer("uid"),
            r.mapping("limits", {}),
            r.mapping("capabilities", {}),
        )
        if info.protocol_version != PROTOCOL_VERSION:
            raise ProtocolError(f"the daemon speaks another protocol version than {PROTOCOL_VERSION}")
        return info

    params = {
        "name": name,
        "version": __version__,
        "protocolVersion": PROTOCOL_VERSION,
        "capabilities": {"descriptors": True},
    }
    return Operation("initialize", params, plain(read))


def call(method: str, params: Any) -> Operation[Any]:
    """Any method by name, its result as it came."""
    return Operation(method, params, _as_it_came, text=None if params else "{}")


def ping() -> Operation[None]:
    return Operation("ping", None, _no_result, text="{}")


def discover() -> Operation[dict[str, Any]]:
    return Operation("rpc.discover", {}, plain(_object))


# Sessions


def open_session(
    name: str | None,
    configuration: Mapping[str, Any] | None,
    tasks: Sequence[str],
    session: Sequence[str],
    trust_verdicts: str | None = None,
) -> Operation[tuple[str, bool]]:
    def read(result: Any) -> tuple[str, bool]:
        r = _reader(result)
        return r.string("session"), r.boolean("created")

    delegate: dict[str, Any] = {}
    if tasks:
        delegate["tasks"] = list(tasks)
    if session:
        delegate["session"] = list(session)
    if delegate and trust_verdicts is not None:
        delegate["trustVerdicts"] = trust_verdicts
    settings = None if configuration is None else dict(configuration)
    return Operation(
        "session/open",
        _params(name=name, configuration=settings, delegate=delegate or None),
        plain(read),
    )


def session_verb(verb: str, session: str) -> Operation[None]:
    """``close``, ``finish``, ``invalidate`` or ``reset``."""
    return Operation(f"session/{verb}", {"session": session}, _no_result)


def list_sessions() -> Operation[list[dict[str, Any]]]:
    return Operation("session/list", {}, plain(_list("sessions")))


def describe_session(session: str) -> Operation[dict[str, Any]]:
    return Operation("session/describe", {"session": session}, plain(_object))


def explain(
    session: str | None, url: str, method: str | None, proxies: str | Mapping[str, Any] | None = None
) -> Operation[Explanation]:
    params = _params(session=session, url=url, method=method)
    if proxies is not None:
        params["proxies"] = proxies if isinstance(proxies, str) else dict(proxies)
    return Operation("explain", params, plain(lambda result: cast(Explanation, _object(result))))


def history(limit: int | None, user: str | None, origin: str | None) -> Operation[list[dict[str, Any]]]:
    params = _params(limit=limit, user=user, origin=origin)
    return Operation("credential/history", params, plain(_list("entries")))


# Restrictions


def restrict(rules: Sequence[FetchRule], session: str | None, expires_seconds: float | None) -> Operation[str]:
    return Operation("peer/restrict", _restriction(rules, session, expires_seconds), plain(_restriction_name))


def listen(
    descriptor: int, rules: Sequence[FetchRule], session: str | None, expires_seconds: float | None
) -> Operation[str]:
    params = {"descriptor": 0, **_restriction(rules, session, expires_seconds)}
    return Operation("peer/listen", params, plain(_restriction_name), descriptors=(descriptor,))


def _restriction(rules: Sequence[FetchRule], session: str | None, expires_seconds: float | None) -> dict[str, Any]:
    wire = [rule.to_wire() for rule in rules]
    return _params(session=session, rules=wire, expiresSeconds=expires_seconds)


def _restriction_name(result: Any) -> str:
    return _reader(result).string("restriction")


# Tasks


def task_verb(verb: str, task: str) -> Operation[None]:
    """``cancel``, ``suspend`` or ``resume``."""
    return Operation(f"task/{verb}", {"task": task}, _no_result)


def list_tasks(session: str | None) -> Operation[list[dict[str, Any]]]:
    return Operation("task/list", _params(session=session), plain(_list("tasks")))


def describe_task(task: str) -> Operation[dict[str, Any]]:
    return Operation("task/describe", {"task": task}, plain(_object))


def reply_to_redirect(task: str, request: Mapping[str, Any] | None) -> Operation[None]:
    return Operation("redirect/reply", {"task": task, "request": request}, _no_result)


# Challenges


def reply_to_challenge(challenge: str, answer: Answer) -> Operation[None]:
    return _with_file(answer.credential, "challenge/reply", answer.to_wire(challenge))


def list_challenges(session: str | None) -> Operation[list[Challenge]]:
    def read(result: Any) -> list[Challenge]:
        return [read_challenge(item) for item in _reader(result).array("challenges")]

    return Operation("challenge/list", _params(session=session), plain(read))


def describe_challenge(challenge: str) -> Operation[Challenge]:
    return Operation("challenge/describe", {"challenge": challenge}, plain(read_challenge))


# Credentials


@dataclass(frozen=True)
class StoredCredential:
    """A credential as the daemon lists it: whose, for what, until when; never the secret."""

    protection_space: ProtectionSpace
    user: str | None
    kind: str
    persistence: str
    is_default: bool
    source: str
    #: For the source ``named``: the administrator's.
    source_name: str | None
    #: Whether ``read_credential`` gives its secret back.
    readable: bool
    uses: int
    created: datetime | None
    last_used: datetime | None
    seconds_left: float | None
    limits: Mapping[str, Any]


@dataclass(frozen=True)
class ReadCredential:
    """A credential that was stored to be given back. ``secret`` is the password, or the token when ``user`` is None."""

    user: str | None
    secret: str = field(repr=False)
    seconds_left: float | None


def set_credential(
    session: str | None,
    space: ProtectionSpace,
    credential: StorableCredential,
    default: bool | None,
    readable: bool | None,
) -> Operation[None]:
    params = _params(
        session=session,
        protectionSpace=space.to_wire(),
        credential=credential.to_wire(),
        default=default,
        readable=readable,
    )
    return _with_file(credential, "credential/set", params)


def _with_file(credential: AnyCredential | None, method: str, params: dict[str, Any]) -> Operation[None]:
    """A request about a credential, which may be in a file."""
    file = credential.file if isinstance(credential, KerberosCredential) else None
    opened = () if file is None else (os.open(file, os.O_RDONLY | os.O_CLOEXEC),)
    return Operation(method, params, _no_result, descriptors=opened, owned=opened)


class _Memory:
    """A file in memory that the daemon writes a secret to; gone with its last reference."""

    def __init__(self) -> None:
        self.number = os.memfd_create("watchword", os.MFD_CLOEXEC)

    def __del__(self) -> None:
        os.close(self.number)


def read_credential(
    session: str | None, space: ProtectionSpace, user: str | None, path: str | None
) -> Operation[ReadCredential]:
    memory = _Memory()

    def read(result: Any) -> ReadCredential:
        r = _reader(result)
        secret = os.pread(memory.number, r.integer("size"), 0)
        return ReadCredential(r.string_or_none("user"), secret.decode(), r.number_or_none("secondsLeft"))

    params = _params(session=session, protectionSpace=space.to_wire(), user=user, path=path, descriptor=0)
    return Operation("credential/read", params, plain(read), descriptors=(memory.number,))


def list_credentials(session: str | None) -> Operation[list[StoredCredential]]:
    def read(result: Any) -> list[StoredCredential]:
        return [_stored(item) for item in _reader(result).objects("credentials")]

    return Operation("credential/list", _params(session=session), plain(read))


def _stored(r: Reader) -> StoredCredential:
    def time(name: str) -> datetime | None:
        return None if r.members.get(name) is None else read_time(r, name)

    return StoredCredential(
        protection_space=read_protection_space(r.object("protectionSpace")),
        user=r.string_or_none("user"),
        kind=r.string("kind"),
        persistence=r.string("persistence"),
        is_default=r.boolean("isDefault", False),
        source=r.string("source"),
        source_name=r.string_or_none("sourceName"),
        readable=r.boolean("readable", False),
        uses=r.integer("uses", 0),
        created=time("created"),
        last_used=time("lastUsed"),
        seconds_left=r.number_or_none("secondsLeft"),
        limits={} if r.members.get("limits") is None else r.mapping("limits"),
    )


def remove_credential(session: str | None, space: ProtectionSpace, user: str | None) -> Operation[int]:
    return Operation(
        "credential/remove",
        _params(session=session, protectionSpace=space.to_wire(), user=user),
        plain(lambda result: _reader(result).integer("removed")),
    )


def set_default_credential(session: str | None, space: ProtectionSpace, user: str) -> Operation[None]:
    params = _params(session=session, protectionSpace=space.to_wire(), user=user)
    return Operation("credential/setDefault", params, _no_result)


# Trust


def list_trust(session: str | None) -> Operation[list[TrustDecision]]:
    def read(result: Any) -> list[TrustDecision]:
        return [read_trust_decision(item) for item in _reader(result).objects("trust")]

    return Operation("trust/list", _params(session=session), plain(read))


def remove_trust(session: str | None, decision: TrustDecision | str | None, origin: str | None) -> Operation[int]:
    identifier = decision.id if isinstance(decision, TrustDecision) else decision
    return Operation(
        "trust/remove",
        _params(session=session, trust=identifier, origin=origin),
        plain(lambda result: _reader(result).integer("removed")),
    )


# Identities


def add_identity(session: str | None, identity: Identity, limits: Limits | None) -> Operation[str]:
    return Operation(
        "identity/add",
        _params(session=session, identity=identity.to_wire(), limits=None if limits is None else limits.to_wire()),
        plain(lambda result: _reader(result).string("identity")),
    )


def list_identities(session: str | None) -> Operation[list[StoredIdentity]]:
    def read(result: Any) -> list[StoredIdentity]:
        return [read_identity(item) for item in _reader(result).objects("identities")]

    return Operation("identity/list", _params(session=session), plain(read))


def list_tokens() -> Operation[list[TokenCertificate]]:
    def read(result: Any) -> list[TokenCertificate]:
        return [read_token_certificate(item) for item in _reader(result).objects("identities")]

    return Operation("identity/tokens", {}, plain(read))


def remove_identity(session: str | None, identity: StoredIdentity | str | None) -> Operation[int]:
    identifier = identity.id if isinstance(identity, StoredIdentity) else identity
    return Operation(
        "identity/remove",
        _params(session=session, identity=identifier),
        plain(lambda result: _reader(result).integer("removed")),
    )


# Cookies


def list_cookies(session: str | None, url: str | None) -> Operation[list[dict[str, Any]]]:
    return Operation("cookie/list", _params(session=session, url=url), plain(_list("cookies")))


def set_cookie(session: str | None, cookie: Mapping[str, Any]) -> Operation[None]:
    return Operation("cookie/set", _params(session=session, cookie=dict(cookie)), _no_result)


def remove_cookies(session: str | None, domain: str | None, name: str | None) -> Operation[int]:
    return Operation(
        "cookie/remove",
        _params(session=session, domain=domain, name=name),
        plain(lambda result: _reader(result).integer("removed")),
    )


# The daemon


def status() -> Operation[dict[str, Any]]:
    return Operation("status", {}, plain(_object))


def subscribe_to_status(interval_seconds: float) -> Operation[None]:
    return Operation("status/subscribe", {"intervalSeconds": interval_seconds}, _no_result)


def unsubscribe_from_status() -> Operation[None]:
    return Operation("status/unsubscribe", {}, _no_result)


def make_vault(passphrase: str | None) -> Operation[None]:
    return Operation("vault/init", _params(passphrase=passphrase), _no_result)


def set_vault_passphrase(passphrase: str, keep_others: bool) -> Operation[None]:
    params = _params(passphrase=passphrase, keepOthers=keep_others or None)
    return Operation("vault/passphrase", params, _no_result)


def rekey_vault() -> Operation[None]:
    return Operation("vault/rekey", {}, _no_result)


def check_vault() -> Operation[dict[str, Any]]:
    return Operation("vault/check", {}, plain(_object))


def export_credentials(descriptor: int, passphrase: str) -> Operation[int]:
    return Operation(
        "vault/export",
        {"descriptor": 0, "passphrase": passphrase},
        plain(lambda result: _reader(result).integer("credentials")),
        descriptors=(descriptor,),
    )


@dataclass(frozen=True)
class ImportResult:
    """What became of the credentials of an export."""

    added: int
    #: Older ones of the vault.
    replaced: int
    #: Expired, or the vault has the same or a newer one of this user.
    skipped: int


def import_credentials(descriptor: int, passphrase: str) -> Operation[ImportResult]:
    def read(result: Any) -> ImportResult:
        r = _reader(result)
        return ImportResult(r.integer("added"), r.integer("replaced"), r.integer("skipped"))

    params = {"descriptor": 0, "passphrase": passphrase}
    return Operation("vault/import", params, plain(read), descriptors=(descriptor,))


def lock(passphrase: str) -> Operation[None]:
    return Operation("agent/lock", {"passphrase": passphrase}, _no_result)


def unlock(passphrase: str) -> Operation[None]:
    return Operation("agent/unlock", {"passphrase": passphrase}, _no_result)


def forget() -> Operation[None]:
    return Operation("agent/forget", {}, _no_result)


def reload_server() -> Operation[None]:
    return Operation("server/reload", {}, _no_result)


def shut_down_server(graceful: bool) -> Operation[None]:
    return Operation("server/shutdown", {"graceful": graceful}, _no_result)
