"""Every message as Swift types, which encode themselves straight into the output buffer and can be read.

`Sent` has what the daemon sends, `Request` what a client sends. The daemon reads requests with types of its
own, which check the bounds: see `requests.py`.

A type has the members of its object, and its initializer takes them all: code that makes the object does not
compile while it lacks a member of the contract. Two kinds of members can be left out: those that only some
alternatives of an object have, since alternatives become one type, and those of a request that are not
required. An object without a name is called as it is for Python. How a type is read from a daemon of another
version is said in `ReadObject`.

Of the words of JSON Schema and beside them these count:

- `default` of a list that the daemon sends, if it is empty: an empty one is left out.
- `x-decimals` says how many digits after the point a number has at most.
- `x-discriminator` names the member that says which of the members that may be missing are there.
- `x-secret` marks a text of a request that is a `Secret`.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

from . import schema
from .checks import VOCABULARY
from .enumerations import swift_type
from .faults import ContractFault
from .schema import Schema
from .text import SOURCE, WIDTH, swift_name, type_name, wrapped

#: It holds nothing else.
FOLDER = "Sources/WatchwordMessages/Generated"
SENT, REQUEST = "Sent", "Request"
#: How requests are read: only the fuzz targets do that.
READING = "Tests/Fuzz/Targets/Generated/Request+Reading.swift"
#: The file of each namespace.
FILES = {SENT: f"{FOLDER}/SentObjects.swift", REQUEST: f"{FOLDER}/Requests.swift"}
#: What has no members, or none that are known.
NOT_MADE = {"Empty": "Sent.Empty", "OpenRPCDocument": "OpenValue"}
#: Types whose values are text already, or are encoded by hand: a schema cannot say what is in them.
BY_HAND = {
    # With members that depend on its kind.
    "Error": "OpenValue",
    # Each limit with its value, as the daemon keeps them.
    "Limits": "[(name: String, value: Int)]",
    # Bytes as text, in base64, or where they are.
    "ResponseBody": "Sent.ResponseBody",
    "SessionConfiguration": "OpenValue",
}
#: Lists of which the text of each element is made by itself: once for all who subscribe to the status, or in
#: steps.
ENCODED = frozenset(
    {
        "ChallengeListChallenges",
        "CredentialListCredentials",
        "SessionStatusCredentials",
        "StatusSnapshotChallenges",
        "StatusSnapshotSessions",
    }
)
MICROSECONDS = 6


class NotWritable(ContractFault):
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
    #: Whether it is a list that is missing when it is empty.
    is_missing_when_empty: bool

    @property
    def label(self) -> str:
        return swift_name(self.name)

    @property
    def type(self) -> str:
        """Of a member that may be missing and may be null, too, nil is that it is missing."""
        can_be_missing = not self.is_required and not self.is_missing_when_empty
        return self.writing.type + "?" * (self.is_nullable + can_be_missing)

    @property
    def parameter(self) -> str:
        return f"{self.label}: {self.type}" + (" = nil" if self.is_alternative else "")

    @property
    def declaration(self) -> str:
        return f"package let {self.label}: {self.type}"

    @property
    def statement(self) -> str:
        call = f'writer.{self.writing.method}("{self.name}", {self.label})'
        if self.is_missing_when_empty:
            return f"if !{self.label}.isEmpty {{ {call} }}"
        return call if self.is_required else f"if let {self.label} {{ {call} }}"

    @property
    def value_read(self) -> str:
        # An empty list is what a missing one is read as.
        method = "member" if self.is_required or self.is_missing_when_empty else "memberIfPresent"
        if self.writing.type.startswith("[("):
            method = "pairs" if self.is_required else "pairsIfPresent"
        return f'try object.{method}("{self.name}")'


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The text of each namespace's file, by its path."""
    sent, requests = (_Types(document["components"]["schemas"], space) for space in (SENT, REQUEST))
    for method in document["methods"]:
        result = schema.reference(method["result"]["schema"])
        if result is None:
            raise NotWritable(f"the result of {method['name']} has no name")
        if result not in NOT_MADE:
            sent.object(result)
        requests.method(method, NOT_MADE.get(result, f"{SENT}.{result}"))
    for entry in document["x-notifications"]:
        if entry["direction"] == "serverToClient":
            sent.notification(entry)
    return {
        **{FILES[types.space]: types.file() for types in (sent, requests)},
        READING: requests.reading(),
    }


class _Types:
    """The types of one namespace."""

    def __init__(self, schemas: dict[str, Schema], space: str) -> None:
        self._schemas = schemas
        self.space = space
        self._texts: dict[str, str] = {}
        self._members: dict[str, list[_Member]] = {}
        self._modules = {"WatchwordJSON"}
        #: The members of each.
        self._declared: dict[str, frozenset[str]] = {}

    def object(self, name: str) -> None:
        self._declare(name, self._schemas[name])

    def method(self, entry: Schema, result: str) -> None:
        name = type_name(entry["name"])
        lines = [f"package typealias Result = {result}", f'package static let method = "{entry["name"]}"']
        self._message(name, entry, "MethodRequest", lines)

    def notification(self, entry: Schema) -> None:
        if "paramsSchema" not in entry:
            return self._message(type_name(entry["name"]), entry, "SentObject", [])
        given = entry["paramsSchema"]
        for each in given.get("anyOf", [given]):
            self.object(each["$ref"].removeprefix(schema.PREFIX))

    def _message(self, name: str, entry: Schema, kind: str, lines: list[str]) -> None:
        members = [
            self._member(name, item.name, item.schema, item.is_required, self._is_request)
            for item in schema.parameters(entry)
        ]
        told = f"The parameters of `{entry['name']}`. {entry['summary']}"
        self._add(name, told, members, kind, lines)

    def _add(self, name: str, told: str, members: list[_Member], kind: str, lines: list[str]) -> None:
        self._members[name] = members
        self._texts[name] = _structure(name, told, members, kind, lines)
        self._modules.update(member.writing.module for member in members if member.writing.module)

    def file(self) -> str:
        """One extension with the types in the order of their names."""
        imports = "".join(f"package import {module}\n" for module in sorted(self._modules))
        types = "\n".join(text for _, text in sorted(self._texts.items()))
        note = f"// Made from `{SOURCE}` by `protocol/generate`."
        return f"{imports}\n{note}\n\nextension {self.space} {{\n{types}}}\n"

    def reading(self) -> str:
        """Extensions that make the types readable."""
        parts = [
            "package import WatchwordMessages\n",
            f"// Made from `{SOURCE}` by `protocol/generate`.\n",
            *(_readable(f"{self.space}.{name}", members) for name, members in sorted(self._members.items())),
        ]
        return "\n".join(parts)

    @property
    def _is_request(self) -> bool:
        return self.space == REQUEST

    def _declare(self, name: str, value: Schema) -> None:
        if value["properties"].keys() <= self._declared.get(name, frozenset()):
            return
        self._declared[name] = frozenset(value["properties"])
        required = value.get("required", ())
        can_be_left_out = self._is_request or "x-discriminator" in value
        members = [
            self._member(name, key, inner, key in required, can_be_left_out)
            for key, inner in value["properties"].items()
        ]
        kind = "EncodedObject" if self._is_request else "SentObject"
        self._add(name, schema.told(value), members, kind, [])

    def _member(
        self, owner: str, name: str, value: Schema, is_required: bool, can_be_left_out: bool
    ) -> _Member:
        others = [inner for inner in value.get("anyOf", ()) if inner.get("type") != "null"]
        can_be_null = 0 < len(others) < len(value.get("anyOf", ()))
        inner = value if not can_be_null else others[0] if len(others) == 1 else {"anyOf": others}
        # In a request null is as good as nothing, unless the value is checked in Swift.
        is_nullable = can_be_null and (not self._is_request or is_required or "x-check" in value)
        writing = self._writing(inner, owner + name[:1].upper() + name[1:])
        # An open value says null itself.
        is_nullable = is_nullable and writing.type != "OpenValue"
        return _Member(
            name,
            schema.told(value),
            writing,
            is_required,
            is_nullable,
            can_be_left_out and not is_required,
            not self._is_request and not is_required and value.get("default") == [],
        )

    def _writing(self, value: Schema, name: str) -> _Writing:
        """`name` is what an object without a name is called."""
        if name in BY_HAND and not self._is_request:
            return _Writing(BY_HAND[name])
        if name in ENCODED:
            return _Writing(f"[Encoded<{self._writing(value['items'], name.removesuffix('s')).type}>]")
        if (referred := schema.reference(value)) is not None:
            named = self._schemas[referred]
            if self._is_request and (known := swift_type(referred)) and known.module == VOCABULARY:
                # Others may have words that the client was told by the daemon, and does not know.
                return _Writing("String") if named.get("x-open") else _Writing(known.name, module=VOCABULARY)
            return self._writing(named, referred)
        if alternatives := value.get("anyOf") or value.get("oneOf"):
            return self._union(alternatives, name)
        kind = value.get("type") or {bool: "boolean", str: "string"}.get(type(value.get("const")))
        if kind == "number":
            return _Writing("Double", "seconds" if value.get("x-decimals") == MICROSECONDS else "member")
        if kind == "array":
            return self._array(value.get("items"), name)
        if isinstance(extra := value.get("additionalProperties"), dict):
            return _Writing(f"[(name: String, value: {self._writing(extra, name).type})]")
        if "properties" in value:
            self._declare(name, value)
            return _Writing(f"{self.space}.{name}")
        if self._is_request and value.get("x-secret"):
            return _Writing("Secret", module=VOCABULARY)
        simple = {"string": "String", "boolean": "Bool", "integer": "Int"}
        if kind not in simple:
            raise NotWritable(name)
        return _Writing(simple[kind])

    def _union(self, alternatives: list[Schema], name: str) -> _Writing:
        """One type for all alternatives: that of a union which is among them has their members, too."""
        referred = [schema.reference(each) for each in alternatives]
        unions = [union for union in referred if union is not None and self._is_union(union)]
        if self._is_request and len(unions) == 1:
            name = unions[0]
        resolved = [inner for each in alternatives for inner in self._flat(each)]
        texts = [
            inner for inner in resolved if inner.get("type") == "string" or {"enum", "const"} & inner.keys()
        ]
        others = [inner for inner in resolved if inner not in texts and inner.get("type") != "null"]
        if self._is_request and texts and others:
            other = self._writing(others[0] if len(others) == 1 else {"anyOf": others}, name)
            return _Writing(f"TextOr<{other.type}>", module=other.module)
        merged = _merged(others if others and self._is_request else resolved)
        return self._writing(merged, name) if "type" in merged else _Writing("OpenValue")

    def _is_union(self, name: str) -> bool:
        return "anyOf" in self._schemas[name] or "oneOf" in self._schemas[name]

    def _flat(self, value: Schema) -> list[Schema]:
        """The alternatives of alternatives."""
        if (referred := schema.reference(value)) is not None:
            if "properties" in self._schemas[referred] and not self._is_request:
                return [value]
            value = self._schemas[referred]
        union = value.get("anyOf") or value.get("oneOf")
        return [value] if union is None else [inner for each in union for inner in self._flat(each)]

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
    properties: dict[str, Schema] = {}
    for key in dict.fromkeys(key for inner in alternatives for key in inner["properties"]):
        same = [inner["properties"][key] for inner in alternatives if key in inner["properties"]]
        named = {schema.reference(member): member for member in same}
        # Two objects of the same name are alternatives in their turn.
        is_union = len(named) > 1 and None not in named
        properties[key] = {"anyOf": list(named.values())} if is_union else same[-1]
    return {"type": "object", "properties": properties, "required": sorted(required), "x-discriminator": ""}


def _structure(name: str, told: str, members: list[_Member], kind: str, lines: list[str]) -> str:
    properties = [
        line for member in members for line in [*wrapped(member.told, "/// ", 4), member.declaration]
    ]
    body = [
        *lines,
        *([""] if lines and properties else []),
        *properties,
        "",
        *_initializer(members),
        "",
        "package func writeMembers(to writer: inout JSONWriter) {",
        *(f"  {member.statement}" for member in members),
        "}",
    ]
    if kind == "SentObject":
        body += [
            "",
            "package init(_ object: ReadObject) throws(ReadFault) {",
            *(f"  {member.label} = {member.value_read}" for member in members),
            "}",
        ]
    title = told or f"`{name}` of the contract."
    return (
        "".join(f"  {line}\n" for line in wrapped(title, "/// ", 2))
        + f"  package struct {name}: {kind} {{\n"
        + "".join(f"    {line}".rstrip() + "\n" for line in body)
        + "  }\n"
    )


def _readable(name: str, members: list[_Member]) -> str:
    parts = [f"      {member.name}: {member.value_read}" for member in members]
    call = "    self.init(\n" + ",\n".join(parts) + ")\n" if members else "    self.init()\n"
    return (
        f"extension {name}: SentObject {{\n"
        f"  package init(_ object: ReadObject) throws(ReadFault) {{\n{call}  }}\n}}\n"
    )


def _initializer(members: list[_Member]) -> list[str]:
    parameters = [member.parameter for member in members]
    opening = [f"package init({', '.join(parameters)}) {{"]
    if len(opening[0]) > WIDTH - 4:
        listed = textwrap.wrap(", ".join(p.replace(" ", "\0") for p in parameters), WIDTH - 6)
        opening = ["package init(", *(f"  {line}".replace("\0", " ") for line in listed), ") {"]
    return [*opening, *(f"  self.{member.name} = {member.label}" for member in members), "}"]
