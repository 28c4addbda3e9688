"""``httpx`` through Watchword.

::

    with watchword.Client(start=True) as client:
        session = client.session("reports", CONFIGURATION, on_challenge=on_challenge)
        with httpx.Client(transport=WatchwordTransport(session)) as http:
            http.get("https://intranet.example/q3.csv")

What ``httpx`` does itself stays its own: redirects, cookies, decoding, ``raise_for_status``. Connections, TLS,
challenges, credentials and proxies are the session's; ``verify`` and ``cert`` are not heard here. Of the timeouts,
``connect`` and ``read`` count; where one is None the session's does. Every failure of the daemon is an
``httpx.RequestError`` whose ``__cause__`` is ours. ``AsyncWatchwordTransport`` is for asyncio.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx

from .. import _errors as errors
from .._arguments import FetchArguments, Timeouts
from .._async_session import AsyncSession
from .._generated import errors as kinds
from .._session import Session
from .._tasks import ResponseReceived
from . import CONFIGURATION
from ._async_exchange import AsyncExchange
from ._exchange import Exchange
from ._translation import fits, phrase, request_fields, request_url

__all__ = ["CONFIGURATION", "AsyncWatchwordTransport", "WatchwordTransport"]


class WatchwordTransport(httpx.BaseTransport):
    """Sends through one session, which stays its owner's to close."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Returns at the response's head; the body comes as it is read."""
        url, arguments = _arguments(request)
        pieces: Iterator[bytes] | None = None
        if isinstance(request.stream, httpx.ByteStream) or fits(request.headers.get("Content-Length")):
            arguments["body"] = b"".join(_sync(request)) or None
        else:
            pieces = iter(_sync(request))
        try:
            exchange = Exchange(self._session, url, arguments, pieces)
        except errors.WatchwordError as error:
            raise translated(error, request) from error
        return _response(exchange.head, ExchangeStream(exchange, request))

    def __repr__(self) -> str:
        return f"<WatchwordTransport {self._session.id!r}>"


class AsyncWatchwordTransport(httpx.AsyncBaseTransport):
    """Sends through one session of an ``AsyncClient``, which stays its owner's to close. For asyncio alone."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Returns at the response's head; the body comes as it is read."""
        url, arguments = _arguments(request)
        pieces: httpx.AsyncByteStream | None = None
        stream = request.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        if isinstance(stream, httpx.ByteStream) or fits(request.headers.get("Content-Length")):
            arguments["body"] = b"".join([piece async for piece in stream]) or None
        else:
            pieces = stream
        try:
            exchange = await AsyncExchange.open(self._session, url, arguments, pieces)
        except errors.WatchwordError as error:
            raise translated(error, request) from error
        return _response(exchange.head, AsyncExchangeStream(exchange, request))

    def __repr__(self) -> str:
        return f"<AsyncWatchwordTransport {self._session.id!r}>"


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


def _arguments(request: httpx.Request) -> tuple[str, FetchArguments]:
    url = request_url(str(request.url))
    limits = request.extensions.get("timeout", {})
    timeouts = Timeouts(connect=limits.get("connect"), request=limits.get("read"))
    return url, {
        "method": request.method,
        "headers": request_fields(request.headers.raw, url),
        "timeouts": None if timeouts == Timeouts() else timeouts,
        "decode_content": False,
        "follow_redirects": False,
    }


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


def _invalid(error: Any) -> type[httpx.RequestError]:
    return httpx.UnsupportedProtocol if error.path == "params.url" else httpx.LocalProtocolError


#: The first class that fits; what none fits is a plain TransportError.
_TRANSLATIONS: list[tuple[type[errors.WatchwordError], Callable[[Any], type[httpx.RequestError]]]] = [
    (kinds.TimedOut, _timed_out),
    (kinds.NameNotResolved, lambda _: httpx.ConnectError),
    (kinds.ConnectionFailed, lambda _: httpx.ConnectError),
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
    for kind, choose in _TRANSLATIONS:
        if isinstance(error, kind):
            return choose(error)(str(error), request=request)
    return httpx.TransportError(str(error), request=request)
