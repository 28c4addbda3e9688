"""The members of messages that hold secrets, marked by `x-secret` in the schema."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from . import schema
from .schema import Schema

SOURCE = "protocol/openrpc.json"
#: The name of a form's field, which is no secret, is read as one, too.
ALSO_PLAIN = {"password"}


class NotMarked(Exception):
    """A text that is no secret has the name of one, by which alone the parser goes."""


def swift(document: dict[str, Any]) -> str:
    """The names by which the daemon's parser knows secrets."""
    found = list(_members(document))
    texts = sorted({name for name, value in found if _is_text(value) and _is_secret(value)})
    objects = sorted({name for name, value in found if any(_secret_objects(value, document))})
    unmarked = {name for name, value in found if _is_text(value) and not _is_secret(value)} & set(texts)
    if unmarked - ALSO_PLAIN:
        raise NotMarked(", ".join(sorted(unmarked - ALSO_PLAIN)))
    return (
        f"/// The members of messages that hold secrets. Made from `{SOURCE}` by `protocol/generate`.\n"
        "internal enum SecretMember {\n"
        "  /// Those whose text is a secret.\n"
        f"  internal static let texts: Set<String> = {_list(texts)}\n\n"
        "  /// Those inside of whose object each text is one.\n"
        f"  internal static let objects: Set<String> = {_list(objects)}\n"
        "}\n"
    )


def _list(names: list[str]) -> str:
    text = ", ".join(f'"{name}"' for name in names)
    if len(text) < 60:
        return f"[{text}]"
    lines = textwrap.wrap(text + ",", 100, break_long_words=False)
    return "[\n" + "".join(f"    {line}\n" for line in lines) + "  ]"


def _members(document: dict[str, Any]) -> Iterator[tuple[str, Schema]]:
    """The parameters of all methods, and the members of their objects; of a secret object, none."""
    schemas = document["components"]["schemas"]
    seen: set[str] = set()

    def within(value: Schema) -> Iterator[tuple[str, Schema]]:
        if (name := schema.reference(value)) is not None:
            if name not in seen:
                seen.add(name)
                yield from within(schemas[name])
            return
        if _is_secret(value):
            return
        for member, inner in value.get("properties", {}).items():
            yield member, inner
            yield from within(inner)
        for inner in (value.get("items"), value.get("additionalProperties")):
            if isinstance(inner, dict):
                yield from within(inner)
        for inner in _alternatives(value):
            yield from within(inner)

    for method in document["methods"]:
        for parameter in method.get("params", ()):
            yield parameter["name"], parameter["schema"]
            yield from within(parameter["schema"])


def _alternatives(value: Schema) -> list[Schema]:
    return [inner for union in ("anyOf", "oneOf") for inner in value.get(union, ())]


def _is_secret(value: Schema) -> bool:
    return bool(value.get("x-secret"))


def _is_text(value: Schema) -> bool:
    """A text, not one of some words, nor one alternative to an object."""
    kinds = [inner for inner in _alternatives(value) or [value] if inner.get("type") != "null"]
    return all(kind.get("type") == "string" and "enum" not in kind for kind in kinds)


def _secret_objects(value: Schema, document: dict[str, Any]) -> Iterator[Schema]:
    for inner in _alternatives(value) or [value]:
        if (name := schema.reference(inner)) is not None:
            inner = document["components"]["schemas"][name]
        if _is_secret(inner) and not _is_text(inner):
            yield inner
