"""The keyword arguments of a fetch, with their defaults."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, TypedDict, Union

from . import _familiar as familiar
from ._errors import InvalidArgument
from ._multipart import FileOfForm, Part
from ._response import HeaderTypes
from ._retry import Retry

__all__ = ["Body", "DescriptorOutput", "FetchArguments", "FetchOptions", "Timeouts", "check_single", "options_of"]

#: A request body: text, bytes, a path, or a binary file with a descriptor.
Body = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", BinaryIO]
#: Text, or names with their values; a value that is a list stands for several.
Fields = Union[str, bytes, Mapping[str, Any], Iterable["tuple[str, Any]"]]


@dataclass(frozen=True)
class Timeouts:
    """Seconds until connected, of silence, and for the whole. Time that waits for a reply does not count."""

    connect: float | None = None
    request: float | None = None
    resource: float | None = None


class DescriptorOutput:
    """An output that writes at the position of an open descriptor; resumed if the entity is still ``etag``."""

    __slots__ = ("descriptor", "etag")

    def __init__(self, descriptor: int, etag: str | None = None) -> None:
        self.descriptor = descriptor
        self.etag = etag


class FetchArguments(TypedDict, total=False):
    """The keyword arguments of ``fetch``, ``start``, ``stream``, ``download``, ``get`` and its kin.

    ``body`` (text, bytes, a path, a binary file), ``json``, ``form`` and ``multipart`` exclude each other and make the
    method POST when none is named. ``multipart`` has pairs of a name and text, bytes, a path, a binary file or a
    FormFile. ``timeouts`` as a number bounds the whole fetch, in seconds. ``output`` is ``auto`` (the default),
    ``inline``, ``discard`` or a binary file that the daemon writes into. ``digest`` is what the bytes for the output
    must hash to (``sha-256=:BASE64:``, RFC 9530); DigestMismatch if they do not. A result whose body has more than
    ``maximum_body_bytes``, after decoding, is BodyTooLarge; a file gets at most so many. Without ``follow_redirects``
    the first redirect is the response, whatever the session's policy says. With ``metrics`` the response has them;
    with ``exchange_details`` they and the events of a task say over which connection an exchange was made and what was
    sent, without its secrets.
    ``retry`` makes a fetch again after a problem that may pass; it goes with a body that can be sent again (text,
    bytes, a path, ``json``, ``form``), and not with ``start``, ``stream``, ``download`` or a file for output.
    ``proxies`` replaces the session's: ``"none"``, ``"environment"`` (the daemon's), or URLs under ``http``, ``https``
    and ``all`` with ``except``. ``redirect_limit`` counts instead of the session's. ``http_versions`` without ``"2"``
    excludes it for this fetch, and ``tls`` (``minimumVersion``, ``maximumVersion``) excludes versions of TLS.
    ``ip_version`` is ``"4"`` or ``"6"``, the only kind of addresses that is connected to. ``maximum_bytes_per_second``
    is how fast bodies are sent and received, at least 1024. ``traceparent`` is the field of that name (W3C Trace
    Context), which the daemon's log and history have, too.
    ``cookie_scope`` says whose cookies are sent and kept: ``"session"``, or ``"task"`` for those of this fetch alone,
    which is the default in the session ``default`` and in those that are named after their settings.

    These have the names and meanings that ``requests`` gives them: ``params`` is added to the URL's query. ``data`` is
    a form where it has names, else a body as it is. ``files`` are the files of a form, beside the fields of ``data``.
    ``auth`` is a user and a password that answer this fetch's origin if it asks, by the method that it asks for; they
    are not kept. ``timeout`` limits connecting and silence, as one number or as a pair. ``cookies`` are sent instead of
    the session's. ``allow_redirects`` is ``follow_redirects``.
    """

    method: str | None
    headers: HeaderTypes | None
    sensitive_headers: Iterable[str] | None
    body: Body | None
    json: Any
    form: Mapping[str, str] | None
    multipart: Iterable[tuple[str, Part]] | None
    timeouts: Timeouts | float | None
    priority: float | None
    detached: bool
    output: str | BinaryIO | DescriptorOutput | None
    digest: str | None
    decode_content: bool
    maximum_body_bytes: int | None
    follow_redirects: bool
    proxies: str | Mapping[str, Any] | None
    redirect_limit: int | None
    http_versions: Sequence[str] | None
    ip_version: str | None
    maximum_bytes_per_second: int | None
    traceparent: str | None
    tls: Mapping[str, str] | None
    cookie_scope: str | None
    metrics: bool
    exchange_details: bool
    retry: Retry | None
    task: str | None
    params: Fields | None
    data: Fields | Body | None
    files: Mapping[str, FileOfForm] | Iterable[tuple[str, FileOfForm]] | None
    auth: tuple[str, str | bytes] | None
    timeout: Timeouts | float | tuple[float | None, float | None] | None
    cookies: Mapping[str, str] | None
    allow_redirects: bool


class FetchOptions:
    """What a fetch is asked: the arguments that were given, and what those mean that have the names of ``requests``."""

    __slots__ = ("auth", "body", "cookies", "follow_redirects", "form", "given", "multipart", "query", "timeouts")

    def __init__(self, given: FetchArguments) -> None:
        self.given = given
        body, form, multipart = given.get("body"), given.get("form"), given.get("multipart")
        data, files = given.get("data"), given.get("files")
        bodies = (body is not None, "json" in given, form is not None, multipart is not None)
        if sum((*bodies, data is not None or files is not None)) > 1:
            raise InvalidArgument("a request has one body: body, json, form, multipart, or data and files")
        fields: list[tuple[str, Any]] | None = None if form is None else list(form.items())
        if files is not None:
            multipart = familiar.parts(data, files)
        elif data is not None:
            body, fields = familiar.body_or_form(data)
        if given.get("retry") is not None:
            _check_repetition(body, multipart, given.get("output"))
        self.body = body
        self.form = fields
        self.multipart = multipart
        timeout = _timeouts(given.get("timeout"))
        self.timeouts: Timeouts | float | None = one_of("timeout", timeout, "timeouts", given.get("timeouts"))
        allowed, follows = given.get("allow_redirects"), given.get("follow_redirects")
        follows = one_of("allow_redirects", allowed, "follow_redirects", follows)
        self.follow_redirects = follows is None or bool(follows)
        params, auth, cookies = given.get("params"), given.get("auth"), given.get("cookies")
        self.query = None if params is None else familiar.query(params)
        self.auth = None if auth is None else familiar.user_and_password(auth)
        self.cookies = None if cookies is None else familiar.cookie_field(cookies)

    @property
    def retry(self) -> Retry | None:
        """When the fetch is made again."""
        return self.given.get("retry")


#: The names of all arguments.
NAMES = frozenset(FetchArguments.__annotations__)


def options_of(function: str, arguments: FetchArguments, method: str | None = None) -> FetchOptions:
    """The options of a call. TypeError names the public function, and the argument that was perhaps meant.

    A ``method`` is that of a function which is named after it.
    """
    check_names(function, arguments, NAMES if method is None else NAMES - {"method"})
    return FetchOptions(arguments if method is None else {**arguments, "method": method})


#: Arguments of ``requests`` whose place is another one here.
_ELSEWHERE = {
    "verify": "client.add_roots(PEM) trusts an authority, and the setting tls.roots of a session",
    "cert": "session.add_identity(Identity.from_pem(…)) presents a client certificate",
    "stream": "session.stream(url) reads the body in pieces",
    "hooks": "the events of session.start(url) tell of each head",
}


def check_names(function: str, arguments: Mapping[str, Any], names: frozenset[str] = NAMES) -> None:
    """TypeError, as Python has it, for an argument that is none."""
    for name in arguments:
        if name not in names:
            if name in _ELSEWHERE:
                raise TypeError(f"{function}() has no argument {name!r}: {_ELSEWHERE[name]}")
            near = difflib.get_close_matches(name, sorted(names), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def check_single(function: str, arguments: Mapping[str, Any]) -> None:
    """Of a function whose fetch is made once only."""
    check_names(function, arguments)
    if arguments.get("retry") is not None:
        raise InvalidArgument("retry is for fetch, get and its kin")


def one_of(first: str, one: Any, second: str, other: Any) -> Any:
    """The one of two arguments of the same meaning that was given."""
    if one is not None and other is not None:
        raise InvalidArgument(f"{first} or {second}, not both")
    return other if one is None else one


def _timeouts(timeout: Any) -> Timeouts | None:
    """As ``requests`` has it: for connecting and for silence."""
    if timeout is None or isinstance(timeout, Timeouts):
        return timeout
    if not isinstance(timeout, tuple):
        return Timeouts(connect=timeout, request=timeout)
    if len(timeout) != 2:
        raise InvalidArgument("timeout is a number of seconds, or two: to connect and of silence")
    return Timeouts(connect=timeout[0], request=timeout[1])


def _check_repetition(body: Any, multipart: Any, output: Any) -> None:
    held = (str, bytes, bytearray, memoryview, os.PathLike)
    if multipart is not None or (body is not None and not isinstance(body, held)):
        raise InvalidArgument("retry needs a body that can be sent again: text, bytes or a path")
    if output is not None and not isinstance(output, str):
        raise InvalidArgument("retry does not go with a file for output: it may hold the body of another attempt")
