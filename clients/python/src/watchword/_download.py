"""Downloads into files, as a plan: it yields what to run and is sent what came of it.

The daemon opens no paths, so the file is opened here and travels as a descriptor. A new file appears under its
name only when it is complete.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Generator
from typing import Any, BinaryIO, Callable, TypeVar, Union

from ._arguments import DescriptorOutput, FetchArguments, FetchOptions
from ._errors import BodyError
from ._generated.errors import DigestMismatch, MalformedResponse
from ._operation import Operation
from ._response import Response, StatusError
from ._tasks import ResponseReceived, TaskFinished, finished_response
from ._waiting import Channel

__all__ = ["Plan", "Starter", "download"]

T = TypeVar("T")

#: Yields operations to run and channels to take the next item from.
Plan = Generator[Union[Operation[Any], "Channel[Any]"], Any, T]


class Starter:
    """How a plan gets its operations: bound to one session of one client."""

    __slots__ = ("fetch", "finish", "start")

    def __init__(
        self,
        fetch: Callable[[str, FetchOptions | None], Operation[Response]],
        start: Callable[[str, FetchOptions], tuple[Channel[Any], Operation[None]]],
        finish: Callable[[Channel[Any]], None],
    ) -> None:
        self.fetch = fetch
        self.start = start
        self.finish = finish


def download(
    starter: Starter,
    url: str,
    destination: str | os.PathLike[str] | BinaryIO,
    resume: bool,
    arguments: FetchArguments,
) -> Plan[Response]:
    """Fetches into a path or an open binary file."""
    if not isinstance(destination, (str, os.PathLike)):
        response: Response = yield starter.fetch(url, _options(arguments, destination))
        return response.raise_for_status()
    path = os.fspath(destination)
    _check_replaceable(path)
    if resume:
        return (yield from _resume(starter, url, path, arguments))
    return (yield from _replace(starter, url, path, arguments))


def _check_replaceable(path: str) -> None:
    """A complete file takes the place of what is there: a device, a pipe or a socket would be lost."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise OSError(errno.EINVAL, "not a regular file: pass an open file", path)


def _options(arguments: FetchArguments, output: BinaryIO | DescriptorOutput) -> FetchOptions:
    return FetchOptions({**arguments, "output": output})


def _replace(starter: Starter, url: str, path: str, arguments: FetchArguments) -> Plan[Response]:
    temporary = f"{path}.{secrets.token_hex(4)}.part"
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o666)
    try:
        options = _options(arguments, DescriptorOutput(descriptor))
        response: Response = yield starter.fetch(url, options)
        response.raise_for_status()
        if 200 <= response.status < 300:  # a 304 leaves the file that is there
            os.replace(temporary, path)
            temporary = ""
        return response
    finally:
        os.close(descriptor)
        if temporary:
            os.unlink(temporary)


def _resume(starter: Starter, url: str, path: str, arguments: FetchArguments) -> Plan[Response]:
    """Goes on with ``path.part`` where its entity tag, kept beside it, still holds."""
    part, note = f"{path}.part", f"{path}.part.etag"
    descriptor = os.open(part, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o666)
    try:
        size = os.fstat(descriptor).st_size
        etag = _read_note(note) if size else None
        if etag is None:
            size = 0
            os.ftruncate(descriptor, 0)
        try:
            response = yield from _transfer(starter, url, descriptor, size, etag, note, arguments)
        except (StatusError, MalformedResponse) as error:
            if etag is None or not _is_of_something_else(error):
                raise
            os.ftruncate(descriptor, 0)
            response = yield from _transfer(starter, url, descriptor, 0, None, note, arguments)
        except DigestMismatch:
            os.ftruncate(descriptor, 0)  # any of its bytes may be wrong
            _remove(note)
            raise
        if 200 <= response.status < 300 or _is_complete(response):
            os.replace(part, path)
            _remove(note)
        return response
    finally:
        os.close(descriptor)


def _is_of_something_else(error: StatusError | MalformedResponse) -> bool:
    """Whether the part is no beginning of what is there now."""
    return error.status == 416 if isinstance(error, StatusError) else error.reason == "range"


def _is_complete(response: Response) -> bool:
    """Whether the part was everything already, as the daemon judges a 416 (RFC 9110 §15.5.17)."""
    return response.continuation == "complete"


def _transfer(
    starter: Starter,
    url: str,
    descriptor: int,
    size: int,
    etag: str | None,
    note: str,
    arguments: FetchArguments,
) -> Plan[Response]:
    os.lseek(descriptor, size, os.SEEK_SET)
    options = _options(arguments, DescriptorOutput(descriptor, etag))
    channel, operation = starter.start(url, options)
    try:
        yield operation
        while (event := (yield channel)) is not None:
            if isinstance(event, ResponseReceived) and 200 <= event.status < 300 and not event.login_page:
                if event.status == 206 and etag is not None:
                    continue  # the bytes that are there stay, and the note names their version
                tag = event.headers.get("ETag")
                if tag is not None and not tag.startswith("W/"):  # RFC 9110 §13.1.5: strong ones only
                    _write_note(note, tag)
                else:
                    _remove(note)
            elif isinstance(event, TaskFinished):
                response = finished_response(event)
                _settle_size(response, descriptor, size)
                return response if _is_complete(response) else response.raise_for_status()
        raise BodyError("the download ended without a result")
    finally:
        starter.finish(channel)


def _settle_size(response: Response, descriptor: int, size: int) -> None:
    """Cuts off what does not belong to the file: an error or login page, or the tail of an older, longer one."""
    if response.status == 206:
        match = re.fullmatch(r"bytes \d+-\d+/(\d+)", response.headers.get("Content-Range", ""))
        if match is not None and int(match[1]) != os.fstat(descriptor).st_size:
            raise BodyError("the download is not as long as the origin said")
    elif 200 <= response.status < 300 and response.ok:
        os.ftruncate(descriptor, response.size)
    else:
        os.ftruncate(descriptor, size)


def _read_note(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="strict") as file:
            return file.read(4096) or None
    except (OSError, ValueError):
        return None


def _write_note(path: str, tag: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(tag)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
