"""What default evaluation holds against a certificate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["TrustReason"]


@dataclass(frozen=True)
class TrustReason:
    """One fault: ``expired``, ``unknownIssuer``, … at a place in the chain; 0 is the server's own certificate."""

    reason: str
    depth: int = 0

    def __str__(self) -> str:
        return f"{self.reason} (certificate {self.depth})"

    @classmethod
    def all_of(cls, values: Any) -> list[TrustReason]:
        """What can be read of a list from the wire; a daemon newer than this package may say more."""
        items: Iterable[Any] = values if isinstance(values, list) else ()
        found = ((item.get("reason"), item.get("depth")) for item in items if isinstance(item, dict))
        return [cls(reason, depth) for reason, depth in found if isinstance(reason, str) and type(depth) is int]
