"""Reading and writing JSON so that every fault has a class of the tree."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Callable, TypeVar

from ._errors import InvalidArgument, ProtocolError

__all__ = ["Reader", "decode", "encode", "quote", "read_time"]

T = TypeVar("T")

_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=True)
_quote: Callable[[str], str] = json.encoder.encode_basestring


def encode(value: Any) -> str:
    """JSON text without line ends. What the daemon would refuse with a close is refused here instead."""
    try:
        text = _encoder.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgument(f"not JSON: {type(error).__name__}") from None
    if "\\u0000" in text and _has_nul(value):
        raise InvalidArgument("NUL characters cannot be sent in JSON text")
    return text


def quote(text: str) -> str:
    """One string as JSON text, without the encoder's detours."""
    if not isinstance(text, str):
        raise InvalidArgument("a name or a URL is text")
    if "\0" in text:
        raise InvalidArgument("NUL characters cannot be sent in JSON text")
    return _quote(text)


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_has_nul(k) or _has_nul(v) for k, v in value.items())
    return isinstance(value, (list, tuple)) and any(map(_has_nul, value))


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


_decoder: Any = json.JSONDecoder(parse_constant=_refuse_constant)
_scan: Callable[[str, int], tuple[Any, int]] = _decoder.scan_once  # raw_decode without its wrapper


def decode(line: bytes) -> Any:
    """The value of one line. Raises ProtocolError without quoting the line, which may hold a body."""
    try:
        text = line.decode()
        value, end = _scan(text, 0)
        if len(text) - end > 1 and text[end:].strip(" \t\r\n"):
            raise ProtocolError("the daemon sent more than one JSON value in a line")
        if "\\ud" in text or "\\uD" in text:  # lone surrogates would fail later, when they are printed
            _encoder.encode(value).encode()
    except (StopIteration, ValueError, RecursionError):
        raise ProtocolError("the daemon sent a line that is no JSON") from None
    return value


class Reader:
    """Typed access to the members of one object from the daemon; a misfit is a ProtocolError naming its path."""

    __slots__ = ("members", "path")

    def __init__(self, value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise ProtocolError(f"{path} is no object")
        self.members: dict[str, Any] = value
        self.path = path

    def misfit(self, name: str, expected: str) -> ProtocolError:
        """The error for a member of the wrong type."""
        return ProtocolError(f"{self.path}.{name} is no {expected}")

    def string(self, name: str) -> str:
        value = self.members.get(name)
        if not isinstance(value, str):
            raise self.misfit(name, "string")
        return value

    def string_or_none(self, name: str) -> str | None:
        return None if self.members.get(name) is None else self.string(name)

    def integer(self, name: str, default: int | None = None) -> int:
        value = self.members.get(name, default)
        if type(value) is not int:
            raise self.misfit(name, "integer")
        return value

    def integer_or_none(self, name: str) -> int | None:
        return None if self.members.get(name) is None else self.integer(name)

    def number(self, name: str, default: float | None = None) -> float:
        value = self.members.get(name, default)
        if type(value) not in (int, float) or value is None:
            raise self.misfit(name, "number")
        try:
            return float(value)
        except OverflowError:
            raise self.misfit(name, "number") from None

    def number_or_none(self, name: str) -> float | None:
        return None if self.members.get(name) is None else self.number(name)

    def boolean(self, name: str, default: bool | None = None) -> bool:
        value = self.members.get(name, default)
        if not isinstance(value, bool):
            raise self.misfit(name, "boolean")
        return value

    def array(self, name: str, default: Sequence[Any] | None = None) -> list[Any]:
        value = self.members.get(name, default)
        if isinstance(value, tuple):
            return list(value)
        if not isinstance(value, list):
            raise self.misfit(name, "array")
        return value

    def strings(self, name: str, default: Sequence[str] | None = None) -> list[str]:
        value = self.array(name, default)
        if not all(isinstance(item, str) for item in value):
            raise self.misfit(name, "array of strings")
        return value

    def pairs(self, name: str, default: Sequence[Any] | None = None) -> list[tuple[str, str]]:
        """An array of ``[name, value]``."""
        result = []
        for item in self.array(name, default):
            if not (isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item)):
                raise self.misfit(name, "array of name and value pairs")
            result.append((item[0], item[1]))
        return result

    def mapping(self, name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        value = self.members.get(name, default)
        if not isinstance(value, dict):
            raise self.misfit(name, "object")
        return value

    def object(self, name: str) -> Reader:
        return Reader(self.members.get(name), f"{self.path}.{name}")

    def object_or_none(self, name: str) -> Reader | None:
        return None if self.members.get(name) is None else self.object(name)

    def objects(self, name: str, default: Sequence[Any] | None = None) -> list[Reader]:
        return [Reader(item, f"{self.path}.{name}[{index}]") for index, item in enumerate(self.array(name, default))]


_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)", re.ASCII)


def read_time(reader: Reader, name: str) -> datetime:
    """An RFC 3339 time; ``datetime.fromisoformat`` knows no ``Z`` before Python 3.11."""
    match = _TIME.fullmatch(reader.string(name))
    if match is None:
        raise reader.misfit(name, "time")
    try:
        time = datetime.fromisoformat(match[1] + match[3].replace("Z", "+00:00"))
        return time + timedelta(microseconds=int((match[2] or "0").ljust(6, "0")[:6]))
    except (ValueError, OverflowError):
        raise reader.misfit(name, "time") from None
