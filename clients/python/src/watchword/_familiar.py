"""Arguments as ``requests`` takes them, in the terms of this package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from ._errors import InvalidArgument
from ._multipart import FormFile, Part

__all__ = ["body_or_form", "cookie_field", "parts", "query", "user_and_password", "with_query", "with_user"]

#: What cannot be in the value of a cookie, or in its name (RFC 6265 §4.1.1).
_ENDS_A_COOKIE = frozenset(';,"\\ \t\r\n\0')


def query(params: Any) -> str:
    """``params`` as the text of a query. A list stands for several values, None for none."""
    if isinstance(params, (str, bytes)):
        return params if isinstance(params, str) else params.decode("latin-1")
    return urlencode(list(_fields("params are", params)))


def body_or_form(data: Any) -> tuple[Any, list[tuple[str, Any]] | None]:
    """``data`` as a body, or as the fields of a form where it has names."""
    if isinstance(data, str):
        try:
            return data.encode(), None  # its kind is unknown: no Content-Type
        except UnicodeEncodeError:
            raise InvalidArgument("lone surrogates cannot be sent") from None
    if isinstance(data, (Mapping, list, tuple)):
        return None, list(_fields("data is", data))
    return data, None


def parts(data: Any, files: Any) -> list[tuple[str, Part]]:
    """``files``, behind the fields of ``data``, as the parts of a form."""
    fields = () if data is None else data
    if not isinstance(fields, (Mapping, list, tuple)):
        raise InvalidArgument("data beside files has the names and values of a form's fields")
    made: list[tuple[str, Part]] = [
        (name, value if isinstance(value, bytes) else str(value)) for name, value in _fields("data is", fields)
    ]
    return made + [(name, _file(name, file)) for name, file in _pairs("files are", files)]


def _file(name: str, file: Any) -> FormFile:
    """Of a file, or a tuple of its name, itself and its type."""
    filename, content, kind = name, file, None
    if isinstance(file, tuple) and 2 <= len(file) <= 3:
        filename, content, kind = (*file, None)[:3]
    elif isinstance(own := getattr(file, "name", None), str) and own[:1] != "<":
        filename = own.rpartition("/")[2]
    if isinstance(content, str):
        content = content.encode()
    return FormFile(content, filename, kind or "application/octet-stream")


def user_and_password(auth: Any) -> tuple[str, str | bytes]:
    """``auth``, which is nothing else than a user and a password."""
    if isinstance(auth, (tuple, list)) and len(auth) == 2 and isinstance(auth[0], str):
        user, password = auth
        if isinstance(password, (str, bytes)):
            return user, password
    raise InvalidArgument("auth is a user and a password; a token is what on_challenge returns by use_token()")


def cookie_field(cookies: Any) -> str:
    """The value of a Cookie field."""
    pairs = _pairs("cookies are", cookies)
    if any(_ENDS_A_COOKIE & {*str(name), *str(value)} for name, value in pairs):
        raise InvalidArgument("cookies are names and values without separators, quotes and spaces")
    return "; ".join(f"{name}={value}" for name, value in pairs)


def with_query(url: str, text: str | None) -> str:
    """The URL with more in its query."""
    if not text:
        return url
    head, mark, fragment = url.partition("#")
    glue = "?" if "?" not in head else "" if head[-1] in "?&" else "&"
    return f"{head}{glue}{text}{mark}{fragment}"


def with_user(url: str, auth: tuple[str, str | bytes] | None) -> str:
    """The URL with a user and a password, which serve its fetch and origin only."""
    if auth is None:
        return url
    scheme, mark, rest = url.partition("://")
    end = min((place for place in map(rest.find, "/?#") if place >= 0), default=len(rest))
    if "@" in rest[:end]:
        raise InvalidArgument("a user in the URL or auth, not both")
    user, password = (quote(part, safe="") for part in auth)
    return f"{scheme}{mark}{user}:{password}@{rest}"


def _fields(told: str, value: Any) -> Iterator[tuple[str, Any]]:
    for name, item in _pairs(told, value):
        for one in item if isinstance(item, (list, tuple)) else (item,):
            if one is not None:
                yield name, one


def _pairs(told: str, value: Any) -> list[tuple[Any, Any]]:
    try:
        items = value.items() if isinstance(value, Mapping) else value
        if isinstance(items, (str, bytes)):
            raise TypeError
        return [(name, item) for name, item in items]
    except (TypeError, ValueError):
        raise InvalidArgument(f"{told} names with values: a mapping or pairs") from None
