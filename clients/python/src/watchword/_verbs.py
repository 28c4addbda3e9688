"""``get`` and its kin: fetches whose method is the name of the function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import FunctionType
from typing import TYPE_CHECKING, Generic, TypeVar

from ._arguments import FetchArguments

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Verbs"]

#: A response, or what waits for one.
R = TypeVar("R")


class Verbs(ABC, Generic[R]):
    """Fetches with the methods of HTTP; their arguments are ``FetchArguments`` without ``method``."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Gives the class functions of its own, by whose names Python says which argument is missing."""
        super().__init_subclass__()
        for name in ("get", "head", "post", "put", "patch", "delete"):
            function = getattr(Verbs, name)
            own = FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
            own.__dict__.update(vars(function))
            own.__annotations__, own.__doc__ = function.__annotations__, function.__doc__
            own.__module__, own.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
            setattr(cls, name, own)

    @abstractmethod
    def _request(self, function: str, url: str, arguments: FetchArguments, method: str) -> R:
        """A fetch on behalf of the public function."""

    def get(self, url: str, **options: Unpack[FetchArguments]) -> R:
        """Fetches with GET."""
        return self._request("get", url, options, "GET")

    def head(self, url: str, **options: Unpack[FetchArguments]) -> R:
        """Fetches with HEAD. As in ``requests``, a redirect is the response unless ``allow_redirects`` is true."""
        if "follow_redirects" not in options:
            options.setdefault("allow_redirects", False)
        return self._request("head", url, options, "HEAD")

    def post(self, url: str, **options: Unpack[FetchArguments]) -> R:
        """Fetches with POST."""
        return self._request("post", url, options, "POST")

    def put(self, url: str, **options: Unpack[FetchArguments]) -> R:
        """Fetches with PUT."""
        return self._request("put", url, options, "PUT")

    def patch(self, url: str, **options: Unpack[FetchArguments]) -> R:
        """Fetches with PATCH."""
        return self._request("patch", url, options, "PATCH")

    def delete(self, url: str, **options: Unpack[FetchArguments]) -> R:
        """Fetches with DELETE."""
        return self._request("delete", url, options, "DELETE")
