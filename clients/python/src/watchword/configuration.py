"""A session's configuration and its parts, as types with the names that the protocol gives them.

For annotations: ``from watchword.configuration import SessionConfiguration``. The package itself does not load them.
A type checker finds a misspelt member, and a value that the daemon would refuse.
"""

from __future__ import annotations

from ._generated.configuration import *  # noqa: F403
from ._generated.configuration import __all__ as __all__
