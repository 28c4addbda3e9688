"""The words of a schema: none that is misspelt, and none that promises what nothing checks."""

from __future__ import annotations

from typing import Any

from .faults import ContractFault
from .schema import Schema


class WordFault(ContractFault):
    """A schema is not understood:"""


#: The words that are not JSON Schema's or OpenRPC's.
EXTENSIONS = {
    "x-additionalParams",
    "x-beyond",
    "x-causes",
    "x-check",
    "x-decimals",
    "x-discriminator",
    "x-maxBytes",
    "x-minBytes",
    "x-notifications",
    "x-open",
    "x-parameters",
    "x-paramsOf",
    "x-presence",
    "x-reload",
    "x-restricted",
    "x-rules",
    "x-secret",
    "x-underLock",
    "x-use",
    "x-vault",
    "x-words",
}
#: The words that say something about a value, and limit nothing.
NOTES = {"type", "description", "default", "contentEncoding", "x-beyond", "x-presence", "x-secret"}
#: The words by which a value of a type is limited when no `x-check` reads it. A text has its bound in bytes.
LIMITS = {
    "array": {"items", "minItems", "maxItems"},
    "boolean": set[str](),
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "maximum"},
    "string": {"minLength", "maxLength", "x-minBytes", "x-maxBytes"},
}
#: The words that any value may have.
_SAID = {"description", "default", "x-check", "x-presence", "x-reload", "x-rules", "x-secret"}
#: The words that are the only ones of their value, but for what is said of any.
UNIONS = ("$ref", "allOf", "anyOf", "oneOf", "const")
ENUMERATION = {"type", "enum", "x-open", "x-words"}
#: The words of a value by its type.
TYPES = {
    "array": {"items", "minItems", "maxItems", "uniqueItems", "contains"},
    "boolean": set[str](),
    "integer": {"minimum", "maximum", "x-beyond"},
    "null": set[str](),
    "number": {"minimum", "maximum", "x-decimals"},
    "object": {
        "properties",
        "required",
        "additionalProperties",
        "propertyNames",
        "maxProperties",
        "dependencies",
        "if",
        "then",
        "else",
        "x-discriminator",
    },
    "string": {"pattern", "minLength", "maxLength", "contentEncoding", "x-minBytes", "x-maxBytes"},
}
#: The words of a method, of a notification, and of their parameters and results.
ENTRY = {
    "name",
    "direction",
    "summary",
    "description",
    "tags",
    "paramStructure",
    "params",
    "paramsSchema",
    "result",
    "errors",
    "examples",
}
VALUE = {"name", "description", "required", "schema"}


def check_document(document: Schema) -> None:
    """That `openrpc.json` has no word that means nothing, and refers to nothing that is not there."""
    check(document, "openrpc.json")
    known = {"": document}
    for name, value in document["components"]["schemas"].items():
        _check_schema(value, f"openrpc.json/components/schemas/{name}", known)
    for list_name in ("methods", "x-notifications"):
        for entry in document[list_name]:
            place = f"openrpc.json/{entry.get('name', list_name)}"
            _check_words(entry, ENTRY, place)
            if "paramsSchema" in entry:
                _check_schema(entry["paramsSchema"], f"{place}/paramsSchema", known)
            for value in [*entry.get("params", ()), *filter(None, [entry.get("result")])]:
                inner = f"{place}/{value.get('name')}"
                _check_words(value, VALUE, inner)
                if "schema" not in value:
                    raise WordFault(f"{inner}: a schema is missing")
                _check_schema(value["schema"], inner, known)


def check_configuration(configuration: Schema, document: Schema) -> None:
    """The same for `configuration.json`, which refers to the other file as well."""
    check(configuration, "configuration.json")
    known = {"": configuration, "openrpc.json": document}
    head = {"$schema", "title", "definitions", "examples"}
    settings = {name: value for name, value in configuration.items() if name not in head}
    _check_schema(settings, "configuration.json", known)
    for name, value in configuration["definitions"].items():
        _check_schema(value, f"configuration.json/definitions/{name}", known)


def check(document: Any, place: str) -> None:
    """That each word of ours is one that there is."""
    if isinstance(document, dict):
        for name, value in document.items():
            if name.startswith("x-") and name not in EXTENSIONS:
                raise WordFault(f"{place}: there is no word {name}")
            check(value, f"{place}/{name}")
    elif isinstance(document, list):
        for index, value in enumerate(document):
            check(value, f"{place}/{index}")


def _check_words(value: Schema, words: set[str], place: str) -> None:
    """Words of ours have been looked at."""
    for word in value:
        if word not in words and not word.startswith("x-"):
            raise WordFault(f"{place}: {word} means nothing here")


def _check_schema(value: Any, place: str, known: dict[str, Schema]) -> None:
    """`known` has what a reference may lead to, by the name of the file; "" is this one."""
    if not isinstance(value, dict):
        raise WordFault(f"{place}: a schema is an object")
    for word in value:
        if word not in _SAID | _words_of(value, place):
            raise WordFault(f"{place}: {word} means nothing here")
    if "$ref" in value and not _leads_somewhere(value["$ref"], known):
        raise WordFault(f"{place}: there is no {value['$ref']}")
    for union in ("allOf", "anyOf", "oneOf"):
        for index, inner in enumerate(value.get(union, ())):
            _check_schema(inner, f"{place}/{union}/{index}", known)
    for name, inner in value.get("properties", {}).items():
        _check_schema(inner, f"{place}/{name}", known)
    for name in value.get("required", ()):
        if name not in value.get("properties", {}):
            raise WordFault(f"{place}: there is no {name} that could be required")
    if isinstance(value.get("additionalProperties"), dict):
        _check_schema(value["additionalProperties"], f"{place}/additionalProperties", known)
    items = value.get("items", [])
    for inner in items if isinstance(items, list) else [items]:
        _check_schema(inner, f"{place}[]", known)


def _leads_somewhere(reference: str, known: dict[str, Schema]) -> bool:
    file, _, path = reference.partition("#/")
    value: Any = known.get(file)
    for name in path.split("/"):
        value = value.get(name) if isinstance(value, dict) else None
    return isinstance(value, dict)


def _words_of(value: Schema, place: str) -> set[str]:
    """Those that say which values are meant."""
    for union in UNIONS:
        if union in value:
            return {union}
    if "enum" in value:
        return ENUMERATION
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        raise WordFault(f"{place}: there is no type {kind}")
    return TYPES[kind] | {"type"}


def check_enforced(value: Schema, place: str) -> None:
    """That what is read without an `x-check` promises nothing but what its type's reader looks at."""
    kind = value.get("type")
    limits = LIMITS.get(kind, set()) if isinstance(kind, str) else set()
    for word in value:
        if word not in NOTES | limits:
            raise WordFault(f"{place}: nothing enforces {word}, name an x-check")
    if "maxLength" in value and "x-maxBytes" not in value:
        raise WordFault(f"{place}: maxLength counts characters, name x-maxBytes as well")
    if value.get("minLength", 0) > 1 and "x-minBytes" not in value:
        raise WordFault(f"{place}: minLength counts characters, name x-minBytes as well")
