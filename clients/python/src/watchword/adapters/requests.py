"""``requests`` through Watchword.

::

    with watchword.Client(start=True) as client, requests.Session() as http:
        session = client.session("reports", CONFIGURATION, on_challenge=on_challenge)
        http.mount("https://", WatchwordAdapter(session))
        http.get("https://intranet.example/q3.csv")

``watchword.requests`` is ``requests`` with this below it. What ``requests`` does itself stays its own: redirects,
cookies, decoding, ``raise_for_status``. Connections, TLS, challenges and credentials are the session's.
``timeout`` bounds connecting and silence; without one the session's count. Every failure of the daemon is a
``requests.RequestException`` whose ``__cause__`` is ours.
"""

from __future__ import annotations

import email.message
import io
import socket
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any, Union
from urllib.parse import urlsplit

import requests
import requests.auth
import urllib3
from requests import exceptions
from requests.cookies import extract_cookies_to_jar
from requests.structures import CaseInsensitiveDict
from requests.utils import get_encoding_from_headers, get_environ_proxies, select_proxy

from .. import _errors as errors
from .._arguments import FetchArguments, Timeouts
from .._generated import errors as kinds
from .._response import Headers
from .._session import Session
from . import CONFIGURATION
from ._exchange import Exchange
from ._holds import Holds
from ._retries import repeated
from ._translation import (
    READ_BYTES,
    environment_proxies,
    phrase,
    proxies_of,
    request_fields,
    request_url,
    seconds_of,
    sort_body,
    user_and_password,
)
from ._wishes import NO_WISH, Siblings, Wish, read_wish

__all__ = ["CONFIGURATION", "WatchwordAdapter"]

Timeout = Union[None, float, "tuple[float | None, float | None]", "urllib3.Timeout"]


class WatchwordAdapter(requests.adapters.BaseAdapter):
    """Sends what is mounted on it through one session, which stays its owner's to close.

    The session may be given as a function that opens it at the first request. ``verify`` with another value than True
    and ``cert`` use a session of their own beside it, which the adapter closes: what is trusted or presented there
    stays there. ``proxies`` lead these requests. Proxies of the environment do where the session is given as a
    function, and are the daemon's where it is one: whoever opens a session says where it goes. ``max_retries`` is a
    number or a ``urllib3.Retry``, as ``HTTPAdapter`` has it.
    """

    def __init__(self, session: Session | Callable[[], Session], max_retries: int | urllib3.Retry = 0) -> None:
        super().__init__()
        self._siblings = Siblings(session)
        self._reads_environment = not isinstance(session, Session)
        self._holds = Holds()
        self._retries = urllib3.Retry.from_int(max_retries) if max_retries else urllib3.Retry(0, read=False)

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Timeout = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """One request, one response. It returns at the head, and the body comes as it is read."""
        timeouts = _timeouts(timeout)
        try:
            wish = replace(_wish(request.url or "", verify, cert), digest=_digest(request))
        except errors.WatchwordError as error:
            raise translated(error, request) from error
        way = _proxies(request.url or "", proxies, self._reads_environment)

        def once() -> requests.Response:
            return self._send(request, timeouts, wish, way)

        return repeated(self._retries, request, once)

    def _send(
        self,
        request: requests.PreparedRequest,
        timeouts: Timeouts | None,
        wish: Wish,
        proxies: dict[str, str] | str | None,
    ) -> requests.Response:
        url = request_url(request.url or "")
        arguments: FetchArguments = {
            "method": request.method or "GET",
            "headers": request_fields(((name, _octets(value)) for name, value in request.headers.items()), url),
            "timeouts": timeouts,
            "decode_content": False,
            "follow_redirects": False,
            "proxies": proxies,
        }
        end = self._holds.take()
        try:
            body, pieces = sort_body(request.body, request.headers.get("Content-Length"))
            if body is not None and len(body if isinstance(body, (str, bytes)) else b"?"):
                arguments["body"] = body.encode() if isinstance(body, str) else body
            exchange = Exchange(self._siblings.session_for(wish), url, arguments, pieces)
        except errors.WatchwordError as error:
            end()
            raise translated(error, request) from error
        except BaseException:
            end()
            raise
        head = exchange.head
        raw = _raw(PipeBody(exchange, request, end), head.status, head.headers, head.protocol, request)
        _, mark, fragment = (request.url or "").partition("#")
        return self._response(request, raw, f"{head.url}{mark}{fragment}")

    def _response(self, request: requests.PreparedRequest, raw: urllib3.HTTPResponse, url: str) -> requests.Response:
        response = requests.Response()
        response.status_code = raw.status
        response.headers = CaseInsensitiveDict(raw.headers)
        response.encoding = get_encoding_from_headers(response.headers)
        response.raw = raw
        response.reason = raw.reason or ""
        response.url = url
        extract_cookies_to_jar(response.cookies, request, raw)  # type: ignore[no-untyped-call]
        response.request = request
        response.connection = self  # type: ignore[assignment]
        return response

    def close(self) -> None:
        """Leaves the sessions that ``verify`` and ``cert`` have made; the session itself is its owner's.

        Bodies that are still read come to their end before.
        """
        self.when_read(self._siblings.leave())

    def when_read(self, close: Callable[[], None]) -> None:
        """Calls it when no body is on its way, at once perhaps."""
        self._holds.when_free(close)

    def __reduce__(self) -> tuple[Any, ...]:
        return (WatchwordAdapter, (self._siblings.opener(), self._retries))

    def __repr__(self) -> str:
        return f"<WatchwordAdapter {self._siblings}>"


#: The key of the first request's origin among its hooks.
_ORIGIN = "watchword.origin"


def _digest(request: requests.PreparedRequest) -> tuple[str, str | bytes] | None:
    """User and password of ``HTTPDigestAuth``, which waits for the 401: the daemon answers before that.

    Only for the origin of the first request: the next ones of a redirect share its hooks.
    """
    origin = urlsplit(request.url or "")[:2]
    if request.hooks.setdefault(_ORIGIN, origin) != origin:
        return None
    for hook in request.hooks.get("response", ()):
        auth = getattr(hook, "__self__", None)
        if isinstance(auth, requests.auth.HTTPDigestAuth):
            return user_and_password(auth.username, auth.password)
    return None


def _octets(value: Any) -> Any:
    """The value of a field as ``requests`` sends it: a text is its octets by ISO 8859-1. Others are sent as UTF-8."""
    try:
        return value.encode("latin-1") if isinstance(value, str) else value
    except UnicodeEncodeError:
        return value


def _text_of(value: str) -> str:
    """The value of a field as ``requests`` shows it: one character for each octet. The daemon has read UTF-8."""
    return value.encode().decode("latin-1")


def _wish(url: str, verify: bool | str, cert: Any) -> Wish:
    """Nothing where no TLS is: ``requests`` reads no file then."""
    return read_wish(verify, cert) if url.lower().startswith("https:") else NO_WISH


def _proxies(
    url: str, proxies: Mapping[str, str] | None, reads_environment: bool
) -> dict[str, str] | str | None:
    """``proxies`` of the fetch; None for the session's. ``requests`` has added those of the environment."""
    proxy: str | None = select_proxy(url, dict(proxies or {}))
    if proxy and (reads_environment or proxy != select_proxy(url, get_environ_proxies(url))):
        return proxies_of(proxy)
    # The environment has an exception, or does not count: the request goes past its proxies.
    return "none" if reads_environment and environment_proxies(url) is not None else None


def _timeouts(timeout: Timeout) -> Timeouts | None:
    """ValueError, as urllib3 has it, for what is no time."""
    if timeout is None:
        return None
    if not isinstance(timeout, urllib3.Timeout):
        parts = timeout if isinstance(timeout, tuple) else (timeout, timeout)
        if len(parts) != 2:
            raise ValueError(f"Invalid timeout {timeout}. Pass a (connect, read) timeout tuple, or a single float.")
        timeout = urllib3.Timeout(connect=parts[0], read=parts[1])
    connect, read = timeout.connect_timeout, timeout.read_timeout
    return Timeouts(seconds_of(connect), seconds_of(read))


class PipeBody(io.RawIOBase):
    """A body as ``urllib3`` reads one: faults are the ``OSError`` that it makes its own exceptions of.

    ``end`` is called when nothing more of it is read.
    """

    def __init__(self, exchange: Exchange, request: requests.PreparedRequest, end: Callable[[], None]) -> None:
        self._exchange = exchange
        self._request = request
        self._end = end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        piece = self.read1(len(view))
        view[: len(piece)] = piece
        return len(piece)

    def read1(self, size: int = READ_BYTES) -> bytes:
        """What has arrived, at most ``size`` bytes; nothing at the end."""
        piece = b""
        try:
            piece = self._exchange.read(size)
        except kinds.TimedOut as error:
            raise socket.timeout(str(error)) from error  # TimeoutError is none before Python 3.10
        except errors.WatchwordError as error:
            raise ConnectionError(str(error)) from error
        finally:
            if not piece:
                self._end()
        return piece

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._exchange.close()
            self._end()


class PipedResponse(urllib3.HTTPResponse):
    """Yields what has arrived. The base class waits until a piece is as large as asked for, and where no size is
    asked for it takes a body for open until its file is closed."""

    def stream(self, amt: int | None = READ_BYTES, decode_content: bool | None = None) -> Generator[bytes, None, None]:
        if amt != 0:
            while piece := self.read1(amt or READ_BYTES, decode_content):
                yield piece


class Original:
    """What ``requests`` takes cookies from: the head as the standard library would have it."""

    def __init__(self, headers: Headers) -> None:
        self.msg = email.message.Message()
        for name, value in headers.pairs():
            self.msg[name] = _text_of(value)

    def isclosed(self) -> bool:
        return True

    def close(self) -> None:
        """The body belongs to ``raw``."""


def _raw(
    body: Any, status: int, headers: Headers, protocol: str | None, request: requests.PreparedRequest
) -> urllib3.HTTPResponse:
    return PipedResponse(
        body=body,
        headers=urllib3.HTTPHeaderDict([(name, _text_of(value)) for name, value in headers.pairs()]),
        status=status,
        version=20 if protocol == "h2" else 11,
        reason=phrase(status),
        preload_content=False,
        decode_content=False,
        original_response=Original(headers),  # type: ignore[arg-type]
        enforce_content_length=False,  # the daemon has: with a better error
        request_method=request.method,
    )


def _invalid(error: errors.WatchwordError) -> type[exceptions.RequestException]:
    path = (error.path if isinstance(error, kinds.InvalidParams) else None) or ""
    if path.startswith("params.url"):
        return exceptions.InvalidURL
    if path.startswith("params.proxies"):
        return exceptions.InvalidProxyURL
    return exceptions.InvalidHeader if path.startswith("params.headers") else exceptions.RequestException


def _timed_out(error: errors.WatchwordError) -> type[exceptions.RequestException]:
    connecting = isinstance(error, kinds.TimedOut) and error.phase == "connect"
    return exceptions.ConnectTimeout if connecting else exceptions.ReadTimeout


def _at_hop(error: errors.WatchwordError) -> type[exceptions.RequestException]:
    is_proxy = isinstance(error, errors.TransportError) and error.hop == "proxy"
    return exceptions.ProxyError if is_proxy or isinstance(error, kinds.ProxyFailed) else exceptions.ConnectionError


def _unanswered(error: errors.WatchwordError) -> type[exceptions.RequestException]:
    is_proxy = isinstance(error, errors.RPCError) and error.data.get("hop") == "proxy"
    return exceptions.ProxyError if is_proxy else exceptions.RequestException


#: The first class that fits; what none fits is a plain RequestException.
_TRANSLATIONS: list[tuple[type[errors.WatchwordError], Callable[[Any], type[exceptions.RequestException]]]] = [
    (kinds.TimedOut, _timed_out),
    (kinds.ServerTrustRejected, lambda _: exceptions.SSLError),
    (kinds.TLSFailed, lambda _: exceptions.SSLError),
    (kinds.ContentDecodingFailed, lambda _: exceptions.ContentDecodingError),
    (kinds.ProxyAuthenticationFailed, lambda _: exceptions.ProxyError),
    (kinds.UserCancelledAuthentication, _unanswered),
    (errors.TransportError, _at_hop),
    (errors.DaemonUnavailable, lambda _: exceptions.ConnectionError),
    (errors.DaemonConnectionLost, lambda _: exceptions.ConnectionError),
    (errors.ClientClosed, lambda _: exceptions.ConnectionError),
    (errors.ProtocolError, lambda _: exceptions.ConnectionError),
    (kinds.TooManyRedirects, lambda _: exceptions.TooManyRedirects),
    (kinds.BodyNotReplayable, lambda _: exceptions.UnrewindableBodyError),
    (kinds.InvalidParams, _invalid),
]


def translated(error: errors.WatchwordError, request: requests.PreparedRequest) -> exceptions.RequestException:
    """The exception that ``requests`` has for it."""
    for kind, choose in _TRANSLATIONS:
        if isinstance(error, kind):
            return choose(error)(str(error), request=request)
    return exceptions.RequestException(str(error), request=request)
