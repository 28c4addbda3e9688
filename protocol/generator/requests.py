"""The parameters of methods, and the objects in them, as Swift types that decode themselves strictly.

A type's name, its members with their types, bounds, enumerations and defaults come from the schema. Beside
the words of JSON Schema these count:

- `x-parameters` names the parameters of a method; methods with the same ones share a type.
- `x-paramsOf` names the method that has the same parameters: they are written there.
- `x-maxBytes` and `x-minBytes` bound a text in UTF-8, where `maxLength` counts characters.
- `x-secret` marks a text that is read as a `Secret`.
- `x-check` names the method of Swift's `Parameter` that reads a value, for what a schema cannot say. It is
  given the bounds that the schema has. That of a method names a method of the parameters' type, which checks
  what members say together.
- `x-presence` says that it matters whether a member is there: its default is not filled in.

Objects that are alternatives become one type with the members of all, none of which is required: which of
them go together is said in Swift.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import enumerations, schema, words
from .checks import CHECKS, CORE, FILE, LATER, VOCABULARY
from .faults import ContractFault
from .schema import Member, Schema
from .text import SOURCE, WIDTH, swift_name, wrapped

NO_PARAMETERS = "NoParameters"
#: Types whose default can be written as a literal.
LITERALS = {"Bool", "Double", "Int", "String"}


class NotReadable(ContractFault):
    """The schema says too little, or something that the generator does not know."""


@dataclass(frozen=True)
class Reading:
    """How a value is read."""

    #: Swift's type.
    type: str
    #: What follows the `Parameter`; with line breaks for the elements of a list.
    call: str
    #: The target that declares the type.
    module: str | None = None
    #: Swift's cases of the words of an enumeration.
    cases: dict[str, str] | None = None


@dataclass
class _Type:
    """A structure, and those inside it."""

    name: str
    description: str
    members: list[tuple[Member, Reading]] = field(default_factory=list)
    inner: list[_Type | _Words] = field(default_factory=list)
    #: How far its statements are indented.
    depth: int = 4
    #: Whether defaults are left to Swift.
    has_presence: bool = False
    #: The method that checks what members say together.
    check: str | None = None
    #: Whether a method of Swift's `Parameter` looks at what was read.
    is_checked: bool = False
    #: Whether members that it does not name are passed over.
    is_open: bool = False


@dataclass(frozen=True)
class _Words:
    """An enumeration of one member."""

    name: str
    words: list[str]


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The file by its path."""
    return {FILE: _file(sorted(_Requests(document).types(), key=lambda made: made.name))}


class _Requests:
    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        #: Objects that are referred to, and whether Swift checks what was read of them.
        self._queue: list[tuple[str, bool]] = []

    def types(self) -> Iterator[_Type]:
        """Those of the methods, then those of the objects that they refer to."""
        given: dict[str, list[Schema]] = {}
        for entry in self._entries():
            name = parameters_name(entry)
            plain = [_plain(item) for item in entry.get("params", ())]
            if name in given:
                if given[name] != plain:
                    raise NotReadable(f"{entry['name']} has not the other {name}")
                continue
            given[name] = plain
            if name != NO_PARAMETERS:
                yield self._parameters(name, entry)
        done: set[tuple[str, bool]] = set()
        while self._queue:
            name, is_checked = self._queue.pop(0)
            if (name, is_checked) in done:
                continue
            is_new = (name, not is_checked) not in done
            done.add((name, is_checked))
            made = self._object(
                f"{name}Members", self._schemas[name], f"The members of `{name}`.", is_checked=is_checked
            )
            if is_new:
                yield made

    def _entries(self) -> Iterator[Schema]:
        yield from self._document["methods"]
        yield from (
            entry for entry in self._document["x-notifications"] if entry["direction"] == "clientToServer"
        )

    def _parameters(self, name: str, entry: Schema) -> _Type:
        sharing = [
            other["name"] for other in self._entries() if other is entry or other.get("x-parameters") == name
        ]
        made = _Type(name, "The parameters of " + ", ".join(f"`{one}`" for one in sharing) + ".")
        made.check = entry.get("x-check")
        for member in schema.parameters(entry):
            self._add(member, made)
        return made

    def _add(self, member: Member, made: _Type) -> None:
        made.members.append((member, self._reading(member.schema, _Place(member.name, made))))

    def _object(
        self, name: str, value: Schema, description: str, depth: int = 4, *, is_checked: bool
    ) -> _Type:
        """From an object, or from objects that are alternatives."""
        made = _Type(name, description, depth=depth, has_presence=bool(value.get("x-presence")))
        made.is_checked = is_checked
        alternatives = [_resolved(inner, self._schemas) for inner in _alternatives(value)]
        objects = [inner for inner in alternatives if "properties" in inner]
        if not objects:
            raise NotReadable(f"{name} has no members")
        for each in objects:
            if each.get("additionalProperties") is not False and each.get("additionalProperties") is not True:
                raise NotReadable(f"{name} does not say whether it takes members that it does not name")
            made.is_open |= each["additionalProperties"]
        if len(alternatives) == 1:
            for member in schema.members_only(objects[0]):
                self._add(member, made)
            return made
        made.has_presence = True
        merged: dict[str, list[Member]] = {}
        for each in objects:
            for member in schema.members_only(each):
                merged.setdefault(member.name, []).append(member)
        for member_name, members in merged.items():
            first = members[0]
            inner = first.schema
            if any(_plain(other.schema) != _plain(inner) for other in members):
                inner = {"anyOf": [other.schema for other in members], "x-check": LATER}
            self._add(Member(member_name, inner, is_required=False, description=first.description), made)
        return made

    def _reading(self, value: Schema, place: _Place, *, is_secret: bool = False) -> Reading:
        is_secret = is_secret or bool(value.get("x-secret"))
        if (check := value.get("x-check")) is not None:
            return self._checked(check, value, place)
        if (name := schema.reference(value)) is not None:
            return self._referred(name, place, is_secret=is_secret)
        if len(alternatives := _alternatives(value)) == 1 and alternatives[0] is not value:
            inner = self._reading(alternatives[0], place, is_secret=is_secret)
            return Reading(inner.type, _unless_null(inner.call), inner.module, inner.cases)
        if len(alternatives) > 1 or "properties" in value:
            return self._inline(value, place, is_checked=place.type.is_checked)
        if (words := schema.values(value)) is not None:
            made = _Words(_capitalized(place.name), words)
            place.type.inner.append(made)
            return Reading(made.name, f".enumeration({made.name}.self)", None, {word: word for word in words})
        return self._simple(value, place, is_secret=is_secret)

    def _checked(self, check: str, value: Schema, place: _Place) -> Reading:
        if check not in CHECKS:
            raise NotReadable(f"{place.name}: no check {check}")
        alternatives = _alternatives(value)
        if check == LATER:
            for inner in alternatives:
                self._reading(inner, _Place(place.name, _Type("", "", is_checked=True)))
        elif any("properties" in inner for inner in alternatives) and schema.reference(value) is None:
            self._inline(value, place, is_checked=True)
        return _check(check, value)

    def _referred(self, name: str, place: _Place, *, is_secret: bool) -> Reading:
        value = self._schemas[name]
        if (kind := enumerations.swift_type(name)) is not None and kind.module in (CORE, VOCABULARY):
            cases = enumerations.swift_cases(name, schema.values(value) or [])
            return Reading(kind.name, f".enumeration({kind.name}.self)", kind.module, cases)
        if any("properties" in _resolved(inner, self._schemas) for inner in _alternatives(value)):
            check = value.get("x-check")
            self._queue.append((name, check is not None or place.type.is_checked))
            if check is not None:
                return _check(check, value)
            return Reading(f"{name}Members", f".object({name}Members.init)")
        return self._reading(value, place, is_secret=is_secret)

    def _inline(self, value: Schema, place: _Place, *, is_checked: bool) -> Reading:
        name = _capitalized(place.name)
        description = schema.told(value) or f"The members of `{place.name}`."
        made = self._object(name, value, description, place.type.depth + 2, is_checked=is_checked)
        place.type.inner.append(made)
        return Reading(name, f".object({name}.init)")

    def _simple(self, value: Schema, place: _Place, *, is_secret: bool) -> Reading:
        if not place.type.is_checked:
            words.check_enforced(value, f"{place.type.name}.{place.name}")
        match value.get("type"):
            case "string":
                kind = ("Secret", ".secret", VOCABULARY) if is_secret else ("String", ".string", None)
                # Without a bound of its own the message's counts.
                most = _number(value["x-maxBytes"]) if "x-maxBytes" in value else "Int.max"
                # A text that has a character has a byte.
                minimum = value.get("x-minBytes", value.get("minLength", 0))
                least = f", minimumBytes: {minimum}" if minimum else ""
                return Reading(kind[0], f"{kind[1]}(maximumBytes: {most}{least})", kind[2])
            case "boolean":
                return Reading("Bool", ".bool()")
            case "integer":
                return Reading("Int", f".integer(in: {_range(value, 'Int.min', 'Int.max')})")
            case "number":
                most = "Double.greatestFiniteMagnitude"
                return Reading("Double", f".number(in: {_range(value, '-' + most, most)})")
            case "array":
                if not isinstance(value.get("items"), dict):
                    raise NotReadable(f"{place.name}: a list says what its elements are")
                element = self._reading(value["items"], _Place(place.name.removesuffix("s"), place.type))
                if "maxItems" not in value:
                    raise NotReadable(f"{place.name}: a list has a bound")
                bounds = _arguments(maximum=value["maxItems"], minimum=value.get("minItems"))
                return Reading(
                    f"[{element.type}]",
                    f".array({bounds}) {{ element throws(RPCError) in\n  try element{element.call}\n}}",
                    element.module,
                )
            case kind:
                raise NotReadable(f"{place.name}: {kind}")


@dataclass(frozen=True)
class _Place:
    """A member, and the type that it is in."""

    name: str
    type: _Type


def _alternatives(value: Schema) -> list[Schema]:
    """Those of a union, null left out; else the value."""
    union = [inner for name in ("anyOf", "oneOf") for inner in value.get(name, ())]
    return [inner for inner in union if inner.get("type") != "null"] or [value]


def _resolved(value: Schema, schemas: dict[str, Schema]) -> Schema:
    name = schema.reference(value)
    return value if name is None else schemas[name]


def _plain(value: Schema) -> Schema:
    """Without what does not concern the type."""
    if (name := schema.reference(value)) is not None:
        return {"$ref": name}
    return {
        key: _plain(inner) if key == "schema" else inner
        for key, inner in value.items()
        if key not in ("description", "default", "minLength")
    }


def _unless_null(call: str) -> str:
    return f".unlessNull?{call}"


def _check(name: str, value: Schema) -> Reading:
    if name == LATER:
        return Reading(CHECKS[name].type, "")
    bounds = _arguments(
        maximumBytes=value.get("x-maxBytes"),
        maximum=value.get("maxItems", value.get("maxProperties")),
        minimum=value.get("minItems"),
    )
    return Reading(CHECKS[name].type, f".{name}({bounds})", CHECKS[name].module)


def parameters_name(entry: Schema) -> str:
    """What the parameters of a method are called."""
    return str(entry.get("x-parameters") or _type_name(entry["name"]) + "Parameters")


def _type_name(method: str) -> str:
    return "".join(map(_capitalized, method.removeprefix("$/").replace(".", "/").split("/")))


def _capitalized(name: str) -> str:
    return {"tls": "TLS"}.get(name) or name[0].upper() + name[1:]


def _arguments(**bounds: int | None) -> str:
    return ", ".join(f"{name}: {_number(bound)}" for name, bound in bounds.items() if bound)


def _range(value: Schema, least: str, most: str) -> str:
    low = _number(value["minimum"]) if "minimum" in value else least
    high = _number(value["maximum"]) if value.get("maximum", schema.LARGEST) < schema.LARGEST else most
    return f"{low}...{high}"


def _number(value: float) -> str:
    return f"{value:_}" if abs(value) >= 10_000 else str(value)


def _default(member: Member, reading: Reading, made: _Type) -> str | None:
    value = member.schema.get("default")
    if value is None or made.has_presence or member.schema.get("x-presence"):
        return None
    if reading.cases is not None:
        if value not in reading.cases:
            raise NotReadable(f"{member.name}: there is no word {value}")
        return f".{reading.cases[value]}"
    if value == [] and reading.type.startswith("["):
        return "[]"
    if reading.type not in LITERALS:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else _number(value)


def _file(types: list[_Type]) -> str:
    modules = sorted({module for made in types for module in _modules(made) if module is not None})
    return "\n".join(
        [
            *(f"package import {module}" for module in modules if module != "WatchwordJSON"),
            "",
            f"// Made from `{SOURCE}` by `protocol/generate`.",
            *(line for made in types for line in ("", *_structure(made, "MethodParameters"))),
            "",
        ]
    )


def _modules(made: _Type) -> Iterator[str | None]:
    yield from (reading.module for _, reading in made.members)
    for inner in made.inner:
        if isinstance(inner, _Type):
            yield from _modules(inner)


def _structure(made: _Type, of_parameters: str = "Sendable") -> list[str]:
    kind = of_parameters if made.name.endswith("Parameters") else "Sendable"
    lines = [*wrapped(made.description, "/// ", 6), f"package struct {made.name}: {kind} {{"]
    for inner in made.inner:
        words = _structure(inner) if isinstance(inner, _Type) else _enumeration(inner)
        lines += [*_indented(words), ""]
    for member, reading in made.members:
        lines += _indented(_property(member, reading, made))
    lines += ["", "  package init(_ reader: inout ParameterReader) throws(RPCError) {"]
    for member, reading in made.members:
        lines += _indented(_indented(_statement(member, reading, made)))
    if made.is_open:
        lines.append("    reader.passOverOthers()")
    if made.check is not None:
        lines.append(f"    try {made.check}()")
    return [*lines, "  }", "}"]


def _enumeration(made: _Words) -> list[str]:
    return [
        f"package enum {made.name}: String, CaseIterable, Sendable {{",
        *(f"  case {swift_name(word)}" for word in made.words),
        "}",
    ]


def _property(member: Member, reading: Reading, made: _Type) -> list[str]:
    is_there = _is_sure(member) or _default(member, reading, made) is not None
    mark = "" if is_there else "?"
    return [
        *wrapped(member.description, "/// ", 6),
        f"package let {swift_name(member.name)}: {reading.type}{mark}",
    ]


def _is_sure(member: Member) -> bool:
    return member.is_required and len(_alternatives(member.schema)) == _count(member.schema)


def _count(value: Schema) -> int:
    """With null."""
    return sum(len(value.get(name, ())) for name in ("anyOf", "oneOf")) or 1


def _statement(member: Member, reading: Reading, made: _Type) -> list[str]:
    value = f'reader.required("{member.name}")' if member.is_required else f'reader["{member.name}"]?'
    if not reading.call:
        value = value.removesuffix("?")
    default = _default(member, reading, made)
    mark = "try " if reading.call or member.is_required else ""
    text = f"{mark}{value}{reading.call}" + (f" ?? {default}" if default else "")
    name = swift_name(member.name)
    first, *rest = text.split("\n")
    if len(first) + len(name) > WIDTH - 4 - made.depth or (rest and default):
        return [f"{name} =", *_indented(text.split("\n"))]
    return f"{name} = {text}".split("\n")


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]
