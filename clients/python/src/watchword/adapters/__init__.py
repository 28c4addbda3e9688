"""Watchword below other HTTP libraries: ``watchword.adapters.requests`` and ``watchword.adapters.httpx``.

Both send through a session that the caller opened. Redirects and cookies are best left to the library above, which
keeps its own history and jar; ``CONFIGURATION`` makes a session that leaves them there. Through a session made
otherwise the daemon follows redirects and keeps cookies, and the library above sees the last response only.

Importing this package imports neither library: ``pip install watchword[requests]``, ``watchword[httpx]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["CONFIGURATION"]

#: The configuration of a session whose redirects and cookies belong to the library above.
CONFIGURATION: Mapping[str, Any] = {"redirects": {"policy": "manual"}, "cookies": "never"}
