"""``httpx``, with Watchword below it: ``from watchword import httpx`` instead of ``import httpx``.

Everything of ``httpx`` is here by its name. ``Client``, ``AsyncClient`` and the functions ``get``, ``post`` and so on
fetch through the daemon, which is started where none runs, in the session ``python`` of the user: a password is asked
for once, at the terminal or in the notebook, and counts for the scripts that come after. ``Client(session=…)`` uses
another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx as _httpx

from ._errors import InvalidArgument
from .adapters._shared import AsyncSharedSession, SharedSession
from .adapters.httpx import AsyncWatchwordTransport, WatchwordTransport, digest_apart

if TYPE_CHECKING:
    from ._async_session import AnyChallengeHandler, AsyncSession
    from ._challenges import ChallengeHandler
    from ._session import Session

__all__ = [
    "AsyncClient", "Client", "delete", "get", "head", "options", "patch", "post", "put", "request", "stream",
]  # fmt: skip


class Client(_httpx.Client):
    """An ``httpx.Client`` that goes through Watchword, with ``verify``, ``cert`` and ``proxy`` as ``httpx`` has them.

    ``session`` is one of a ``watchword.Client``, which stays its owner's; without it the user's ``python`` is joined at
    the first request. ``on_challenge`` answers there instead of ``watchword.ask``.
    """

    def __init__(
        self,
        session: Session | None = None,
        *,
        on_challenge: ChallengeHandler | None = None,
        verify: Any = True,
        cert: Any = None,
        proxy: Any = None,
        **arguments: Any,
    ) -> None:
        _refuse_ways_around(arguments)
        self._shared = SharedSession(on_challenge)
        source = session or self._shared.get
        trust_env = arguments.get("trust_env", True)
        transport = WatchwordTransport(source, verify=verify, cert=cert, proxy=proxy, trust_env=trust_env)
        super().__init__(transport=transport, **arguments)

    def send(
        self, request: _httpx.Request, *, auth: Any = _httpx.USE_CLIENT_DEFAULT, **options: Any
    ) -> _httpx.Response:
        return super().send(request, auth=_apart(self, request, auth), **options)

    def close(self) -> None:
        super().close()
        self._shared.close()

    def __exit__(self, *reason: Any) -> None:
        super().__exit__(*reason)
        self._shared.close()


class AsyncClient(_httpx.AsyncClient):
    """As ``Client``, with a session of a ``watchword.AsyncClient``. For asyncio alone."""

    def __init__(
        self,
        session: AsyncSession | None = None,
        *,
        on_challenge: AnyChallengeHandler | None = None,
        verify: Any = True,
        cert: Any = None,
        proxy: Any = None,
        **arguments: Any,
    ) -> None:
        _refuse_ways_around(arguments)
        self._shared = AsyncSharedSession(on_challenge)
        source = session or self._shared.open
        trust_env = arguments.get("trust_env", True)
        transport = AsyncWatchwordTransport(source, verify=verify, cert=cert, proxy=proxy, trust_env=trust_env)
        super().__init__(transport=transport, **arguments)

    async def send(
        self, request: _httpx.Request, *, auth: Any = _httpx.USE_CLIENT_DEFAULT, **options: Any
    ) -> _httpx.Response:
        return await super().send(request, auth=_apart(self, request, auth), **options)

    async def aclose(self) -> None:
        await super().aclose()
        await self._shared.close()

    async def __aexit__(self, *reason: Any) -> None:
        await super().__aexit__(*reason)
        await self._shared.close()


def _apart(client: _httpx.Client | _httpx.AsyncClient, request: _httpx.Request, auth: Any) -> Any:
    """``auth``, or the client's, without a ``DigestAuth``: the daemon answers for it."""
    chosen = client.auth if auth is _httpx.USE_CLIENT_DEFAULT else auth
    return auth if chosen is None else digest_apart(request, chosen)


def _refuse_ways_around(arguments: dict[str, Any]) -> None:
    for name in ("transport", "mounts", "app", "proxies"):
        if arguments.get(name) is not None:
            raise InvalidArgument(f"{name} would lead around Watchword: use httpx.Client itself for that")
    for name in ("http1", "http2", "limits"):
        arguments.pop(name, None)  # the daemon decides how it connects


#: What of a request's arguments is its client's.
_OF_CLIENT = frozenset(("verify", "cert", "proxy", "trust_env", "cookies", "session", "on_challenge", "timeout"))


def request(method: str, url: Any, **arguments: Any) -> _httpx.Response:
    """One request, in a ``Client`` of its own."""
    own = {name: arguments.pop(name) for name in _OF_CLIENT & arguments.keys()}
    with Client(**own) as client:
        return client.request(method, url, **arguments)


@contextmanager
def stream(method: str, url: Any, **arguments: Any) -> Iterator[_httpx.Response]:
    """One request whose body is read as it comes."""
    own = {name: arguments.pop(name) for name in _OF_CLIENT & arguments.keys()}
    with Client(**own) as client, client.stream(method, url, **arguments) as response:
        yield response


def get(url: Any, **arguments: Any) -> _httpx.Response:
    """A GET request."""
    return request("GET", url, **arguments)


def options(url: Any, **arguments: Any) -> _httpx.Response:
    """An OPTIONS request."""
    return request("OPTIONS", url, **arguments)


def head(url: Any, **arguments: Any) -> _httpx.Response:
    """A HEAD request."""
    return request("HEAD", url, **arguments)


def post(url: Any, **arguments: Any) -> _httpx.Response:
    """A POST request."""
    return request("POST", url, **arguments)


def put(url: Any, **arguments: Any) -> _httpx.Response:
    """A PUT request."""
    return request("PUT", url, **arguments)


def patch(url: Any, **arguments: Any) -> _httpx.Response:
    """A PATCH request."""
    return request("PATCH", url, **arguments)


def delete(url: Any, **arguments: Any) -> _httpx.Response:
    """A DELETE request."""
    return request("DELETE", url, **arguments)


def __getattr__(name: str) -> Any:
    """The rest of ``httpx``."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_httpx, name)
