"""Values that hold a secret, which leaves the program in a message to the daemon only."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

__all__ = ["holds_secrets"]

T = TypeVar("T")


def holds_secrets(*names: str) -> Callable[[type[T]], type[T]]:
    """Marks a frozen dataclass whose attributes ``names`` are secret.

    ``dataclasses.asdict``, ``astuple`` and ``fields`` leave them out. The value is not pickled, and a copy of it is
    itself: loggers and task queues write what those give them.
    """

    def mark(cls: type[T]) -> type[T]:
        for name in names:
            del cls.__dataclass_fields__[name]  # type: ignore[attr-defined]
        for method in (__reduce_ex__, __copy__, __deepcopy__):
            setattr(cls, method.__name__, method)
        return cls

    return mark


def __reduce_ex__(self: object, protocol: Any) -> Any:
    raise TypeError(f"{type(self).__name__} holds a secret and is not pickled")


def __copy__(self: T) -> T:
    return self


def __deepcopy__(self: T, memo: Any) -> T:
    return self
