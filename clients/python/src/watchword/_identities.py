"""Client certificates: what a caller gives, and what a session has."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._errors import InvalidArgument
from ._json import Reader, read_time

__all__ = ["Identity", "StoredIdentity", "read_identity"]


@dataclass(frozen=True, repr=False)
class Identity:
    """A client certificate with its private key. Prints as ``<secret>``.

    Made by ``from_pem`` or ``from_pkcs12``. The files are the caller's to read: the daemon opens none.
    """

    certificates: str | None = None
    private_key: str | None = None
    pkcs12: bytes | None = None
    passphrase: str | None = None

    def __post_init__(self) -> None:
        pem = self.certificates is not None and self.private_key is not None
        if pem == (self.pkcs12 is not None) or (self.certificates is None) != (self.private_key is None):
            raise InvalidArgument("an identity is certificates and a private key, or PKCS#12")

    def __repr__(self) -> str:
        return "Identity(<secret>)"

    __str__ = __repr__

    @classmethod
    def from_pem(cls, certificates: str | bytes, private_key: str | bytes, passphrase: str | None = None) -> Identity:
        """From PEM texts: the certificate with its chain in any order, and the key, encrypted or not."""
        return cls(certificates=_text(certificates), private_key=_text(private_key), passphrase=passphrase)

    @classmethod
    def from_pkcs12(cls, data: bytes, passphrase: str | None = None) -> Identity:
        """From the bytes of a ``.p12`` or ``.pfx`` file."""
        return cls(pkcs12=bytes(data), passphrase=passphrase)

    def to_wire(self) -> dict[str, Any]:
        """The wire members, key included: for the socket only."""
        members: dict[str, Any] = (
            {"pkcs12": base64.b64encode(self.pkcs12).decode("ascii")}
            if self.pkcs12 is not None
            else {"certificates": self.certificates, "privateKey": self.private_key}
        )
        if self.passphrase is not None:
            members["passphrase"] = self.passphrase
        return members


def _text(pem: str | bytes) -> str:
    if isinstance(pem, str):
        return pem
    try:
        return pem.decode("ascii")
    except UnicodeDecodeError:
        raise InvalidArgument("PEM is ASCII text") from None


@dataclass(frozen=True)
class StoredIdentity:
    """A client certificate of a session; its key is never shown."""

    id: str
    #: The only origin that it is for, when it came with an answer; None: any that asks for its issuer.
    origin: str | None
    subject: str
    issuer: str
    serial_number: str
    not_before: datetime
    not_after: datetime
    key_type: str
    key_bits: int
    sha256: str
    public_key: str
    chain_length: int
    persistence: str
    uses: int
    last_used: datetime | None
    created: datetime | None
    limits: Mapping[str, Any] = field(default_factory=dict)
    #: Until its limits end it.
    seconds_left: float | None = None


def read_identity(reader: Reader) -> StoredIdentity:
    """One element of ``identity/list``."""
    return StoredIdentity(
        id=reader.string("identity"),
        origin=None if reader.members.get("origin") is None else reader.string("origin"),
        subject=reader.string("subject"),
        issuer=reader.string("issuer"),
        serial_number=reader.string("serialNumber"),
        not_before=read_time(reader, "notBefore"),
        not_after=read_time(reader, "notAfter"),
        key_type=reader.string("keyType"),
        key_bits=reader.integer("keyBits"),
        sha256=reader.string("sha256"),
        public_key=reader.string("publicKey"),
        chain_length=reader.integer("chainLength"),
        persistence=reader.string("persistence"),
        uses=reader.integer("uses", 0),
        last_used=None if reader.members.get("lastUsed") is None else read_time(reader, "lastUsed"),
        created=None if reader.members.get("created") is None else read_time(reader, "created"),
        limits={} if reader.members.get("limits") is None else reader.mapping("limits"),
        seconds_left=reader.number_or_none("secondsLeft"),
    )
