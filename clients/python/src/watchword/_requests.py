"""From the arguments of ``fetch`` to the parameters on the wire."""

from __future__ import annotations

import io
import json as json_text
import os
import stat
from typing import Any, Callable
from urllib.parse import urlencode

from ._arguments import DescriptorOutput, FetchOptions, Timeouts
from ._errors import InvalidArgument
from ._familiar import with_query, with_user
from ._json import quote
from ._multipart import spooled
from ._operation import Operation, plain
from ._response import Response, fields_to_wire

__all__ = ["fetch", "start"]

#: Above this a body travels as a memory file instead of JSON text: 4.5 ms per MiB of base64 saved.
LARGEST_BODY_IN_MESSAGE = 16 << 10


class _Descriptors:
    """The descriptors of one message: where each one is, and which were opened here."""

    def __init__(self) -> None:
        self.all: list[int] = []
        self.owned: list[int] = []

    def add(self, descriptor: int, owned: bool) -> int:
        self.all.append(descriptor)
        if owned:
            self.owned.append(descriptor)
        return len(self.all) - 1


def fetch(session: str | None, url: str, task: str | None, options: FetchOptions | None) -> Operation[Response]:
    """A task that is answered when it has finished."""
    if options is None:  # the warm path: no dictionaries
        head = "{" if session is None else f'{{"session":{quote(session)},'
        if task is not None:
            head += f'"task":{quote(task)},'
        return Operation("fetch", None, Response, text=f'{head}"url":{quote(url)}}}', task=task)
    return _operation("fetch", session, url, task, options, Response)


def start(session: str | None, url: str, task: str, options: FetchOptions) -> Operation[None]:
    """A task that is answered at once; the rest arrives as notifications."""
    return _operation("task/start", session, url, task, options, plain(lambda _: None))


def _operation(
    rpc: str,
    session: str | None,
    url: str,
    task: str | None,
    options: FetchOptions,
    decode: Callable[..., Any],
) -> Operation[Any]:
    descriptors = _Descriptors()
    try:
        params = _params(session, url, task, options, descriptors)
    except BaseException:
        for descriptor in descriptors.owned:
            os.close(descriptor)
        raise
    return Operation(rpc, params, decode, descriptors=descriptors.all, owned=descriptors.owned, task=params.get("task"))


def _params(
    session: str | None, url: str, task: str | None, options: FetchOptions, descriptors: _Descriptors
) -> dict[str, Any]:
    if not isinstance(url, str):
        raise InvalidArgument("a URL is text")
    given = options.given
    headers = fields_to_wire(given.get("headers") or ())
    body, content_type = _body(options, descriptors)
    if content_type is not None and not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", content_type))
    if options.cookies is not None:
        headers.append(("Cookie", options.cookies))
    params: dict[str, Any] = {"url": with_user(with_query(url, options.query), options.auth)}
    if session is not None:
        params["session"] = session
    if (identifier := given.get("task") or task) is not None:
        params["task"] = identifier
    method = given.get("method")
    if method is not None or body is not None:
        params["method"] = method or "POST"
    if headers:
        params["headers"] = headers
    if body is not None:
        params["body"] = body
    if options.timeouts is not None:
        params["timeouts"] = _timeouts(options.timeouts)
    if (output := _delivery(options, descriptors)) is not None:
        params["output"] = output
    if not given.get("decode_content", True):
        params["decodeContent"] = False
    if not options.follow_redirects:
        params["followRedirects"] = False
    for name, (member, wire) in _MEMBERS.items():
        if (value := given.get(name)) is not None:
            params[member] = wire(value)
    for name, member in _FLAGS.items():
        if given.get(name):
            params[member] = True
    return params


def _as_it_is(value: Any) -> Any:
    return value


def _proxies(proxies: Any) -> Any:
    return proxies if isinstance(proxies, str) else dict(proxies)


def _redirects(limit: Any) -> Any:
    return {"limit": limit}


#: Arguments that are sent when they are given: the member of each, and what it says.
_MEMBERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "cookie_scope": ("cookies", _as_it_is),
    "http_versions": ("httpVersions", list),
    "ip_version": ("ipVersion", _as_it_is),
    "maximum_body_bytes": ("maximumBodyBytes", _as_it_is),
    "maximum_bytes_per_second": ("maximumBytesPerSecond", _as_it_is),
    "priority": ("priority", _as_it_is),
    "proxies": ("proxies", _proxies),
    "redirect_limit": ("redirects", _redirects),
    "sensitive_headers": ("sensitiveHeaders", list),
    "tls": ("tls", dict),
    "traceparent": ("traceparent", _as_it_is),
}
#: Arguments that are sent when they are true.
_FLAGS = {"detached": "detached", "exchange_details": "exchangeDetails", "metrics": "metrics"}


def _delivery(options: FetchOptions, descriptors: _Descriptors) -> Any:
    """Where the body goes; None for what the daemon does by itself."""
    output, digest = options.given.get("output"), options.given.get("digest")
    delivery = None if output is None else _output(output, descriptors)
    if digest is None:
        return delivery
    members = {"mode": delivery} if isinstance(delivery, str) else delivery or {}
    return {**members, "digest": digest}


def _timeouts(timeouts: Timeouts | float) -> dict[str, float]:
    if not isinstance(timeouts, Timeouts):
        timeouts = Timeouts(resource=timeouts)
    for seconds in (timeouts.connect, timeouts.request, timeouts.resource):
        if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, (int, float))):
            kind = type(seconds).__name__
            raise InvalidArgument(f"timeouts are seconds or Timeouts(connect=…, request=…), not {kind}")
    members = {
        "connectSeconds": timeouts.connect,
        "requestSeconds": timeouts.request,
        "resourceSeconds": timeouts.resource,
    }
    return {name: value for name, value in members.items() if value is not None}


def _body(options: FetchOptions, descriptors: _Descriptors) -> tuple[dict[str, Any] | None, str | None]:
    """The wire member and the Content-Type that goes with it."""
    body: Any = options.body
    content_type = None
    if "json" in options.given:
        try:
            body = json_text.dumps(options.given["json"], separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument(f"the body is no JSON: {type(error).__name__}") from None
        content_type = "application/json"
    elif options.multipart is not None:
        descriptor, content_type = spooled(options.multipart)
        return {"descriptor": descriptors.add(descriptor, True)}, content_type
    elif options.form is not None:
        body, content_type = urlencode(options.form), "application/x-www-form-urlencoded"
    elif isinstance(body, str):
        content_type = "text/plain; charset=utf-8"
    if body is None:
        return None, None
    if isinstance(body, (str, bytes, bytearray, memoryview)):
        return _held_body(body, descriptors), content_type
    descriptor, owned = _input(body)
    return {"descriptor": descriptors.add(descriptor, owned)}, content_type


def _held_body(body: str | bytes | bytearray | memoryview, descriptors: _Descriptors) -> dict[str, Any]:
    try:
        data = body.encode() if isinstance(body, str) else bytes(body)
    except UnicodeEncodeError:
        raise InvalidArgument("lone surrogates cannot be sent") from None
    if len(data) > LARGEST_BODY_IN_MESSAGE:
        return {"descriptor": descriptors.add(_memory_file(data), True)}
    if isinstance(body, str) and "\0" not in body:
        return {"text": body}
    from base64 import b64encode

    return {"base64": b64encode(data).decode()}


def _memory_file(data: bytes) -> int:
    descriptor = os.memfd_create("watchword-body", os.MFD_CLOEXEC)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _input(body: Any) -> tuple[int, bool]:
    """A descriptor to read the body from, and whether it was opened here."""
    if isinstance(body, os.PathLike):
        return os.open(body, os.O_RDONLY | os.O_CLOEXEC), True
    if isinstance(body, io.TextIOBase):
        raise InvalidArgument("a file body is opened in binary mode")
    if isinstance(body, io.BytesIO):
        return _memory_file(body.read()), True
    descriptor = _descriptor(body)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor, False
    # Python reads ahead, so the descriptor's position is not the file's: a description of our own has it.
    try:
        position = body.tell()
        own = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError, AttributeError):
        return descriptor, False
    os.lseek(own, position, os.SEEK_SET)
    return own, True


def _output(output: Any, descriptors: _Descriptors) -> Any:
    if isinstance(output, str):
        return output
    if isinstance(output, DescriptorOutput):
        member: dict[str, Any] = {"descriptor": descriptors.add(output.descriptor, False)}
        if output.etag is not None:
            member["resumeIfRange"] = output.etag
        return member
    if isinstance(output, io.TextIOBase):
        raise InvalidArgument("a file for output is opened in binary mode")
    if hasattr(output, "flush"):
        output.flush()
    return {"descriptor": descriptors.add(_descriptor(output), False)}


def _descriptor(file: Any) -> int:
    try:
        descriptor: int = file.fileno()
    except (AttributeError, OSError, ValueError):
        raise InvalidArgument("neither text, bytes, a path nor an open file with a descriptor") from None
    return descriptor
