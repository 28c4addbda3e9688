"""The dictionaries that methods return and notifications carry, as types with the names that the protocol gives them.

For annotations: ``from watchword.results import StatusSnapshot``. The package itself does not load them. A member that
the daemon may leave out is not required in its type; a later daemon may send members that its type lacks.
"""

from __future__ import annotations

from ._generated.results import *  # noqa: F403
from ._generated.results import __all__ as __all__
