"""One file for each peer: what a caller can use, by the shapes of work that it offers (see `callers`)."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

OWN = "watchword"


def names() -> list[str]:
    """Every peer, ours first; a name has no underscores."""
    found = sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))
    return sorted(found, key=lambda name: not is_own(name))


def load(name: str) -> ModuleType:
    """The peer's module; ImportError when its library is not installed."""
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def is_own(name: str) -> bool:
    """Whether it goes through the daemon."""
    return name.startswith(OWN)
