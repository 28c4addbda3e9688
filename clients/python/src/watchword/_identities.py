"""Client certificates: what a caller gives, and what a session has."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._errors import InvalidArgument
from ._json import Reader, read_time
from ._secrets import holds_secrets

__all__ = ["Identity", "StoredIdentity", "TokenCertificate", "read_identity", "read_token_certificate"]


@holds_secrets("private_key", "pkcs12", "passphrase")
@dataclass(frozen=True, repr=False)
class Identity:
    """A client certificate with its private key. Prints as ``<secret>``.

    Made by ``from_pem`` or ``from_pkcs12``: the files are the caller's to read, the daemon opens none. Of one made by
    ``from_token`` the key stays in a token.
    """

    certificates: str | None = None
    private_key: str | None = None
    pkcs12: bytes | None = None
    passphrase: str | None = None
    #: The URI of a key in a token (RFC 7512).
    pkcs11: str | None = None

    def __post_init__(self) -> None:
        parts = (self.certificates, self.private_key, self.pkcs12, self.pkcs11)
        if tuple(part is not None for part in parts) not in _FORMS:
            raise InvalidArgument("an identity is certificates and a private key, or PKCS#12, or a key in a token")

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

    @classmethod
    def from_token(
        cls, uri: str | TokenCertificate, pin: str | None = None, certificates: str | bytes | None = None
    ) -> Identity:
        """From a key that stays in a token of the daemon's PKCS#11 modules.

        ``uri`` is its URI (RFC 7512), or what ``Client.list_tokens`` found.
        ``certificates`` is PEM, that of the key first, for a token that has none.
        """
        named = uri.uri if isinstance(uri, TokenCertificate) else uri
        return cls(certificates=None if certificates is None else _text(certificates), passphrase=pin, pkcs11=named)

    def to_wire(self) -> dict[str, Any]:
        """The wire members, key included: for the socket only."""
        members = {
            "certificates": self.certificates,
            "privateKey": self.private_key,
            "pkcs12": None if self.pkcs12 is None else base64.b64encode(self.pkcs12).decode("ascii"),
            "pkcs11": self.pkcs11,
            "passphrase": self.passphrase,
        }
        return {name: value for name, value in members.items() if value is not None}


#: Which of certificates, private key, PKCS#12 and URI there may be together.
_FORMS = {
    (True, True, False, False),
    (False, False, True, False),
    (False, False, False, True),
    (True, False, False, True),
}


def _text(pem: str | bytes) -> str:
    if isinstance(pem, str):
        return pem
    # Blocks are ASCII; what is beside them is for people, in any encoding.
    return pem.decode("ascii", "replace")


@dataclass(frozen=True)
class TokenCertificate:
    """A certificate that a token shows without a login."""

    #: Names the key for ``Identity.from_token`` (RFC 7512).
    uri: str
    subject: str
    issuer: str
    serial_number: str
    not_before: datetime
    not_after: datetime
    key_type: str
    key_bits: int
    sha256: str
    public_key: str


def _certificate(reader: Reader) -> dict[str, Any]:
    """The members that describe a certificate, by the names of the attributes."""
    return {
        "subject": reader.string("subject"),
        "issuer": reader.string("issuer"),
        "serial_number": reader.string("serialNumber"),
        "not_before": read_time(reader, "notBefore"),
        "not_after": read_time(reader, "notAfter"),
        "key_type": reader.string("keyType"),
        "key_bits": reader.integer("keyBits"),
        "sha256": reader.string("sha256"),
        "public_key": reader.string("publicKey"),
    }


def read_token_certificate(reader: Reader) -> TokenCertificate:
    """One element of ``identity/tokens``."""
    return TokenCertificate(uri=reader.string("pkcs11"), **_certificate(reader))


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
    #: The URI of its key in a token (RFC 7512); None: it is in the daemon's memory.
    token: str | None = None


def read_identity(reader: Reader) -> StoredIdentity:
    """One element of ``identity/list``."""
    return StoredIdentity(
        id=reader.string("identity"),
        origin=None if reader.members.get("origin") is None else reader.string("origin"),
        chain_length=reader.integer("chainLength"),
        persistence=reader.string("persistence"),
        uses=reader.integer("uses", 0),
        last_used=None if reader.members.get("lastUsed") is None else read_time(reader, "lastUsed"),
        created=None if reader.members.get("created") is None else read_time(reader, "created"),
        limits={} if reader.members.get("limits") is None else reader.mapping("limits"),
        seconds_left=reader.number_or_none("secondsLeft"),
        token=None if reader.members.get("pkcs11") is None else reader.string("pkcs11"),
        **_certificate(reader),
    )
