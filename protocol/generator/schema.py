"""The schemas of `openrpc.json`, in the words of its tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]
PREFIX = "#/components/schemas/"
#: A larger bound is that of the numbers themselves.
LARGEST = 1 << 62
#: The pages with rules, in this folder. A rule is cited by its page and its number.
RULES = (
    "README.md",
    "messages.md",
    "restricted.md",
    "challenges.md",
    "methods.md",
    "storage.md",
    "administrator.md",
)


@dataclass(frozen=True)
class Member:
    """A member of an object, or a parameter; `name` has the names of the objects around it, with dots."""

    name: str
    schema: Schema
    is_required: bool
    #: What is said where the member is, rather than of its type.
    description: str

    @property
    def title(self) -> str:
        return self.name if self.is_required else self.name + "?"


def reference(schema: Schema) -> str | None:
    """The name of the schema that this one only refers to, with a description or a default at most."""
    if len(schema.get("allOf", ())) == 1:
        schema = schema["allOf"][0]
    target = schema.get("$ref")
    return target.rpartition("/")[2] if isinstance(target, str) else None


def parameters(entry: Schema) -> list[Member]:
    """Those of a method, or of a notification without a schema of its own."""
    return [
        Member(
            item["name"],
            item["schema"],
            item.get("required", False),
            item.get("description") or told(item["schema"]),
        )
        for item in entry.get("params", ())
    ]


def members(schema: Schema, prefix: str = "") -> Iterator[Member]:
    """Those of an object, each followed by those of the object without a name that it is or has."""
    for member in members_only(schema):
        yield Member(prefix + member.name, member.schema, member.is_required, member.description)
        yield from within(member.schema, prefix + member.name)


def members_only(schema: Schema) -> Iterator[Member]:
    """Those of an object."""
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        yield Member(name, inner, name in required, told(inner))


def needs_start(member: Member) -> bool:
    """Whether a reload does not change a member of the configuration file."""
    return "next start" in member.schema.get("x-reload", "")


def within(schema: Schema, name: str) -> Iterator[Member]:
    """The members of the objects without names in the value of a member."""
    if "items" in schema and isinstance(schema["items"], dict):
        yield from within(schema["items"], name + "[]")
    for inner in schema.get("anyOf") or schema.get("oneOf") or ():
        yield from within(inner, name)
    if "properties" in schema:
        yield from members(schema, name + ".")


def told(schema: Schema) -> str:
    """What a description says of a value, or of it unless it is null, and whether it is secret."""
    text = schema.get("description", "")
    if not text and (others := [inner for inner in schema.get("anyOf", ()) if inner.get("type") != "null"]):
        text = others[0].get("description", "") if len(others) == 1 else ""
    return " ".join(filter(None, (text, "Secret." if schema.get("x-secret") else "")))


def values(schema: Schema) -> list[str] | None:
    """The words of an enumeration."""
    listed: list[Any] = schema.get("enum") or []
    return listed if listed and all(isinstance(word, str) for word in listed) else None


def words(schema: Schema) -> str:
    """The type with its bounds; the names of other schemas are in brackets."""
    if (name := reference(schema)) is not None:
        return f"[{name}]"
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(map(words, schema[union])))
    if (listed := values(schema)) is not None:
        return ", ".join(f"`{word}`" for word in listed) + (", …" if schema.get("x-open") else "")
    if "const" in schema:
        return f"`{json.dumps(schema['const'], ensure_ascii=False)}`"
    kind = schema.get("type", "any value")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        return _object(schema)
    bounds = _bounds(schema)
    return f"{kind}, {bounds}" if bounds else str(kind)


def default(schema: Schema) -> str:
    """As JSON; empty where there is none."""
    return f"`{json.dumps(schema['default'], ensure_ascii=False)}`" if "default" in schema else ""


def _object(schema: Schema) -> str:
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict):
        most = f", at most {schema['maxProperties']:,}" if "maxProperties" in schema else ""
        return f"object of {words(extra)}{most}"
    if names := schema.get("properties"):
        required = schema.get("required", ())
        return "{" + ", ".join(f"`{name if name in required else name + '?'}`" for name in names) + "}"
    return "object"


def _array(schema: Schema) -> str:
    items = schema.get("items", {})
    if isinstance(items, list):
        return "list of " + " and ".join(map(words, items))
    text = f"list of {words(items)}" if items else "list"
    bounds = _between(schema.get("minItems"), schema.get("maxItems"))
    unique = ", each once" if schema.get("uniqueItems") else ""
    return f"{text}{f', {bounds} elements' if bounds else ''}{unique}"


def _bounds(schema: Schema) -> str:
    parts = []
    if between := _between(schema.get("minimum"), schema.get("maximum")):
        parts.append(between)
    if length := _between(schema.get("minLength"), schema.get("maxLength")):
        parts.append(f"{length} characters")
    if "pattern" in schema:
        mark = "``" if "`" in schema["pattern"] else "`"
        parts.append(f"{mark}{schema['pattern']}{mark}")
    return ", ".join(parts)


def _between(least: float | None, most: float | None) -> str:
    if most is not None and most > LARGEST:
        most = None
    if least is None:
        return "" if most is None else f"at most {most:,}"
    if most is None:
        return f"{least:,} and more"
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


#: What is neither code nor a link already: groups of words around them are left as they are.
_LITERAL = re.compile(r"`[^`]*`|\[[^\]]*\]\([^)]*\)")
#: Names on the wire that no word of English looks like: two parts with a slash or a capital between them.
_NAME = re.compile(
    r"(?<![\w/.:*`])(?:(?:session|task|challenge|redirect|credential|trust|identity|cookie|peer|status|vault|agent|server)"
    r"/[a-zA-Z]+|[a-z]+[0-9]*[A-Z]\w*)(?![\w/(`])|<\w+>"
)


def sentence(text: str) -> str:
    """With names as code and pages as links."""
    parts, end = [], 0
    for literal in _LITERAL.finditer(text):
        parts += [_prose(text[end : literal.start()]), literal[0]]
        end = literal.end()
    return "".join([*parts, _prose(text[end:])]).replace("|", "\\|")


def _prose(text: str) -> str:
    text = _NAME.sub(lambda found: f"`{found[0]}`", text)
    return re.sub(rf"(?<![\w/])({'|'.join(map(re.escape, RULES))})", r"[\1](\1)", text)
