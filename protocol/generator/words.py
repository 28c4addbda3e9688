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
NOTES = {
    "type",
    "description",
    "default",
    "contentEncoding",
    "x-beyond",
    "x-presence",
    "x-reload",
    "x-secret",
}
#: The words by which a value of a type is limited when no `x-check` reads it. A text has its bound in bytes.
LIMITS = {
    "array": {"items", "minItems", "maxItems"},
    "boolean": set[str](),
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "maximum"},
    "object": {"additionalProperties", "maxProperties", "propertyNames"},
    "string": {"minLength", "maxLength", "x-minBytes", "x-maxBytes"},
}
#: The words that any value may have.
_SAID = {"description", "default", "x-check", "x-presence", "x-reload", "x-rules", "x-secret"}
#: The words that are the only ones of their value, but for what is said of any.
UNIONS = ("$ref", "allOf", "anyOf", "oneOf", "const")
#: The words that are numbers.
BOUNDS = ("minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength", "maxProperties")
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
    "description",
    "direction",
    "errors",
    "examples",
    "name",
    "paramStructure",
    "params",
    "paramsSchema",
    "result",
    "summary",
    "tags",
    "x-additionalParams",
    "x-causes",
    "x-check",
    "x-parameters",
    "x-paramsOf",
    "x-rules",
}
#: Those of a method that the daemon serves, beside these.
SERVED = {"x-restricted", "x-underLock", "x-use", "x-vault"}
VALUE = {"name", "description", "required", "schema", "x-rules"}
#: The words of an object that holds in some cases.
BRANCH = {"if", "then", "else", "properties", "required"}
#: The words of the names of an object's members.
NAMES = {"minLength", "maxLength", "pattern", "not", "x-maxBytes"}
DIRECTIONS = ("clientToServer", "serverToClient")


def check_document(document: Schema) -> None:
    """That `openrpc.json` has no word that means nothing, and refers to nothing that is not there."""
    check(document, "openrpc.json")
    known = {"": document}
    for name, value in document["components"]["schemas"].items():
        _check_schema(value, f"openrpc.json/components/schemas/{name}", known)
    for list_name in ("methods", "x-notifications"):
        is_method = list_name == "methods"
        for entry in document[list_name]:
            place = f"openrpc.json/{entry.get('name', list_name)}"
            is_served = is_method or entry.get("direction") == DIRECTIONS[0]
            _check_words(entry, ENTRY | (SERVED if is_served else set()), place)
            _check_has(entry, ["name", "summary", "result" if is_method else "direction"], place)
            if not is_method and entry["direction"] not in DIRECTIONS:
                raise WordFault(f"{place}: direction is {' or '.join(DIRECTIONS)}")
            if "paramsSchema" in entry:
                _check_schema(entry["paramsSchema"], f"{place}/paramsSchema", known)
            for value in [*entry.get("params", ()), *filter(None, [entry.get("result")])]:
                inner = f"{place}/{value.get('name')}"
                _check_words(value, VALUE, inner)
                _check_has(value, ["name", "schema"], inner)
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
    for word in value:
        if word not in words:
            raise WordFault(f"{place}: {word} means nothing here")


def _check_has(value: Schema, words: list[str], place: str) -> None:
    for word in words:
        if word not in value:
            raise WordFault(f"{place}: {word} is missing")


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
    _check_required(value, set(value.get("properties", {})), place)
    for branch in ("if", "then", "else"):
        if branch in value:
            _check_branch(value[branch], set(value.get("properties", {})), f"{place}/{branch}")
    for name, others in value.get("dependencies", {}).items():
        _check_required(
            {"required": [name, *others]}, set(value.get("properties", {})), f"{place}/dependencies"
        )
    if "propertyNames" in value:
        _check_words(value["propertyNames"], NAMES, f"{place}/propertyNames")
    extra = value.get("additionalProperties", True)
    if isinstance(extra, dict):
        _check_schema(extra, f"{place}/additionalProperties", known)
    elif not isinstance(extra, bool):
        raise WordFault(f"{place}: additionalProperties is a schema, true or false")
    for bound in BOUNDS:
        if not isinstance(value.get(bound, 0), int | float):
            raise WordFault(f"{place}: {bound} is a number")
    items = value.get("items", [])
    for inner in items if isinstance(items, list) else [items]:
        _check_schema(inner, f"{place}[]", known)


def _check_required(value: Schema, names: set[str], place: str) -> None:
    required = value.get("required", [])
    if not isinstance(required, list):
        raise WordFault(f"{place}: required is a list of names")
    for name in required:
        if name not in names:
            raise WordFault(f"{place}: there is no {name} that could be required")


def _check_branch(value: Schema, names: set[str], place: str) -> None:
    """A part of an object's schema that holds in some cases: it says more of the same members."""
    _check_words(value, BRANCH, place)
    _check_required(value, names, place)
    for name in value.get("properties", {}):
        if name not in names:
            raise WordFault(f"{place}: there is no member {name}")
    for branch in ("if", "then", "else"):
        if branch in value:
            _check_branch(value[branch], names, f"{place}/{branch}")


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
