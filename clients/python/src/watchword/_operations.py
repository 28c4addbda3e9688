"""Every other request as a value (see _credential_operations).

Both APIs run these; neither knows a method's name.
"""

from __future__ import annotations

import contextlib
import os
import socket
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._challenges import (
    Answer,
    Challenge,
    read_challenge,
)
from ._credential_operations import with_file
from ._credentials import Limits, Persistence
from ._errors import InvalidArgument, ProtocolError
from ._identities import Identity, StoredIdentity, TokenCertificate, read_identity, read_token_certificate
from ._operation import Operation, as_it_came, members, no_result, objects, parameters, plain, reader
from ._response import HeaderTypes, fields_to_wire
from ._restrictions import FetchRule
from ._trust import TrustDecision, read_trust_decision
from ._version import __version__

if TYPE_CHECKING:
    from . import results

__all__ = ["DaemonInfo", "call", "initialize"]


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
    #: What earlier daemons of this protocol have not; none from a daemon that is older than the list itself.
    features: Collection[str] = ()


PROTOCOL_VERSION = "1"


def initialize(name: str) -> Operation[DaemonInfo]:
    """Hello: names this client and says that it takes descriptors."""

    def read(result: Any) -> DaemonInfo:
        r = reader(result)
        info = DaemonInfo(
            r.string("name"),
            r.string("version"),
            r.string("protocolVersion"),
            r.integer("pid"),
            r.integer("uid"),
            r.mapping("limits", {}),
            r.mapping("capabilities", {}),
            frozenset(r.strings("features", ())),
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
    return Operation(method, params, as_it_came, text=None if params else "{}")


def ping() -> Operation[None]:
    return Operation("ping", None, no_result, text="{}")


def discover() -> Operation[results.OpenRPCDocument]:
    return Operation("rpc.discover", {}, plain(members))


# Sessions


def _as_sent(configuration: Any) -> Any:
    """What is no object goes as it is, and the daemon says so."""
    return dict(configuration) if isinstance(configuration, Mapping) else configuration


def open_session(
    name: str | None,
    configuration: Mapping[str, Any] | None,
    tasks: Sequence[str],
    session: Sequence[str],
    trust_verdicts: str | None = None,
    by_settings: bool = False,
    variant: str | None = None,
) -> Operation[tuple[str, bool]]:
    def read(result: Any) -> tuple[str, bool]:
        r = reader(result)
        for text in r.strings("warnings", ()):
            warnings.warn(text, stacklevel=2)
        return r.string("session"), r.boolean("created")

    delegate: dict[str, Any] = {}
    if tasks:
        delegate["tasks"] = list(tasks)
    if session:
        delegate["session"] = list(session)
    if delegate and trust_verdicts is not None:
        delegate["trustVerdicts"] = trust_verdicts

    def undo(opened: tuple[str, bool]) -> Operation[None] | None:
        # One that was there may be in use by this client.
        session, created = opened
        return session_verb("close", session) if created else None

    settings = _as_sent(configuration)
    return Operation(
        "session/open",
        parameters(
            name=name,
            configuration=settings,
            bySettings=by_settings or None,
            variant=variant,
            delegate=delegate or None,
        ),
        plain(read),
        undo=undo,
    )


def session_verb(verb: str, session: str) -> Operation[None]:
    """``close``, ``finish``, ``invalidate`` or ``reset``."""
    return Operation(f"session/{verb}", {"session": session}, no_result)


def configure_session(session: str, configuration: Mapping[str, Any]) -> Operation[results.ConfiguredSession]:
    params = {"session": session, "configuration": _as_sent(configuration)}
    return Operation("session/configure", params, plain(members))


def prune_sessions(older_than: float | None) -> Operation[list[str]]:
    params = parameters(olderThanSeconds=older_than)
    return Operation("session/prune", params, plain(lambda result: reader(result).strings("sessions")))


def list_sessions() -> Operation[list[results.SessionSummary]]:
    return Operation("session/list", {}, plain(objects("sessions")))


def describe_session(session: str) -> Operation[results.SessionDescription]:
    return Operation("session/describe", {"session": session}, plain(members))


def explain(
    session: str | None,
    url: str,
    method: str | None,
    proxies: str | Mapping[str, Any] | None = None,
    headers: HeaderTypes | None = None,
) -> Operation[results.Explanation]:
    params = parameters(session=session, url=url, method=method)
    if headers:
        params["headers"] = fields_to_wire(headers)
    if proxies is not None:
        params["proxies"] = proxies if isinstance(proxies, str) else dict(proxies)
    return Operation("explain", params, plain(members))


def history(limit: int | None, user: str | None, origin: str | None) -> Operation[list[results.HistoryEntry]]:
    params = parameters(limit=limit, user=user, origin=origin)
    return Operation("credential/history", params, plain(objects("entries")))


# Restrictions


def restrict(rules: Sequence[FetchRule], session: str | None, expires_seconds: float | None) -> Operation[str]:
    return Operation("peer/restrict", _restriction(rules, session, expires_seconds), plain(_restriction_name))


def listen(
    descriptor: int, rules: Sequence[FetchRule], session: str | None, expires_seconds: float | None
) -> Operation[str]:
    params = {"descriptor": 0, **_restriction(rules, session, expires_seconds)}
    try:
        copy = _ListeningSocket(os.dup(descriptor))
    except OSError as error:
        raise InvalidArgument(f"the socket cannot be passed on: {error.strerror}") from error
    return Operation(
        "peer/listen", params, plain(_restriction_name), descriptors=(descriptor,), undo=lambda _: copy.end()
    )


class _ListeningSocket:
    """A copy of a socket that listens: the daemon serves it until the socket itself has been shut down."""

    def __init__(self, own: int) -> None:
        self._socket = socket.socket(fileno=own)

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def __del__(self) -> None:
        self._socket.close()


def _restriction(rules: Sequence[FetchRule], session: str | None, expires_seconds: float | None) -> dict[str, Any]:
    wire = [rule.to_wire() for rule in rules]
    return parameters(session=session, rules=wire, expiresSeconds=expires_seconds)


def _restriction_name(result: Any) -> str:
    return reader(result).string("restriction")


# Tasks


def task_verb(verb: str, task: str) -> Operation[None]:
    """``cancel``, ``suspend`` or ``resume``."""
    return Operation(f"task/{verb}", {"task": task}, no_result)


def list_tasks(session: str | None) -> Operation[list[results.TaskSummary]]:
    return Operation("task/list", parameters(session=session), plain(objects("tasks")))


def describe_task(task: str) -> Operation[results.TaskDescription]:
    return Operation("task/describe", {"task": task}, plain(members))


def reply_to_redirect(task: str, request: Mapping[str, Any] | None) -> Operation[None]:
    return Operation("redirect/reply", {"task": task, "request": request}, no_result)


# Challenges


def reply_to_challenge(challenge: str, answer: Answer) -> Operation[None]:
    return with_file(answer.credential, "challenge/reply", answer.to_wire(challenge))


def list_challenges(session: str | None) -> Operation[list[Challenge]]:
    def read(result: Any) -> list[Challenge]:
        return [read_challenge(item) for item in reader(result).array("challenges")]

    return Operation("challenge/list", parameters(session=session), plain(read))


def describe_challenge(challenge: str) -> Operation[Challenge]:
    return Operation("challenge/describe", {"challenge": challenge}, plain(read_challenge))


# Trust


def list_trust(session: str | None) -> Operation[list[TrustDecision]]:
    def read(result: Any) -> list[TrustDecision]:
        return [read_trust_decision(item) for item in reader(result).objects("trust")]

    return Operation("trust/list", parameters(session=session), plain(read))


def remove_trust(session: str | None, decision: TrustDecision | str | None, origin: str | None) -> Operation[int]:
    identifier = decision.id if isinstance(decision, TrustDecision) else decision
    return Operation(
        "trust/remove",
        parameters(session=session, trust=identifier, origin=origin),
        plain(lambda result: reader(result).integer("removed")),
    )


def add_roots(certificates: str) -> Operation[results.RootAddition]:
    return Operation("trust/addRoots", {"certificates": certificates}, plain(members))


def list_roots() -> Operation[list[results.Root]]:
    return Operation("trust/listRoots", {}, plain(objects("roots")))


def remove_roots(root: results.Root | str | None) -> Operation[int]:
    fingerprint = root if root is None or isinstance(root, str) else root["sha256"]
    return Operation(
        "trust/removeRoots", parameters(root=fingerprint), plain(lambda result: reader(result).integer("removed"))
    )


# Identities


def add_identity(
    session: str | None, identity: Identity, limits: Limits | None, persistence: Persistence | str
) -> Operation[str]:
    return Operation(
        "identity/add",
        parameters(
            session=session,
            identity=identity.to_wire(),
            limits=None if limits is None else limits.to_wire(),
            persistence=None if persistence == Persistence.FOR_SESSION else str(Persistence(persistence).value),
        ),
        plain(lambda result: reader(result).string("identity")),
    )


def list_identities(session: str | None) -> Operation[list[StoredIdentity]]:
    def read(result: Any) -> list[StoredIdentity]:
        return [read_identity(item) for item in reader(result).objects("identities")]

    return Operation("identity/list", parameters(session=session), plain(read))


def list_tokens() -> Operation[list[TokenCertificate]]:
    def read(result: Any) -> list[TokenCertificate]:
        return [read_token_certificate(item) for item in reader(result).objects("identities")]

    return Operation("identity/tokens", {}, plain(read))


def remove_identity(session: str | None, identity: StoredIdentity | str | None) -> Operation[int]:
    identifier = identity.id if isinstance(identity, StoredIdentity) else identity
    return Operation(
        "identity/remove",
        parameters(session=session, identity=identifier),
        plain(lambda result: reader(result).integer("removed")),
    )


# Cookies


def list_cookies(session: str | None, url: str | None) -> Operation[list[results.Cookie]]:
    return Operation("cookie/list", parameters(session=session, url=url), plain(objects("cookies")))


def set_cookie(session: str | None, cookie: Mapping[str, Any]) -> Operation[None]:
    return Operation("cookie/set", parameters(session=session, cookie=dict(cookie)), no_result)


def remove_cookies(session: str | None, domain: str | None, name: str | None) -> Operation[int]:
    return Operation(
        "cookie/remove",
        parameters(session=session, domain=domain, name=name),
        plain(lambda result: reader(result).integer("removed")),
    )


# The daemon


def status() -> Operation[results.StatusSnapshot]:
    return Operation("status", {}, plain(members))


def subscribe_to_status(interval_seconds: float) -> Operation[None]:
    return Operation("status/subscribe", {"intervalSeconds": interval_seconds}, no_result)


def unsubscribe_from_status() -> Operation[None]:
    return Operation("status/unsubscribe", {}, no_result)


def server_configuration() -> Operation[results.ServerConfiguration]:
    return Operation("server/configuration", {}, plain(members))


def reload_server() -> Operation[None]:
    return Operation("server/reload", {}, no_result)


def restart_server() -> Operation[None]:
    return Operation("server/restart", {}, no_result)


def shut_down_server(graceful: bool) -> Operation[None]:
    return Operation("server/shutdown", {"graceful": graceful}, no_result)
