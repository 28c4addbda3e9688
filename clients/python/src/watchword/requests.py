"""``requests``, with Watchword below it: ``from watchword import requests`` instead of ``import requests``.

Everything of ``requests`` is here by its name. ``Session`` and the functions ``get``, ``post`` and so on fetch through
the daemon, which is started where none runs, in the session ``python`` of the user: a password is asked for once, at
the terminal or in the notebook, and counts for the scripts that come after. ``Session(session=…)`` uses another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import requests as _requests

from .adapters._shared import SharedSession
from .adapters.requests import WatchwordAdapter

if TYPE_CHECKING:
    import urllib3

    from ._challenges import ChallengeHandler
    from ._session import Session as _Session

__all__ = ["Session", "delete", "get", "head", "options", "patch", "post", "put", "request", "session"]


class Session(_requests.Session):
    """A ``requests.Session`` whose http and https go through Watchword.

    ``session`` is one of a ``watchword.Client``, which stays its owner's; without it the user's ``python`` is joined at
    the first request. ``on_challenge`` answers there instead of ``watchword.ask``.
    """

    __attrs__ = [*_requests.Session.__attrs__, "_shared", "_watchword"]  # noqa: RUF012  # an attribute of each session, as mypy knows it

    def __init__(
        self,
        session: _Session | None = None,
        *,
        on_challenge: ChallengeHandler | None = None,
        max_retries: int | urllib3.Retry = 0,
    ) -> None:
        super().__init__()
        self._shared = SharedSession(on_challenge)
        self._watchword = WatchwordAdapter(session or self._shared.get, max_retries)
        for scheme in ("http://", "https://"):
            self.mount(scheme, self._watchword)

    def close(self) -> None:
        """Closes what it has opened, after the streamed bodies that are still read."""
        super().close()
        self._watchword.when_read(self._shared.leave())


def session() -> Session:
    """A ``Session``."""
    return Session()


def request(method: str, url: str, **arguments: Any) -> _requests.Response:
    """One request, in a ``Session`` of its own."""
    with Session() as opened:
        return opened.request(method, url, **arguments)


def get(url: str, params: Any = None, **arguments: Any) -> _requests.Response:
    """A GET request."""
    return request("get", url, params=params, **arguments)


def options(url: str, **arguments: Any) -> _requests.Response:
    """An OPTIONS request."""
    return request("options", url, **arguments)


def head(url: str, **arguments: Any) -> _requests.Response:
    """A HEAD request, which follows no redirect by itself."""
    arguments.setdefault("allow_redirects", False)
    return request("head", url, **arguments)


def post(url: str, data: Any = None, json: Any = None, **arguments: Any) -> _requests.Response:
    """A POST request."""
    return request("post", url, data=data, json=json, **arguments)


def put(url: str, data: Any = None, **arguments: Any) -> _requests.Response:
    """A PUT request."""
    return request("put", url, data=data, **arguments)


def patch(url: str, data: Any = None, **arguments: Any) -> _requests.Response:
    """A PATCH request."""
    return request("patch", url, data=data, **arguments)


def delete(url: str, **arguments: Any) -> _requests.Response:
    """A DELETE request."""
    return request("delete", url, **arguments)


def __getattr__(name: str) -> Any:
    """The rest of ``requests``."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_requests, name)
