"""The parameters of methods, and the objects in them, as Swift types that decode themselves strictly.

`reading.py` says which words of a schema count. Of a method these do:

- `x-parameters` names the parameters of a method; methods with the same ones share a type.
- `x-paramsOf` names the method that has the same parameters: they are written there.
- `x-check` names a method of the parameters' type, which checks what members say together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import schema, structures
from .checks import FILE
from .reading import Contract, NotReadable, Reader, Type, Union, capitalized, plain
from .schema import Schema
from .text import SOURCE

NO_PARAMETERS = "NoParameters"


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The file by its path."""
    return {FILE: structures.text(sorted(_types(document), key=lambda made: made.name), SOURCE)}


def _types(document: dict[str, Any]) -> Iterator[Type | Union]:
    """Those of the methods, then those of the objects that they refer to."""
    reader = Reader(Contract(document["components"]["schemas"]))
    given: dict[str, list[Schema]] = {}
    for entry in _entries(document):
        name = parameters_name(entry)
        items = [plain(item) for item in entry.get("params", ())]
        if name in given:
            if given[name] != items:
                raise NotReadable(f"{entry['name']} has not the other {name}")
            continue
        given[name] = items
        if name != NO_PARAMETERS:
            yield _parameters(name, entry, document, reader)
    yield from reader.referred()


def _entries(document: dict[str, Any]) -> Iterator[Schema]:
    yield from document["methods"]
    yield from (entry for entry in document["x-notifications"] if entry["direction"] == "clientToServer")


def _parameters(name: str, entry: Schema, document: dict[str, Any], reader: Reader) -> Type:
    sharing = [
        other["name"] for other in _entries(document) if other is entry or other.get("x-parameters") == name
    ]
    made = Type(name, "The parameters of " + ", ".join(f"`{one}`" for one in sharing) + ".")
    made.check = entry.get("x-check")
    for member in schema.parameters(entry):
        reader.add(member, made)
    return made


def parameters_name(entry: Schema) -> str:
    """What the parameters of a method are called."""
    return str(entry.get("x-parameters") or _type_name(entry["name"]) + "Parameters")


def _type_name(method: str) -> str:
    return "".join(map(capitalized, method.removeprefix("$/").replace(".", "/").split("/")))
