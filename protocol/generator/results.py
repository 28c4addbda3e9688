"""The results of methods, the parameters of notifications and a session's configuration, as types for Python.

Every object of the contract that the daemon sends is a `TypedDict` under its name there. One without a name
is called after the object and the member that has it. Words of an enumeration are literals, unless more may
be added (`x-open`).
"""

from __future__ import annotations

import keyword
import textwrap
from typing import Any

from . import schema
from .faults import ContractFault
from .schema import Schema
from .text import SOURCE, WIDTH, capitalized, type_name, wrapped

KINDS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class NameTaken(ContractFault):
    """An object without a name would be called as another one: it needs a name in the contract."""


def python(document: dict[str, Any]) -> str:
    """The module with what the daemon sends."""
    made = _Module(document)
    for entry in document["methods"]:
        made.type(entry["result"]["schema"], type_name(entry["name"]))
    for entry in document["x-notifications"]:
        if entry["direction"] == "serverToClient":
            made.notification(entry)
    return _text(
        made, "The dictionaries that the daemon sends: results of methods, and what notifications carry."
    )


def configuration(document: dict[str, Any]) -> str:
    """The module with what a program configures a session by."""
    made = _Module(document)
    made.type({"$ref": f"{schema.PREFIX}SessionConfiguration"}, "")
    return _text(made, "A session's configuration, as a dictionary.")


def _text(made: _Module, told: str) -> str:
    """A module, each type after those that it needs."""
    text = "".join(made.texts)
    typing = [word for word in ("Any", "Literal", "TypedDict", "Union") if word in text]
    return (
        f'"""{told}\n\n'
        f"Made from ``{SOURCE}`` by ``protocol/generate``, where they have the same names.\n"
        '"""\n\n'
        "from __future__ import annotations\n\n"
        f"from typing import {', '.join(typing)}\n\n"
        "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(made.names)) + "]\n" + text
    )


class _Module:
    def __init__(self, document: dict[str, Any]) -> None:
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        self.texts: list[str] = []
        self.names: set[str] = set()

    def notification(self, entry: Schema) -> None:
        """Its parameters: those of an object that has a name already go by that name, too."""
        name = type_name(entry["name"])
        told = f"Of ``{entry['name']}``. {entry['summary']}"
        whole = entry.get("paramsSchema")
        if whole is None:
            items = schema.parameters(entry)
            self._class(
                name,
                {item.name: item.schema for item in items},
                {item.name for item in items if item.is_required},
                told,
                {item.name: item.description for item in items},
            )
        else:
            self._alias(name, self._alternatives(_union(whole) or [whole], name), told)

    def type(self, value: Schema, name: str) -> str:
        """The type of a value; `name` is what it is called if it is an object without a name."""
        if (referred := schema.reference(value)) is not None:
            return self._named(referred)
        if union := _union(value):
            return " | ".join(self._alternatives(union, name))
        if "const" in value:
            return f"Literal[{_literal(value['const'])}]"
        if (words := schema.values(value)) is not None and not value.get("x-open"):
            return f"Literal[{', '.join(map(_literal, words))}]"
        kind = value.get("type")
        if kind == "array":
            return f"list[{self._items(value.get('items', {}), name)}]"
        if kind == "object":
            return self._object(value, name)
        return KINDS.get(str(kind), "Any")

    def _items(self, items: Schema | list[Schema], name: str) -> str:
        if isinstance(items, list):
            types = (each for item in items for each in self.type(item, name).split(" | "))
            return " | ".join(dict.fromkeys(types))
        return self.type(items, name.removesuffix("s"))

    def _object(self, value: Schema, name: str) -> str:
        if isinstance(extra := value.get("additionalProperties"), dict):
            return f"dict[str, {self.type(extra, name)}]"
        if "properties" not in value:
            return "dict[str, Any]"
        if name in self.names or name in self._schemas:
            raise NameTaken(name)
        self._declare(name, value)
        return name

    def _alternatives(self, union: list[Schema], name: str) -> list[str]:
        """Of several objects each is called after its first member."""
        is_one = sum("properties" in inner for inner in union) <= 1
        types = []
        for inner in union:
            first = "" if is_one else capitalized(next(iter(inner.get("properties", ())), ""))
            types.append(self.type(inner, name + first))
        return sorted(dict.fromkeys(types), key="None".__eq__)

    def _named(self, name: str) -> str:
        """The type of a schema: a class, an alias, or what a simple one is."""
        value = self._schemas[name]
        union = _union(value)
        is_object = "properties" in value and not isinstance(value.get("additionalProperties"), dict)
        has_objects = any("properties" in inner for inner in union)
        words = None if value.get("x-open") else schema.values(value)
        if not (is_object or has_objects or words):
            return self.type(value, name)
        if name in self.names:
            return name
        self.names.add(name)
        if is_object:
            self._declare(name, value)
        elif words:
            literals = [_literal(word) for word in words]
            self._alias(name, literals, value.get("description", ""), "Literal")
        else:
            is_one = sum("properties" in inner for inner in union) == 1
            types = self._alternatives(union, f"{name}Object" if is_one else name)
            self._alias(name, types, value.get("description", ""))
        return name

    def _alias(self, name: str, types: list[str], told: str, of: str = "Union") -> None:
        self.names.add(name)
        listed = types[0] if of == "Union" and len(types) == 1 else f"{of}[{', '.join(types)}]"
        text = f"{name} = {listed}\n"
        if len(text) > WIDTH:
            text = f"{name} = {of}[\n" + "".join(f"    {type},\n" for type in types) + "]\n"
        self.texts.append("\n\n" + "".join(f"{line}\n" for line in wrapped(told, "#: ", 0)) + text)

    def _declare(self, name: str, value: Schema) -> None:
        told = {key: schema.told(inner) for key, inner in value["properties"].items()}
        self._class(
            name, value["properties"], set(value.get("required", ())), value.get("description", ""), told
        )

    def _class(
        self, name: str, members: dict[str, Schema], required: set[str], described: str, told: dict[str, str]
    ) -> None:
        """Members that may be missing, and those whose names are words of Python, are in base classes."""
        self.names.add(name)
        types = {key: self.type(inner, name + capitalized(key)) for key, inner in members.items()}
        plain = [key for key in types if not keyword.iskeyword(key)]
        reserved = {key: types[key] for key in types if keyword.iskeyword(key)}
        text = ""
        bases = []
        for total, suffix in ((True, "Reserved"), (False, "ReservedOptional")):
            keys = {key: kind for key, kind in reserved.items() if (key in required) is total}
            if keys:
                bases.append(f"_{name}{suffix}")
                listed = ", ".join(f'"{key}": "{kind}"' for key, kind in keys.items())
                option = "" if total else ", total=False"
                text += f'\n\n{bases[-1]} = TypedDict("{bases[-1]}", {{{listed}}}{option})\n'
        optional = [key for key in plain if key not in required]
        always = [key for key in plain if key in required]
        if optional and (always or bases):
            text += f"\n\nclass _{name}(TypedDict, total=False):\n" + _body("", optional, types, told)
            bases.append(f"_{name}")
        option = ", total=False" if optional and not bases else ""
        text += f"\n\nclass {name}({', '.join(bases) or 'TypedDict'}{option}):\n"
        text += _body(described, always if always or bases else optional, types, told)
        self.texts.append(text)


def _union(value: Schema) -> list[Schema]:
    alternatives: list[Schema] = value.get("anyOf") or value.get("oneOf") or []
    return alternatives


def _body(described: str, keys: list[str], types: dict[str, str], told: dict[str, str]) -> str:
    text = _docstring(described) if described else ""
    if not keys:
        return text or "    pass\n"
    lines = (line for key in keys for line in [*wrapped(told[key], "#: ", 4), f"{key}: {types[key]}"])
    return text + ("\n" if text else "") + "".join(f"    {line}\n" for line in lines)


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _docstring(value: str) -> str:
    lines = textwrap.wrap(value.replace("\\", "\\\\"), WIDTH - 4)
    if len(lines) > 1:
        lines.append("")
    return textwrap.indent('"""' + "\n".join(lines) + '"""\n', "    ")
