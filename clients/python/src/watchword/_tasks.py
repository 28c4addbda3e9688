"""What a started task reports while it runs."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from ._details import ExchangeDetails, read_details
from ._errors import ProtocolError, RPCError, again, error_from_wire
from ._json import Reader
from ._protocol import close_descriptors
from ._response import Headers, Response

__all__ = [
    "BodyDataSent",
    "DataReceived",
    "HeadReceived",
    "Redirected",
    "ResponseReceived",
    "TaskEvent",
    "TaskFinished",
    "read_task_event",
]


@dataclass(frozen=True)
class ResponseReceived:
    """The final response's head; the body follows. ``protocol`` is ``http/1.1`` or ``h2``, ``login_page`` as in the
    response. ``details`` are there with ``exchange_details``, as in the other events of a head."""

    task: str
    url: str
    status: int
    headers: Headers
    protocol: str | None = None
    login_page: bool = False
    details: ExchangeDetails | None = None

    @property
    def ok(self) -> bool:
        """Whether the status is below 400, and the response no login page."""
        return self.status < 400 and not self.login_page


@dataclass(frozen=True)
class DataReceived:
    """A piece of the body, only with the output ``stream``."""

    task: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class BodyDataSent:
    """Progress of the request body."""

    task: str
    bytes_sent: int
    total_bytes: int | None


@dataclass(frozen=True)
class Redirected:
    """A redirect that was followed."""

    task: str
    status: int
    source: str
    destination: str
    headers: Headers = field(default_factory=Headers)
    """Of the redirect itself."""
    protocol: str | None = None
    details: ExchangeDetails | None = None


@dataclass(frozen=True)
class HeadReceived:
    """The head of a response that is not the result: of a refusal that was answered, or a proxy's to CONNECT."""

    task: str
    hop: str
    """``origin`` or ``proxy``."""
    url: str
    """Which the task wanted, also of a reply to CONNECT."""
    status: int
    headers: Headers
    protocol: str
    details: ExchangeDetails | None = None


@dataclass(frozen=True)
class TaskFinished:
    """The end: a response or an error. Nothing of the task comes after it."""

    task: str
    response: Response | None
    error: RPCError | None


TaskEvent = Union[ResponseReceived, DataReceived, BodyDataSent, Redirected, HeadReceived, TaskFinished]


def read_task_event(method: str, params: Any, descriptors: Sequence[int] = ()) -> TaskEvent | None:
    """The event of a notification, or None for a method that is none. Takes the descriptors of ``didFinish``."""
    if method == "task/didFinish":
        return _finished(Reader(params, method), descriptors)
    reader = _readers.get(method)
    return None if reader is None else reader(Reader(params, method))


def _response(r: Reader) -> TaskEvent:
    return ResponseReceived(
        r.string("task"),
        r.string("url"),
        r.integer("status"),
        Headers(r.pairs("headers", ())),
        r.string_or_none("protocol"),
        r.boolean("loginPage", False),
        read_details(r),
    )


def _data(r: Reader) -> TaskEvent:
    try:
        data = base64.b64decode(r.string("base64"), validate=True)
    except (ValueError, binascii.Error):
        raise r.misfit("base64", "base64") from None
    return DataReceived(r.string("task"), r.integer("offset"), data)


def _sent(r: Reader) -> TaskEvent:
    return BodyDataSent(r.string("task"), r.integer("bytesSent"), r.integer_or_none("totalBytes"))


def _redirected(r: Reader) -> TaskEvent:
    return Redirected(
        r.string("task"),
        r.integer("status"),
        r.string("from"),
        r.string("to"),
        Headers(r.pairs("headers", ())),
        r.string_or_none("protocol"),
        read_details(r),
    )


def _head(r: Reader) -> TaskEvent:
    return HeadReceived(
        r.string("task"),
        r.string("hop"),
        r.string("url"),
        r.integer("status"),
        Headers(r.pairs("headers", ())),
        r.string("protocol"),
        read_details(r),
    )


def _finished(r: Reader, descriptors: Sequence[int]) -> TaskEvent:
    task = str(r.members.get("task"))  # it found its way by it
    if r.members.get("error") is None:
        return TaskFinished(task, Response(r.members, descriptors), None)
    close_descriptors(descriptors)
    error = r.object("error")
    data = error.members.get("data")
    return TaskFinished(
        task,
        None,
        error_from_wire(error.integer("code"), error.string("message"), data if isinstance(data, dict) else None),
    )


_readers = {
    "task/didReceiveResponse": _response,
    "task/didReceiveData": _data,
    "task/didSendBodyData": _sent,
    "task/didRedirect": _redirected,
    "task/didReceiveHead": _head,
}


def finished_response(event: TaskFinished) -> Response:
    """The response, or the error raised."""
    if event.error is not None:
        raise again(event.error)
    if event.response is None:
        raise ProtocolError("a task finished with neither response nor error")
    return event.response
