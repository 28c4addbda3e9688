"""What default evaluation holds against a certificate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["TrustReason"]


#: What a certificate is or does, as the command says it.
_SENTENCES = {
    "expired": "has expired",
    "notYetValid": "is not valid yet",
    "hostMismatch": "is for another host",
    "unknownIssuer": "has an unknown issuer",
    "selfSigned": "is self-signed",
    "revoked": "was revoked",
    "revocationUnknown": "comes without proof that it is not revoked",
    "weakSignature": "has a signature that is too weak",
    "weakKey": "has a key that is too weak",
    "invalidPurpose": "is not meant for this purpose",
    "pathLength": "is in a longer chain than an issuer allows",
    "nameConstraint": "has a name that an issuer does not permit",
    "malformed": "is malformed",
    "tooComplex": "costs too much to verify",
    "pinMismatch": "does not match a pin of the session",
    "policy": "breaks a rule of the session",
    "other": "failed verification",
}


@dataclass(frozen=True)
class TrustReason:
    """One fault: ``expired``, ``unknownIssuer``, … at a place in the chain; 0 is the server's own certificate."""

    reason: str
    depth: int = 0

    def __str__(self) -> str:
        return f"{self.reason} (certificate {self.depth})"

    @property
    def sentence(self) -> str:
        """For a person: ``its certificate has expired``."""
        whose = "its certificate" if self.depth == 0 else f"an issuer's certificate ({self.depth} above)"
        return f"{whose} {_SENTENCES.get(self.reason, f'failed verification ({self.reason})')}"

    @classmethod
    def all_of(cls, values: Any) -> list[TrustReason]:
        """What can be read of a list from the wire; a daemon newer than this package may say more."""
        items: Iterable[Any] = values if isinstance(values, list) else ()
        found = ((item.get("reason"), item.get("depth")) for item in items if isinstance(item, dict))
        return [cls(reason, depth) for reason, depth in found if isinstance(reason, str) and type(depth) is int]
