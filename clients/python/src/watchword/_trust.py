"""Server trust: a server's certificates as a handler sees them, what it can say of them, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._errors import ProtocolError
from ._generated.enumerations import TrustScope
from ._json import Reader, read_time
from ._reasons import TrustReason

__all__ = ["Certificate", "ServerTrust", "TrustDecision", "TrustScope", "read_server_trust", "read_trust_decision"]


@dataclass(frozen=True)
class Certificate:
    """One certificate. All of it but the fingerprints is text that the server chose."""

    subject: str
    issuer: str
    serial_number: str
    #: None for a time that no ``datetime`` can hold.
    not_before: datetime | None
    not_after: datetime | None
    subject_alternative_names: Sequence[str]
    key_type: str
    key_bits: int
    #: Of the certificate, in hexadecimal.
    sha256: str
    #: As pins are written: ``sha256/`` and base64.
    public_key: str
    pem: str


@dataclass(frozen=True)
class ServerTrust:
    """The certificates as presented, the server's own first, and what default evaluation says of them."""

    certificates: Sequence[Certificate]
    verdict: str
    reasons: Sequence[TrustReason]

    @property
    def is_trusted(self) -> bool:
        """Whether default evaluation finds nothing wrong."""
        return self.verdict == "trusted"

    @property
    def certificate(self) -> Certificate | None:
        """The server's own."""
        return self.certificates[0] if self.certificates else None

    @property
    def public_key(self) -> str | None:
        """The key of the server's own certificate, as pins are written."""
        return self.certificates[0].public_key if self.certificates else None


@dataclass(frozen=True)
class TrustDecision:
    """What a session has decided about an origin's certificates."""

    id: str
    origin: str
    subject: str
    scope: str
    sha256: str
    public_key: str
    excused: Sequence[TrustReason]
    persistence: str
    uses: int
    last_used: datetime | None
    created: datetime | None
    limits: Mapping[str, Any] = field(default_factory=dict)
    #: Until its limits end it.
    seconds_left: float | None = None


def read_server_trust(reader: Reader) -> ServerTrust:
    """The member ``serverTrust`` of a protection space."""
    return ServerTrust(
        certificates=[read_certificate(item) for item in reader.objects("certificates")],
        verdict=reader.string("verdict"),
        reasons=TrustReason.all_of(reader.array("reasons")),
    )


def read_certificate(reader: Reader) -> Certificate:
    """One certificate of a chain."""
    return Certificate(
        subject=reader.string("subject"),
        issuer=reader.string("issuer"),
        serial_number=reader.string("serialNumber"),
        not_before=_time(reader, "notBefore"),
        not_after=_time(reader, "notAfter"),
        subject_alternative_names=reader.strings("subjectAlternativeNames"),
        key_type=reader.string("keyType"),
        key_bits=reader.integer("keyBits"),
        sha256=reader.string("sha256"),
        public_key=reader.string("publicKey"),
        pem=reader.string("pem"),
    )


def _time(reader: Reader, name: str) -> datetime | None:
    """A time that a server chose: one in the year 10000 is no fault of the daemon's."""
    if not isinstance(reader.members.get(name), str):
        raise reader.misfit(name, "time")
    try:
        return read_time(reader, name)
    except ProtocolError:
        return None


def read_trust_decision(reader: Reader) -> TrustDecision:
    """One element of ``trust/list``."""
    return TrustDecision(
        id=reader.string("trust"),
        origin=reader.string("origin"),
        subject=reader.string("subject"),
        scope=reader.string("scope"),
        sha256=reader.string("sha256"),
        public_key=reader.string("publicKey"),
        excused=TrustReason.all_of(reader.array("excused")),
        persistence=reader.string("persistence"),
        uses=reader.integer("uses", 0),
        last_used=None if reader.members.get("lastUsed") is None else read_time(reader, "lastUsed"),
        created=None if reader.members.get("created") is None else read_time(reader, "created"),
        limits={} if reader.members.get("limits") is None else reader.mapping("limits"),
        seconds_left=reader.number_or_none("secondsLeft"),
    )
