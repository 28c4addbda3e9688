"""What a fetch gives back, read as late as possible."""

from __future__ import annotations

import base64
import binascii
import json
import mmap
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Union
from urllib.parse import urlsplit

from ._challenges import UnusableOffer, read_unusable_offers
from ._errors import BodyError, InvalidArgument, ProtocolError, WatchwordError, printable
from ._json import Reader
from ._lines import LineSplitter
from ._metrics import Metrics, read_metrics
from ._protocol import close_descriptors

__all__ = ["HeaderTypes", "Headers", "Redirect", "Response", "StatusError", "charset"]

#: Fields to send. A value in ``bytes`` goes to the server octet for octet, also where it is not UTF-8.
HeaderTypes = Union["Headers", Mapping[str, Union[str, bytes]], Iterable[tuple[str, Union[str, bytes]]]]


class Headers(Mapping[str, str]):
    """Header fields in order, duplicates kept, names compared without case.

    ``headers["name"]`` joins several fields with ``", "`` as RFC 9110 §5.3 allows; ``get_all`` keeps them apart,
    which ``Set-Cookie`` needs.
    """

    __slots__ = ("_pairs",)

    def __init__(self, headers: Headers | Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        if isinstance(headers, Headers):
            self._pairs: list[tuple[str, str]] = list(headers._pairs)
        else:
            items = headers.items() if isinstance(headers, Mapping) else headers
            self._pairs = [(name, value) for name, value in items]

    def get_all(self, name: str) -> list[str]:
        """The values of every field of this name."""
        folded = name.lower()
        return [value for key, value in self._pairs if key.lower() == folded]

    def pairs(self) -> list[tuple[str, str]]:
        """Name and value of every field, in order."""
        return list(self._pairs)

    def __getitem__(self, name: str) -> str:
        values = self.get_all(name)
        if not values:
            raise KeyError(name)
        return ", ".join(values)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self.get_all(name))

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name.lower() for name, _ in self._pairs))

    def __len__(self) -> int:
        return len({name.lower() for name, _ in self._pairs})

    def __repr__(self) -> str:
        return f"Headers({sorted({name.lower() for name, _ in self._pairs})})"


def fields_to_wire(fields: HeaderTypes) -> list[tuple[str, str | dict[str, str]]]:
    """The fields of a request as ``[name, value]``; a value that is not UTF-8 is ``{"base64"}``."""
    if isinstance(fields, Headers):
        return [*fields.pairs()]
    items = fields.items() if isinstance(fields, Mapping) else fields
    try:
        return [(name, _value_to_wire(value)) for name, value in items]
    except (TypeError, ValueError):
        raise InvalidArgument("headers are names with values: a mapping or pairs") from None


def _value_to_wire(value: str | bytes) -> str | dict[str, str]:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


@dataclass(frozen=True)
class Redirect:
    """One redirect that was followed."""

    status: int
    source: str
    destination: str


class Response:
    """The result of a fetch. A 401 that stays a 401 is a result too.

    A large body comes as a memory file that is read when it is asked for; ``close`` (or the end of a ``with``
    block) frees it early.
    """

    __slots__ = ("_body", "_content", "_descriptor", "_headers", "_result", "status")

    def __init__(self, result: Any, descriptors: Sequence[int] = ()) -> None:
        self._descriptor: int | None = None
        try:
            self.status: int = result["status"]
            body = result["body"]
            if type(self.status) is not int or type(body) is not dict:
                raise TypeError
            if descriptors or "descriptor" in body:
                if body.get("descriptor") != 0 or len(descriptors) != 1:
                    raise TypeError
                self._descriptor = descriptors[0]
        except (TypeError, KeyError):
            close_descriptors(descriptors)
            raise ProtocolError("the daemon sent a result that is no response") from None
        self._body: dict[str, Any] = body
        self._result: dict[str, Any] = result
        self._headers: Headers | None = None
        self._content: bytes | None = None

    def __reduce__(self) -> Any:
        """With the body in it: a descriptor means something in its own process only, and has one owner."""
        body = dict(self._body)
        was_file = body.pop("descriptor", None) is not None
        if was_file and (self._content is not None or self._descriptor is not None):
            body["base64"] = base64.b64encode(self.content).decode("ascii")
        return type(self), ({**self._result, "body": body},)

    def _reader(self) -> Reader:
        return Reader(self._result, "result")

    @property
    def url(self) -> str:
        """The final URL, without userinfo."""
        return self._reader().string("url")

    @property
    def origin(self) -> str:
        """Scheme, host and port of the final URL."""
        try:
            parts = urlsplit(self.url)
        except ValueError:
            raise ProtocolError("the daemon sent a result without a proper url") from None
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def task(self) -> str:
        """The id of the task."""
        return self._reader().string("task")

    @property
    def session(self) -> str:
        """The id of the session."""
        return self._reader().string("session")

    @property
    def ok(self) -> bool:
        """Whether the status is below 400, and the response no login page."""
        return self.status < 400 and not self.login_page

    @property
    def login_page(self) -> bool:
        """Whether the response is a login page by the session's ``forms``, or the refusal of a login, and not what
        was asked for."""
        return self._reader().boolean("loginPage", False)

    @property
    def status_code(self) -> int:
        """``status``, as ``requests`` calls it."""
        return self.status

    @property
    def headers(self) -> Headers:
        """The header fields of the last response."""
        if self._headers is None:
            self._headers = Headers(self._reader().pairs("headers"))
        return self._headers

    @property
    def redirects(self) -> list[Redirect]:
        """The redirects that were followed, in order."""
        return [
            Redirect(r.integer("status"), r.string("from"), r.string("to"))
            for r in self._reader().objects("redirects", ())
        ]

    @property
    def unusable_offers(self) -> list[UnusableOffer]:
        """Of a 401 or 407: its challenges that cannot be answered, and why; 16 of them at most."""
        return read_unusable_offers(self._reader())

    @property
    def unusable_offer_count(self) -> int:
        """How many of these there are in all."""
        reader = self._reader()
        return reader.integer("unusableOfferCount", len(reader.array("unusableOffers", ())))

    @property
    def metrics(self) -> Metrics | None:
        """Times, bytes and exchanges of the task; None unless the fetch asked for them."""
        reader = self._reader().object_or_none("metrics")
        return None if reader is None else read_metrics(reader)

    @property
    def size(self) -> int:
        """The number of body bytes, also of a body that went to a descriptor, a stream or nowhere."""
        if "size" in self._body:
            return Reader(self._body, "body").integer("size")
        return len(self.content)

    @property
    def continuation(self) -> str | None:
        """What became of a file that was to go on: continued, restarted, complete or discarded; else None."""
        return Reader(self._body, "body").string("continuation") if "continuation" in self._body else None

    @property
    def truncated(self) -> bool:
        """Whether the body is the beginning only of a refusal or redirect, held while a question was pending."""
        return Reader(self._body, "body").boolean("truncated", False)

    @property
    def verified(self) -> bool:
        """Whether the body has the digests that ``digest`` or the origin expects of it."""
        return Reader(self._body, "body").boolean("verified", False)

    @property
    def content(self) -> bytes:
        """The body's bytes."""
        if self._content is None:
            self._content = self._read()
        return self._content

    @property
    def encoding(self) -> str:
        """The charset that Content-Type names, else UTF-8."""
        return charset(self.headers)

    @property
    def text(self) -> str:
        """The body as text by its charset; what does not decode becomes U+FFFD."""
        encoding = self.encoding
        text = self._body.get("text")
        if isinstance(text, str) and encoding.lower() in ("utf-8", "utf8", "us-ascii"):
            return text
        try:
            return self.content.decode(encoding, "replace")
        except (LookupError, ValueError):
            return self.content.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON, whatever its Content-Type says."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise BodyError(f"the body from {self.origin} is no JSON") from None

    def view(self) -> memoryview:
        """The body without a copy; of a memory file, its mapping."""
        if self._content is None and self._descriptor is not None and self.size:
            try:
                return memoryview(mmap.mmap(self._descriptor, self.size, prot=mmap.PROT_READ))
            except (OSError, ValueError):
                raise BodyError("the body's memory file cannot be mapped") from None
        return memoryview(self.content)

    def iter_bytes(self, size: int = 1 << 16) -> Iterator[bytes]:
        """The body in pieces; a memory file is read piece by piece."""
        if size < 1:
            raise InvalidArgument("a piece has at least one byte")
        if self._descriptor is None or self._content is not None:
            content = self.content
            for start in range(0, len(content), size):
                yield content[start : start + size]
            return
        start = 0
        while self._descriptor is not None and (piece := os.pread(self._descriptor, size, start)):
            yield piece
            start += len(piece)

    def iter_lines(self, *, decode_unicode: bool = False) -> Iterator[Any]:
        """The body's lines without what ends them: bytes, or text by its charset."""
        splitter = LineSplitter(self.encoding if decode_unicode else None)
        for piece in self.iter_bytes():
            yield from splitter.feed(piece)
        yield from splitter.end()

    def file(self) -> BinaryIO:
        """The body as a readable file of its own, which the caller closes."""
        if self._descriptor is None:
            from io import BytesIO

            return BytesIO(self.content)
        # Opened again, so that its position is its own.
        return open(f"/proc/self/fd/{self._descriptor}", "rb")

    def raise_for_status(self) -> Response:
        """Itself, or a StatusError for 4xx and 5xx, and for a login page."""
        if not self.ok:
            raise StatusError(self)
        return self

    def close(self) -> None:
        """Frees the memory file; what was read stays."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _read(self) -> bytes:
        body = self._body
        if "text" in body:
            text = body["text"]
            if isinstance(text, str):
                return text.encode()
        elif "base64" in body:
            try:
                return base64.b64decode(body["base64"], validate=True)
            except (TypeError, ValueError, binascii.Error):
                pass
        elif self._descriptor is not None:
            content = _read_all(self._descriptor, self.size)
            if content is not None:
                return content
        elif "descriptor" in body:
            raise BodyError("the response was closed before its body was read")
        elif "size" in body:
            raise BodyError("the body went to a descriptor, a stream or nowhere")
        raise ProtocolError("the daemon sent a body that is none of its kinds")

    def __enter__(self) -> Response:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __repr__(self) -> str:
        if not hasattr(self, "_result"):  # the constructor failed
            return "<Response>"
        return f"<Response {self.status} {printable(str(self._result.get('url')).partition('?')[0])}>"


def charset(headers: Headers) -> str:
    """The charset that Content-Type names, else UTF-8."""
    match = _CHARSET.search(headers.get("Content-Type", ""))
    return match[1] if match else "utf-8"


_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)
#: Linux transfers at most 2 GiB less a page at once.
_READ_AT_ONCE = 1 << 30


def _read_all(descriptor: int, size: int) -> bytes | None:
    try:
        if os.fstat(descriptor).st_size != size:  # before room is made for a size that is a lie
            return None
        if size <= _READ_AT_ONCE:
            return os.pread(descriptor, size, 0)
        content = bytearray()
        while piece := os.pread(descriptor, min(_READ_AT_ONCE, size - len(content)), len(content)):
            content += piece
        return bytes(content)
    except OSError:
        return None


class StatusError(WatchwordError):
    """The origin answered with a 4xx, a 5xx or a login page; see the tree of errors in ``_errors``."""

    def __init__(self, response: Response) -> None:
        what = "login page" if response.login_page else str(response.status)
        super().__init__(f"{what} from {printable(response.url.partition('?')[0])}")
        self.response = response
        self.status = response.status

    def __reduce__(self) -> Any:
        return type(self), (self.response,), self.__dict__
