"""The members of messages as types of Swift's encoders."""

from __future__ import annotations

import textwrap
from typing import Any

from . import schema
from .schema import Schema

SOURCE = "protocol/openrpc.json"
WIDTH = 110
#: The objects whose encoders in Swift go through all members: the compiler names those that an encoder lacks.
SWIFT = ("Challenge",)


def swift(document: dict[str, Any]) -> dict[str, str]:
    """For each object an enumeration of its members, in the order in which they are written, by its name."""
    schemas = document["components"]["schemas"]
    return {f"{name}Member": _swift_enumeration(name, schemas[name]) for name in SWIFT}


def _swift_enumeration(name: str, value: Schema) -> str:
    lines = [
        line
        for member, inner in value["properties"].items()
        for line in [*_wrapped(schema.told(inner), "/// ", 2), f"case {member}"]
    ]
    return (
        f"/// A member of `{name}`. Made from `{SOURCE}` by `protocol/generate`.\n"
        f"internal enum {name}Member: CaseIterable {{\n" + "".join(f"  {line}\n" for line in lines) + "\n"
        "  internal var name: StaticString {\n"
        "    switch self {\n"
        + "".join(f'    case .{member}: "{member}"\n' for member in value["properties"])
        + "    }\n  }\n}\n"
    )


def _wrapped(text: str, mark: str, indent: int) -> list[str]:
    return [mark + line for line in textwrap.wrap(text, WIDTH - len(mark) - indent, break_on_hyphens=False)]
