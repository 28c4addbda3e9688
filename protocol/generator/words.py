"""The words of a schema: none that is misspelt, and none that promises what nothing checks."""

from __future__ import annotations

from typing import Any

from .faults import ContractFault
from .schema import Schema


class WordFault(ContractFault):
    """A schema has a word that means nothing:"""


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
    "x-rules",
    "x-secret",
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
