"""``httpx`` through Watchword.

::

    with watchword.Client(start=True) as client:
        session = client.session("reports", CONFIGURATION, on_challenge=on_challenge)
        with httpx.Client(transport=WatchwordTransport(session)) as http:
            http.get("https://intranet.example/q3.csv")

``watchword.httpx`` is ``httpx`` with this below it. What ``httpx`` does itself stays its own: redirects, cookies,
decoding, ``raise_for_status``. Connections, TLS, challenges and credentials are the session's; ``verify``, ``cert`` and
``proxy`` are arguments of the transport, and errors beside it. Of the timeouts,
``connect`` and ``read`` count; where one is None the session's does. Every failure of the daemon is an
``httpx.RequestError`` whose ``__cause__`` is ours. ``AsyncWatchwordTransport`` is for asyncio.
"""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx

from .. import _errors as errors
from .._arguments import FetchArguments, Timeouts
from .._async_session import AsyncSession
from .._conversation import Conversation
from .._generated import errors as kinds
from .._identities import Identity
from .._roots import is_of_system
from .._session import Session
from .._tasks import ResponseReceived
from . import CONFIGURATION
from ._async_exchange import AsyncExchange
from ._exchange import Exchange
from ._translation import environment_proxies, fits, phrase, request_fields, request_url, seconds_of, user_and_password
from ._wishes import NO_WISH, Siblings, opening_of, read_wish

__all__ = ["CONFIGURATION", "AsyncWatchwordTransport", "WatchwordTransport"]


class WatchwordTransport(httpx.BaseTransport):
    """Sends through one session, which stays its owner's to close.

    ``verify`` with another value than True and ``cert`` use a session of their own beside it, which the transport
    closes. ``proxy`` leads these requests. They are arguments of the transport: beside it they would say nothing, or
    lead around it, and are a TypeError of ``httpx.Client``. With ``trust_env``, ``SSL_CERT_FILE`` of the environment is
    ``verify`` where that is True, as ``httpx.HTTPTransport`` has it, and where the session is given as a function the
    environment's proxies lead what ``proxy`` does not.
    """

    def __init__(
        self,
        session: Session | Callable[[], Session],
        *,
        verify: Any = True,
        cert: Any = None,
        proxy: Any = None,
        trust_env: bool = True,
    ) -> None:
        self._wish = read_wish(_roots(verify, trust_env), cert)
        self._proxy = proxy_url(proxy)
        self._reads_environment = trust_env and not isinstance(session, Session)
        self._siblings = Siblings(session)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Returns at the response's head; the body comes as it is read."""
        url, arguments = _arguments(request, self._proxy, self._reads_environment)
        pieces: Iterator[bytes] | None = None
        if isinstance(request.stream, httpx.ByteStream) or fits(request.headers.get("Content-Length")):
            arguments["body"] = b"".join(_sync(request)) or None
        else:
            pieces = iter(_sync(request))
        try:
            exchange = Exchange(self._siblings.session_for(self._wish), url, arguments, pieces)
        except errors.WatchwordError as error:
            raise translated(error, request) from error
        return _response(exchange.head, ExchangeStream(exchange, request))

    def close(self) -> None:
        """Leaves the session that ``verify`` or ``cert`` has made; the session itself is its owner's."""
        self._siblings.close()

    def __repr__(self) -> str:
        return f"<WatchwordTransport {self._siblings}>"


class AsyncWatchwordTransport(httpx.AsyncBaseTransport):
    """Sends through one session of an ``AsyncClient``, as ``WatchwordTransport`` does. For asyncio alone."""

    def __init__(
        self,
        session: AsyncSession | Callable[[], Awaitable[AsyncSession]],
        *,
        verify: Any = True,
        cert: Any = None,
        proxy: Any = None,
        trust_env: bool = True,
    ) -> None:
        self._given = session
        self._wish = read_wish(_roots(verify, trust_env), cert)
        self._proxy = proxy_url(proxy)
        self._reads_environment = trust_env and not isinstance(session, AsyncSession)
        self._sibling: asyncio.Task[AsyncSession] | None = None
        self._presented: Conversation | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Returns at the response's head; the body comes as it is read."""
        url, arguments = _arguments(request, self._proxy, self._reads_environment)
        pieces: httpx.AsyncByteStream | None = None
        stream = request.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        if isinstance(stream, httpx.ByteStream) or fits(request.headers.get("Content-Length")):
            arguments["body"] = b"".join([piece async for piece in stream]) or None
        else:
            pieces = stream
        try:
            exchange = await AsyncExchange.open(await self._chosen(), url, arguments, pieces)
        except errors.WatchwordError as error:
            raise translated(error, request) from error
        return _response(exchange.head, AsyncExchangeStream(exchange, request))

    async def _chosen(self) -> AsyncSession:
        """The session; where something is wished the one beside it, which the first request opens for all."""
        if self._wish == NO_WISH and isinstance(self._given, AsyncSession):
            return self._given
        if self._sibling is None or (self._sibling.done() and self._sibling.exception() is not None):
            self._sibling = asyncio.ensure_future(self._open())
        session = await asyncio.shield(self._sibling)
        if self._wish.identity is not None:
            await self._present(self._wish.identity, session)
        return session

    async def _present(self, identity: Identity, session: AsyncSession) -> None:
        """Once for each daemon: one that was restarted has forgotten it."""
        await session._connection.ready()
        if self._presented is not session._core.conversation:
            self._presented = session._core.conversation
            await session.add_identity(identity)

    async def _open(self) -> AsyncSession:
        base = self._given if isinstance(self._given, AsyncSession) else await self._given()
        if self._wish == NO_WISH:
            return base
        return await base._open_beside(opening_of(self._wish, base._core.opening))

    async def aclose(self) -> None:
        """Leaves the session that ``verify`` or ``cert`` has made; the session itself is its owner's."""
        sibling, self._sibling = self._sibling, None
        if sibling is not None:
            try:
                await (await sibling).close()
            except errors.WatchwordError:
                pass  # it ended with its client

    def __repr__(self) -> str:
        told = repr(self._given.id) if isinstance(self._given, AsyncSession) else "of its own"
        return f"<AsyncWatchwordTransport {told}>"


def _roots(verify: Any, trust_env: bool) -> Any:
    """As ``httpx.create_ssl_context`` reads the environment. The system's own file says nothing new."""
    path = os.environ.get("SSL_CERT_FILE") if trust_env and verify is True else None
    return path if path and not is_of_system(path) else verify


class ExchangeStream(httpx.SyncByteStream):
    """A body on its way."""

    def __init__(self, exchange: Exchange, request: httpx.Request) -> None:
        self._exchange = exchange
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        try:
            while piece := self._exchange.read():
                yield piece
        except errors.WatchwordError as error:
            raise translated(error, self._request) from error

    def close(self) -> None:
        self._exchange.close()


class AsyncExchangeStream(httpx.AsyncByteStream):
    """A body on its way."""

    def __init__(self, exchange: AsyncExchange, request: httpx.Request) -> None:
        self._exchange = exchange
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            while piece := await self._exchange.read():
                yield piece
        except errors.WatchwordError as error:
            raise translated(error, self._request) from error

    async def aclose(self) -> None:
        await self._exchange.close()


def _sync(request: httpx.Request) -> httpx.SyncByteStream:
    stream = request.stream
    assert isinstance(stream, httpx.SyncByteStream)
    return stream


def proxy_url(proxy: Any) -> str | None:
    """With its user and password, which ``httpx.Proxy`` keeps beside the URL."""
    if proxy is None or isinstance(proxy, str):
        return proxy
    if not isinstance(proxy, (httpx.URL, httpx.Proxy)):
        raise errors.InvalidArgument(f"a proxy is a URL, not {type(proxy).__name__}")
    if isinstance(proxy, httpx.Proxy):
        if proxy.headers or proxy.ssl_context:
            raise errors.InvalidArgument("the daemon speaks to the proxy: it takes no headers and no SSLContext")
        user, password = proxy.auth or (None, None)
        return str(proxy.url.copy_with(username=user, password=password) if user is not None else proxy.url)
    return str(proxy)


def _arguments(
    request: httpx.Request, proxy: str | None, reads_environment: bool
) -> tuple[str, FetchArguments]:
    url = request_url(str(request.url))
    of_environment = environment_proxies(url) if reads_environment else None
    limits = request.extensions.get("timeout", {})
    timeouts = Timeouts(connect=seconds_of(limits.get("connect")), request=seconds_of(limits.get("read")))
    return url, {
        "method": request.method,
        "headers": request_fields(request.headers.raw, url),
        "timeouts": None if timeouts == Timeouts() else timeouts,
        "decode_content": False,
        "follow_redirects": False,
        "proxies": of_environment if proxy is None else {"all": proxy},
        "auth": _digest(request),
    }


#: The member of a request's extensions with what ``digest_apart`` has taken.
_DIGEST = "watchword.digest"


def digest_apart(request: httpx.Request, auth: Any) -> Any:
    """What the library does of ``auth``: of ``DigestAuth`` nothing, which waits for the 401. The daemon answers it
    before that, at the origin of this request.
    """
    if type(auth) is not httpx.DigestAuth:
        return auth
    request.extensions = {**request.extensions, _DIGEST: (_origin(request), auth._username, auth._password)}
    return None


def _digest(request: httpx.Request) -> tuple[str, str | bytes] | None:
    origin, user, password = request.extensions.get(_DIGEST, (None, b"", b""))
    if origin != _origin(request) or "Authorization" in request.headers:
        return None
    return user_and_password(user, password)


def _origin(request: httpx.Request) -> tuple[str, str, int | None]:
    return request.url.scheme, request.url.host, request.url.port


def _response(head: ResponseReceived, stream: Any) -> httpx.Response:
    return httpx.Response(
        head.status,
        headers=[(name.encode(), value.encode()) for name, value in head.headers.pairs()],
        stream=stream,
        extensions={
            "http_version": b"HTTP/2" if head.protocol == "h2" else b"HTTP/1.1",
            "reason_phrase": phrase(head.status).encode(),
        },
    )


def _timed_out(error: Any) -> type[httpx.RequestError]:
    return httpx.ConnectTimeout if error.phase == "connect" else httpx.ReadTimeout


def _unsupported(scheme: str) -> str:
    if not scheme:
        return "Request URL is missing an 'http://' or 'https://' protocol."
    return f"Request URL has an unsupported protocol '{scheme}://'."


def _invalid(error: Any) -> type[httpx.RequestError]:
    return httpx.ConnectError if error.path == "params.url" else httpx.LocalProtocolError


def _at_hop(error: Any) -> type[httpx.RequestError]:
    return httpx.ProxyError if error.hop == "proxy" else httpx.ConnectError


def _unanswered(error: Any) -> type[httpx.RequestError]:
    return httpx.ProxyError if error.data.get("hop") == "proxy" else httpx.TransportError


#: The first class that fits; what none fits is a plain TransportError.
_TRANSLATIONS: list[tuple[type[errors.WatchwordError], Callable[[Any], type[httpx.RequestError]]]] = [
    (kinds.TimedOut, _timed_out),
    (kinds.ProxyFailed, lambda _: httpx.ProxyError),
    (kinds.ProxyAuthenticationFailed, lambda _: httpx.ProxyError),
    (kinds.UserCancelledAuthentication, _unanswered),
    (kinds.NameNotResolved, _at_hop),
    (kinds.ConnectionFailed, _at_hop),
    (kinds.AddressRefused, lambda _: httpx.ConnectError),
    (kinds.ServerTrustRejected, lambda _: httpx.ConnectError),
    (kinds.TLSFailed, lambda _: httpx.ConnectError),
    (errors.DaemonUnavailable, lambda _: httpx.ConnectError),
    (kinds.ConnectionLost, lambda _: httpx.RemoteProtocolError),
    (kinds.MalformedResponse, lambda _: httpx.RemoteProtocolError),
    (kinds.HeadersTooLarge, lambda _: httpx.RemoteProtocolError),
    (kinds.ServerNotAuthenticated, lambda _: httpx.RemoteProtocolError),
    (kinds.ContentDecodingFailed, lambda _: httpx.DecodingError),
    (errors.DaemonConnectionLost, lambda _: httpx.ReadError),
    (errors.TransportError, lambda _: httpx.NetworkError),
    (kinds.TooManyRedirects, lambda _: httpx.TooManyRedirects),
    (kinds.InvalidParams, _invalid),
    (errors.InvalidArgument, lambda _: httpx.LocalProtocolError),
]


def translated(error: errors.WatchwordError, request: httpx.Request) -> httpx.RequestError:
    """The exception that ``httpx`` has for it."""
    if isinstance(error, kinds.InvalidParams) and request.url.scheme not in ("http", "https"):
        return httpx.UnsupportedProtocol(_unsupported(request.url.scheme), request=request)
    for kind, choose in _TRANSLATIONS:
        if isinstance(error, kind):
            return choose(error)(str(error), request=request)
    return httpx.TransportError(str(error), request=request)


def _guard(kind: type[httpx.Client] | type[httpx.AsyncClient]) -> None:
    """Makes ``verify``, ``cert`` and ``proxy`` beside one of these transports an error.

    ``httpx`` ignores the first two, and with ``proxy`` it does not use the transport. Only its constructor sees these
    arguments. Clients with other transports are as they were.
    """
    build = kind.__init__

    @functools.wraps(build)
    def guarded(self: Any, **arguments: Any) -> None:
        if isinstance(arguments.get("transport"), (WatchwordTransport, AsyncWatchwordTransport)):
            for name in ("verify", "cert", "proxy", "proxies"):
                if name in arguments and arguments[name] not in (None, True):
                    made = type(arguments["transport"]).__name__
                    raise TypeError(f"{name} is an argument of {made}(), which does TLS and proxies; leave it out here")
        build(self, **arguments)

    kind.__init__ = guarded  # type: ignore[method-assign]


_guard(httpx.Client)
_guard(httpx.AsyncClient)
