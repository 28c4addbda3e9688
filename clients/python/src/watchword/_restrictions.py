"""What a restricted connection may fetch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["FetchRule"]


@dataclass(frozen=True)
class FetchRule:
    """Requests to one origin that a restricted connection may make; what is left out is not limited.

    ``path`` is one path, or with ``*`` at its end every path that begins with its text. ``request_bytes`` and
    ``response_bytes`` bound bodies, ``per_minute`` the rate. ``headers`` names the fields that requests may set beside
    those that every rule allows (restricted.md 2.6.7).
    """

    origin: str
    path: str = "/*"
    methods: Sequence[str] | None = None
    request_bytes: int | None = None
    response_bytes: int | None = None
    per_minute: float | None = None
    headers: Sequence[str] | None = None

    def to_wire(self) -> dict[str, Any]:
        members = {
            "origin": self.origin,
            "path": self.path,
            "methods": None if self.methods is None else list(self.methods),
            "headers": None if self.headers is None else list(self.headers),
            "requestBytes": self.request_bytes,
            "responseBytes": self.response_bytes,
            "perMinute": self.per_minute,
        }
        return {name: value for name, value in members.items() if value is not None}
