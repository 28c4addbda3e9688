"""The members of messages as types: of Swift's encoders, and of Python's results."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from . import schema
from .schema import Schema

SOURCE = "protocol/openrpc.json"
WIDTH = 110
#: The objects whose encoders in Swift go through all members: the compiler names those that an encoder lacks.
SWIFT = ("Challenge",)
#: The objects that Python's callers get as they are.
PYTHON = ("Explanation",)


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


def python(document: dict[str, Any]) -> str:
    """A dictionary's type for each object, and for those that it is made of."""
    schemas = document["components"]["schemas"]
    names = list(_order(PYTHON, schemas))
    return (
        f'"""Results as the protocol has them. Made from ``{SOURCE}`` by ``protocol/generate``."""\n\n'
        "from __future__ import annotations\n\n"
        "from typing import Any, TypedDict\n\n"
        "__all__ = [\n"
        + "".join(f'    "{name}",\n' for name in sorted(names))
        + "]\n"
        + "".join(_python_class(name, schemas[name], schemas) for name in names)
    )


def _order(
    names: Iterable[str], schemas: dict[str, Schema], done: frozenset[str] = frozenset()
) -> Iterable[str]:
    """The objects with those that their members refer to, each after what it needs."""
    seen = set(done)
    for name in names:
        if name in seen:
            continue
        for needed in _order(_needed(schemas[name], schemas), schemas, frozenset(seen | {name})):
            if needed not in seen:
                seen.add(needed)
                yield needed
        seen.add(name)
        yield name


def _needed(value: Schema, schemas: dict[str, Schema]) -> Iterable[str]:
    for inner in value["properties"].values():
        yield from _referred(inner, schemas)


def _referred(value: Schema, schemas: dict[str, Schema]) -> Iterable[str]:
    """The objects with a name that a member's type has; one without a name is a plain dictionary."""
    if (name := schema.reference(value)) is not None:
        if "properties" in schemas[name]:
            yield name
        return
    for inner in [*value.get("anyOf", ()), *value.get("oneOf", ())]:
        yield from _referred(inner, schemas)
    if isinstance(items := value.get("items"), dict):
        yield from _referred(items, schemas)


def _python_class(name: str, value: Schema, schemas: dict[str, Schema]) -> str:
    required = set(value.get("required", ()))
    optional = {key: inner for key, inner in value["properties"].items() if key not in required}
    always = {key: inner for key, inner in value["properties"].items() if key in required}
    base = "TypedDict"
    text = ""
    if optional:
        base = f"_{name}"
        text = f"\n\nclass {base}(TypedDict, total=False):\n" + _python_members(optional, schemas)
    text += f"\n\nclass {name}({base}):\n"
    text += _docstring(value.get("description", f"``{name}``.")) + "\n" + _python_members(always, schemas)
    return text


def _python_members(members: dict[str, Schema], schemas: dict[str, Schema]) -> str:
    return "".join(
        "".join(f"    {line}\n" for line in _wrapped(schema.told(inner), "#: ", 4))
        + f"    {key}: {_python_type(inner, schemas)}\n"
        for key, inner in members.items()
    )


def _python_type(value: Schema, schemas: dict[str, Schema]) -> str:
    if (name := schema.reference(value)) is not None:
        return name if "properties" in schemas[name] else _python_type(schemas[name], schemas)
    if union := value.get("anyOf") or value.get("oneOf"):
        return " | ".join(dict.fromkeys(_python_type(inner, schemas) for inner in union))
    kinds = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
    kind = value.get("type")
    if kind == "array":
        items = value.get("items", {})
        if isinstance(items, list):
            inner = " | ".join(dict.fromkeys(_python_type(item, schemas) for item in items))
            return f"list[{inner}]"
        return f"list[{_python_type(items, schemas)}]"
    if kind == "object":
        return "dict[str, Any]"
    return kinds.get(str(kind), "Any")


def _docstring(value: str) -> str:
    lines = textwrap.wrap(value.replace("\\", "\\\\"), WIDTH - 4)
    if len(lines) > 1:
        lines.append("")
    return textwrap.indent('"""' + "\n".join(lines) + '"""\n', "    ")


def _wrapped(text: str, mark: str, indent: int) -> list[str]:
    return [mark + line for line in textwrap.wrap(text, WIDTH - len(mark) - indent, break_on_hyphens=False)]
