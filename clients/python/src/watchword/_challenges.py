"""The vocabulary of a challenge: what is asked, by whom, and what can be answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Optional

from ._credentials import AnyCredential, Credential, IdentityCredential, Limits, Passphrase, Persistence, Trust
from ._generated.enumerations import Disposition
from ._identities import Identity, StoredIdentity
from ._json import Reader, read_time
from ._spaces import ProtectionSpace, read_protection_space
from ._trust import ServerTrust, TrustScope

__all__ = [
    "Answer",
    "Challenge",
    "ChallengeHandler",
    "DeviceCode",
    "Disposition",
    "FailureResponse",
    "Offer",
    "ProposedCredential",
    "UnusableOffer",
    "Waiter",
    "cancel",
    "perform_default_handling",
    "read_challenge",
    "reject",
    "trust_certificate",
    "trust_public_key",
    "use_credential",
    "use_identity",
    "use_no_credential",
    "use_passphrase",
    "use_token",
]


@dataclass(frozen=True)
class Offer:
    """One method that the refusing response offered, in the order in which it will be tried."""

    authentication_method: str
    realm: str | None
    parameters: Mapping[str, Any]
    #: The realm exactly, in base64, where it is not UTF-8 and ``realm`` has replacements.
    realm_bytes: str | None = None


@dataclass(frozen=True)
class UnusableOffer:
    """A challenge of a response that cannot be answered.

    ``scheme`` is the server's text, empty when no name could be read; ``reason`` such as ``malformed`` or
    ``unknownMethod``.
    """

    scheme: str
    reason: str


def read_unusable_offers(reader: Reader) -> list[UnusableOffer]:
    """The first 16 challenges that cannot be answered, of a challenge or a result."""
    return [UnusableOffer(o.string("scheme"), o.string("reason")) for o in reader.objects("unusableOffers", ())]


@dataclass(frozen=True)
class ProposedCredential:
    """Whose credential the session would use if let; never its secret."""

    user: str | None
    source: str


@dataclass(frozen=True)
class FailureResponse:
    """The response that refused."""

    status: int
    headers: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Waiter:
    """A task that waits for the answer, and its process. ``executable`` is a hint, never a right."""

    task: str
    pid: int | None
    uid: int | None
    executable: str | None


@dataclass(frozen=True)
class DeviceCode:
    """What a person enters at a page of an authorization server, so that the administrator's source gets a token."""

    source: str
    verification_uri: str
    user_code: str
    #: The same page with the code in it.
    verification_uri_complete: str | None = None


@dataclass(frozen=True)
class Challenge:
    """One question put to this connection; exactly one answer counts, and it has a deadline."""

    id: str
    session: str
    task: str | None
    url: str
    origin: str | None
    protection_space: ProtectionSpace
    offers: Sequence[Offer]
    proposed_credential: ProposedCredential | None
    previous_failure_count: int
    failure_response: FailureResponse | None
    error: Mapping[str, Any] | None
    waiters: Sequence[Waiter]
    deadline: datetime | None
    #: For a client certificate: the ids of the session's that fit, the one of default handling first.
    identities: Sequence[str] | None = None
    #: Set when a person answers elsewhere: a handler shows it and returns None; the challenge settles itself.
    device_code: DeviceCode | None = None
    #: How many tasks wait in all; a message has at most 4,096 of them.
    waiter_count: int = 0
    #: The processes that were asked, the one that can still answer last.
    asked: Sequence[int] = ()
    #: For how long it has waited for a reply.
    waited_seconds: float = 0.0
    #: How many offers are left in all; a message has at most 16 of them.
    offer_count: int = 0
    #: The challenges of the refusing response that cannot be answered, and why; 16 of them at most.
    unusable_offers: Sequence[UnusableOffer] = ()
    #: How many of these there are in all.
    unusable_offer_count: int = 0
    #: The URL of the proxy that the fetch has chosen itself, through which the credential goes; None: none of its own.
    proxy: str | None = None
    #: The server that a ``Host`` field names in place of the URL's, in lower case; None: no other one.
    host_field: str | None = None
    #: What callers of the session have chosen of the way to the server, and neither the user nor the administrator:
    #: ``roots``, ``addresses``, ``proxy``, ``acceptedCertificate``.
    callers_ways: Sequence[str] = ()
    #: As the daemon sent it.
    wire: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def authentication_method(self) -> str:
        """The method asked for, such as ``digest``."""
        return self.protection_space.authentication_method

    @property
    def server_trust(self) -> ServerTrust | None:
        """The server's certificates and the verdict on them, when that is what is asked about."""
        return self.protection_space.server_trust

    def __str__(self) -> str:
        again = f", refused {self.previous_failure_count} times" if self.previous_failure_count else ""
        return f"{self.protection_space}{again}"


@dataclass(frozen=True)
class Answer:
    """What a handler returns. A credential counts beside ``useCredential`` only."""

    disposition: Disposition
    credential: AnyCredential | None = None
    #: Why, in words for people: ``history()`` has it.
    because: str | None = None

    def to_wire(self, challenge: str) -> dict[str, Any]:
        """The parameters of ``challenge/reply``."""
        members: dict[str, Any] = {"challenge": challenge, "disposition": self.disposition.value}
        if self.disposition is Disposition.USE_CREDENTIAL:
            members["credential"] = None if self.credential is None else self.credential.to_wire()
        if self.because is not None:
            members["because"] = self.because
        return members


#: A plain function from challenge to answer; None leaves a challenge with ``device_code`` to the person. With
#: ``AsyncClient`` it may be a coroutine function.
ChallengeHandler = Callable[[Challenge], Optional[Answer]]


def use_credential(
    user: str | bytes,
    password: str | bytes,
    *,
    persistence: Persistence | str = Persistence.FOR_SESSION,
    limits: Limits | None = None,
    preemptive: bool = False,
) -> Answer:
    """Answers with a user and a password; octets that are not UTF-8 go to servers with Basic only.

    With ``preemptive``, later requests to the paths of ``limits``, or to the origin, carry it before the server asks.
    """
    return Answer(
        Disposition.USE_CREDENTIAL,
        Credential(user=user, password=password, persistence=persistence, limits=limits, preemptive=preemptive),
    )


def use_token(
    token: str,
    *,
    persistence: Persistence | str = Persistence.FOR_SESSION,
    limits: Limits | None = None,
    preemptive: bool = False,
) -> Answer:
    """Answers with a bearer token; ``preemptive`` as in ``use_credential``."""
    return Answer(
        Disposition.USE_CREDENTIAL,
        Credential(token=token, persistence=persistence, limits=limits, preemptive=preemptive),
    )


def use_passphrase(passphrase: str) -> Answer:
    """Answers the challenge of a locked agent (the method ``agentUnlock``) with the passphrase that locked it."""
    return Answer(Disposition.USE_CREDENTIAL, Passphrase(passphrase))


def trust_certificate(
    *,
    persistence: Persistence | str = Persistence.NONE,
    limits: Limits | None = None,
    because: str | None = None,
) -> Answer:
    """Accepts the server's certificates as they were shown, for this fetch; ``forSession`` for every process of it.

    ``because`` says why, for the history.
    """
    return Answer(Disposition.USE_CREDENTIAL, Trust(TrustScope.CERTIFICATE, persistence, limits), because)


def trust_public_key(
    *,
    persistence: Persistence | str = Persistence.NONE,
    limits: Limits | None = None,
    because: str | None = None,
) -> Answer:
    """Accepts the server's key under any certificate that has the same faults."""
    return Answer(Disposition.USE_CREDENTIAL, Trust(TrustScope.PUBLIC_KEY, persistence, limits), because)


def use_identity(
    identity: Identity | StoredIdentity | str,
    *,
    persistence: Persistence | str = Persistence.FOR_SESSION,
    limits: Limits | None = None,
) -> Answer:
    """Answers a server that asks for a client certificate: with a new one, or by the id of one of the session."""
    return Answer(Disposition.USE_CREDENTIAL, IdentityCredential(identity, persistence, limits))


def use_no_credential() -> Answer:
    """Goes on without: the 401 is delivered, and no client certificate is presented."""
    return Answer(Disposition.USE_CREDENTIAL)


def perform_default_handling() -> Answer:
    """As if there were no delegate: the next offer is tried; without one, the 401 is delivered.

    For a credential that waits for confirmation, it confirms its use.
    """
    return Answer(Disposition.PERFORM_DEFAULT_HANDLING)


def cancel() -> Answer:
    """Fails the task with UserCancelledAuthentication."""
    return Answer(Disposition.CANCEL)


def reject() -> Answer:
    """Strikes this offer for this task; the next one is tried, and after the last the 401 is delivered."""
    return Answer(Disposition.REJECT)


def read_challenge(value: Any) -> Challenge:
    """The challenge in a notification or in a result of ``challenge/list``."""
    reader = Reader(value, "challenge")
    proposed = reader.object_or_none("proposedCredential")
    failure = reader.object_or_none("failureResponse")
    return Challenge(
        id=reader.string("challenge"),
        session=reader.string("session"),
        task=reader.string_or_none("task"),
        url=reader.string("url"),
        origin=reader.string_or_none("origin"),
        protection_space=read_protection_space(reader.object("protectionSpace")),
        offers=[
            Offer(
                o.string("authenticationMethod"),
                o.string_or_none("realm"),
                o.mapping("parameters", {}),
                o.string_or_none("realmBytes"),
            )
            for o in reader.objects("offers", ())
        ],
        proposed_credential=None
        if proposed is None
        else ProposedCredential(proposed.string_or_none("user"), proposed.string("source")),
        previous_failure_count=reader.integer("previousFailureCount", 0),
        failure_response=None
        if failure is None
        else FailureResponse(failure.integer("status"), failure.pairs("headers", ())),
        error=None if reader.members.get("error") is None else reader.mapping("error"),
        waiters=[
            Waiter(
                w.string("task"),
                w.integer_or_none("pid"),
                w.integer_or_none("uid"),
                w.string_or_none("executable"),
            )
            for w in reader.objects("waiters", ())
        ],
        deadline=_deadline(reader),
        identities=None if reader.members.get("identities") is None else reader.strings("identities"),
        device_code=_device_code(reader),
        waiter_count=reader.integer("waiterCount", 0),
        asked=[pid for pid in reader.array("asked", ()) if type(pid) is int],
        waited_seconds=reader.number("waitedSeconds", 0.0),
        offer_count=reader.integer("offerCount", len(reader.array("offers", ()))),
        unusable_offers=read_unusable_offers(reader),
        unusable_offer_count=reader.integer("unusableOfferCount", len(reader.array("unusableOffers", ()))),
        proxy=reader.string_or_none("proxy"),
        host_field=reader.string_or_none("hostField"),
        callers_ways=reader.strings("callersWays", ()),
        wire=reader.members,
    )


def _device_code(reader: Reader) -> DeviceCode | None:
    # Only the daemon writes `source`; a server's parameters have names in lower case.
    source = reader.string_or_none("source")
    parameters = reader.object("protectionSpace").object_or_none("parameters")
    if source is None or parameters is None or parameters.string_or_none("userCode") is None:
        return None
    return DeviceCode(
        source,
        parameters.string("verificationUri"),
        parameters.string("userCode"),
        parameters.string_or_none("verificationUriComplete"),
    )


def _deadline(reader: Reader) -> datetime | None:
    return None if reader.members.get("deadline") is None else read_time(reader, "deadline")
