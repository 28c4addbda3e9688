"""Watchword below other HTTP libraries: ``watchword.adapters.requests`` and ``watchword.adapters.httpx``.

Both send through a session that the caller opened. Redirects are left to the library above. Cookies are best left to
it too, since it keeps a jar of its own; ``CONFIGURATION`` makes a session that leaves them there.

``watchword.adapters.keyring`` is a backend of ``keyring``.

Importing this package imports none of these libraries: ``pip install watchword[requests]``, ``watchword[httpx]``,
``watchword[keyring]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..configuration import SessionConfiguration

__all__ = ["CONFIGURATION"]

#: The configuration of a session whose cookies belong to the library above.
CONFIGURATION: SessionConfiguration = {"cookies": "never"}
