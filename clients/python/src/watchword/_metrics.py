"""Where the time of a fetch went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._details import ExchangeDetails, read_details
from ._json import Reader

__all__ = ["Exchange", "Metrics", "read_metrics"]


@dataclass(frozen=True)
class Exchange:
    """One HTTP request and its response inside a task."""

    url: str
    status: int | None
    protocol: str | None
    reused: bool
    authentication_method: str | None
    total_seconds: float | None
    bytes_sent: int
    bytes_received: int
    #: What has authenticated the connection inside of Negotiate: ``kerberos`` or ``ntlm``.
    mechanism: str | None = None
    name_lookup_seconds: float | None = None
    connect_seconds: float | None = None
    tls_seconds: float | None = None
    first_byte_seconds: float | None = None
    #: With ``exchange_details``.
    details: ExchangeDetails | None = None


@dataclass(frozen=True)
class Metrics:
    """Where the time of a task went; seconds that do not apply are None."""

    name_lookup_seconds: float | None
    connect_seconds: float | None
    tls_seconds: float | None
    challenge_wait_seconds: float | None
    first_byte_seconds: float | None
    total_seconds: float | None
    bytes_sent: int
    bytes_received: int
    protocol: str | None
    reused: bool
    exchanges: Sequence[Exchange]


def read_metrics(r: Reader) -> Metrics:
    """The member ``metrics`` of a result."""
    return Metrics(
        name_lookup_seconds=r.number_or_none("nameLookupSeconds"),
        connect_seconds=r.number_or_none("connectSeconds"),
        tls_seconds=r.number_or_none("tlsSeconds"),
        challenge_wait_seconds=r.number_or_none("challengeWaitSeconds"),
        first_byte_seconds=r.number_or_none("firstByteSeconds"),
        total_seconds=r.number_or_none("totalSeconds"),
        bytes_sent=r.integer("bytesSent", 0),
        bytes_received=r.integer("bytesReceived", 0),
        protocol=r.string_or_none("protocol"),
        reused=r.boolean("reused", False),
        exchanges=[
            Exchange(
                url=e.string("url"),
                status=e.integer_or_none("status"),
                protocol=e.string_or_none("protocol"),
                reused=e.boolean("reused", False),
                authentication_method=e.string_or_none("authenticationMethod"),
                total_seconds=e.number_or_none("totalSeconds"),
                bytes_sent=e.integer("bytesSent", 0),
                bytes_received=e.integer("bytesReceived", 0),
                mechanism=e.string_or_none("mechanism"),
                name_lookup_seconds=e.number_or_none("nameLookupSeconds"),
                connect_seconds=e.number_or_none("connectSeconds"),
                tls_seconds=e.number_or_none("tlsSeconds"),
                first_byte_seconds=e.number_or_none("firstByteSeconds"),
                details=read_details(e),
            )
            for e in r.objects("exchanges", ())
        ],
    )
