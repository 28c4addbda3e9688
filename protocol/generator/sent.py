"""What the daemon sends as Swift types, which encode themselves straight into the output buffer, and which a
client reads.

A type has the members of its object, and its initializer takes them all: code that makes the object does not
compile while it lacks a member of the contract. Only those that not all alternatives of an object have can be
left out: alternatives become one type. An object without a name is called as it is for Python. Whoever reads
one gets every member that is required, and does not mind those that this contract has not.

Beside the words of JSON Schema these count:

- `x-decimals` says how many digits after the point a number has at most.
- `x-discriminator` names the member that says which of the members that may be missing are there.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

from . import schema
from .results import notification_name
from .schema import Schema

SOURCE = "protocol/openrpc.json"
#: It holds nothing else.
FOLDER = "Sources/WatchwordMessages/Generated/Sent"
WIDTH = 110
#: What has no members that are known.
NOT_MADE = frozenset({"Empty", "OpenRPCDocument"})
#: Types whose values are text already, or are encoded by hand: a schema cannot say what is in them.
BY_HAND = {
    # With members that depend on its kind.
    "Error": "JSONValue",
    # Each limit with its value, as the daemon keeps them.
    "Limits": "[(name: String, value: Int)]",
    # Bytes as text, in base64, or where they are.
    "ResponseBody": "Sent.ResponseBody",
    "SessionConfiguration": "JSONValue",
}
#: Lists of which the text of an element is made once for all who subscribe to the status.
ENCODED = frozenset({"StatusSnapshotChallenges", "StatusSnapshotSessions"})
#: Swift's words among the names of members.
KEYWORDS = frozenset({"default", "extension", "import", "in", "is", "private", "protocol", "where"})
MICROSECONDS = 6


class NotWritable(Exception):
    """The schema says too little, or something that the generator does not know."""


@dataclass(frozen=True)
class _Writing:
    """How the value of a member is written."""

    #: Swift's type.
    type: str
    #: The method of `JSONWriter` that writes the member; it writes nil as null.
    method: str = "member"
    #: The target that declares the type, if it is another.
    module: str | None = None


@dataclass(frozen=True)
class _Member:
    name: str
    told: str
    writing: _Writing
    is_required: bool
    is_nullable: bool
    #: Whether others of the alternatives that the object is do not have it.
    is_alternative: bool

    @property
    def label(self) -> str:
        return f"`{self.name}`" if self.name in KEYWORDS else self.name

    @property
    def type(self) -> str:
        """Of a member that may be missing and may be null, too, nil is that it is missing."""
        return self.writing.type + "?" * (self.is_nullable + (not self.is_required))

    @property
    def parameter(self) -> str:
        return f"{self.label}: {self.type}" + (" = nil" if self.is_alternative else "")

    @property
    def statement(self) -> str:
        call = f'writer.{self.writing.method}("{self.name}", {self.label})'
        return call if self.is_required else f"if let {self.label} {{ {call} }}"

    @property
    def reading(self) -> str:
        method = "pairs" if self.writing.type.startswith("[(") else "member" if self.is_required else "memberIfPresent"
        return f'{self.label} = try object.{method}("{self.name}")'


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The text of each type's file, by its path."""
    made = _Types(document["components"]["schemas"])
    for method in document["methods"]:
        made.result(method["result"]["schema"])
    for entry in document["x-notifications"]:
        if entry["direction"] == "serverToClient":
            made.notification(entry)
    return {f"{FOLDER}/Sent+{name}.swift": text for name, text in sorted(made.texts.items())}


class _Types:
    def __init__(self, schemas: dict[str, Schema]) -> None:
        self._schemas = schemas
        #: Of the files.
        self.texts: dict[str, str] = {}

    def result(self, value: Schema) -> None:
        name = schema.reference(value)
        if name is not None and name not in NOT_MADE:
            self._declare(name, self._schemas[name])

    def notification(self, entry: Schema) -> None:
        """Those of an object with a name are objects that a method has as its result, too."""
        name = notification_name(entry["name"])
        if "paramsSchema" in entry or name in NOT_MADE:
            return
        members = [
            self._member(name, item.name, item.schema, item.is_required, False)
            for item in schema.parameters(entry)
        ]
        self.texts[name] = _file(name, f"The parameters of `{entry['name']}`. {entry['summary']}", members)

    def _declare(self, name: str, value: Schema) -> None:
        if name in self.texts:
            return
        self.texts[name] = ""
        required = value.get("required", ())
        members = [
            self._member(name, key, inner, key in required, "x-discriminator" in value)
            for key, inner in value["properties"].items()
        ]
        self.texts[name] = _file(name, schema.told(value), members)

    def _member(self, owner: str, name: str, value: Schema, is_required: bool, is_merged: bool) -> _Member:
        others = [inner for inner in value.get("anyOf", ()) if inner.get("type") != "null"]
        is_nullable = 0 < len(others) < len(value.get("anyOf", ()))
        inner = value if not is_nullable else others[0] if len(others) == 1 else {"anyOf": others}
        writing = self._writing(inner, owner + name[:1].upper() + name[1:])
        return _Member(
            name, schema.told(value), writing, is_required, is_nullable, is_merged and not is_required
        )

    def _writing(self, value: Schema, name: str) -> _Writing:
        """`name` is what an object without a name is called."""
        if name in BY_HAND:
            return _Writing(BY_HAND[name])
        if name in ENCODED:
            return _Writing(f"[Encoded<{self._writing(value['items'], name.removesuffix('s')).type}>]")
        if (referred := schema.reference(value)) is not None:
            return self._writing(self._schemas[referred], referred)
        if "anyOf" in value:
            value = _merged(value["anyOf"])
            if "type" not in value:
                return _Writing("JSONValue")
        kind = value.get("type") or {bool: "boolean", str: "string"}.get(type(value.get("const")))
        if kind == "number":
            return _Writing("Double", "seconds" if value.get("x-decimals") == MICROSECONDS else "member")
        if kind == "array":
            return self._array(value.get("items"), name)
        if isinstance(extra := value.get("additionalProperties"), dict):
            return _Writing(f"[(name: String, value: {self._writing(extra, name).type})]")
        if "properties" in value:
            self._declare(name, value)
            return _Writing(f"Sent.{name}")
        simple = {"string": "String", "boolean": "Bool", "integer": "Int"}
        if kind not in simple:
            raise NotWritable(name)
        return _Writing(simple[kind])

    def _array(self, items: Any, name: str) -> _Writing:
        if isinstance(items.get("items"), list) or schema.reference(items) == "HeaderField":
            return _Writing("[HeaderField]", module="WatchwordVocabulary")
        return _Writing(f"[{self._writing(items, name.removesuffix('s')).type}]")


def _merged(alternatives: list[Schema]) -> Schema:
    """One object with the members of all, of which those are required that all of them require."""
    if any("properties" not in inner for inner in alternatives):
        kinds = {inner.get("type") for inner in alternatives}
        return {"type": kinds.pop()} if len(kinds) == 1 else {}
    required = set.intersection(*(set(inner.get("required", ())) for inner in alternatives))
    properties = {key: member for inner in alternatives for key, member in inner["properties"].items()}
    return {"type": "object", "properties": properties, "required": sorted(required), "x-discriminator": ""}


def _file(name: str, told: str, members: list[_Member]) -> str:
    imports = {"WatchwordJSON"} | {member.writing.module for member in members if member.writing.module}
    properties = [
        line
        for member in members
        for line in [*_wrapped(member.told, "/// ", 4), f"package let {member.label}: {member.type}"]
    ]
    body = [
        *properties,
        "",
        *_initializer(members),
        "",
        "package func writeMembers(to writer: inout JSONWriter) {",
        *(f"  {member.statement}" for member in members),
        "}",
        "",
        "package init(_ object: ReadObject) throws(ReadFault) {",
        *(f"  {member.reading}" for member in members),
        "}",
    ]
    title = told or f"`{name}` of the contract."
    return (
        "".join(f"package import {module}\n" for module in sorted(imports))
        + f"\n// Made from `{SOURCE}` by `protocol/generate`.\n\nextension Sent {{\n"
        + "".join(f"  {line}\n" for line in _wrapped(title, "/// ", 2))
        + f"  package struct {name}: SentObject {{\n"
        + "".join(f"    {line}".rstrip() + "\n" for line in body)
        + "  }\n}\n"
    )


def _initializer(members: list[_Member]) -> list[str]:
    parameters = [member.parameter for member in members]
    opening = [f"package init({', '.join(parameters)}) {{"]
    if len(opening[0]) > WIDTH - 4:
        listed = textwrap.wrap(", ".join(p.replace(" ", "\0") for p in parameters), WIDTH - 6)
        opening = ["package init(", *(f"  {line}".replace("\0", " ") for line in listed), ") {"]
    return [*opening, *(f"  self.{member.name} = {member.label}" for member in members), "}"]


def _wrapped(text: str, mark: str, indent: int) -> list[str]:
    return [mark + line for line in textwrap.wrap(text, WIDTH - len(mark) - indent, break_on_hyphens=False)]
