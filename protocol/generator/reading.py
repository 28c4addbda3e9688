"""How Swift reads the values of a schema: the types of members, and the calls that read them strictly.

A type's name, its members with their types, bounds, enumerations and defaults come from the schema. Beside
the words of JSON Schema these count:

- `x-maxBytes` and `x-minBytes` bound a text in UTF-8, where `maxLength` counts characters.
- `x-secret` marks a text that is read as a `Secret`.
- `x-check` names the method of Swift's `Parameter` that reads a value, for what a schema cannot say. It is
  given the bounds that the schema has.
- `x-presence` says that it matters whether a member is there: its default is not filled in.

Objects that are alternatives become one type with the members of all, none of which is required: which of
them go together is said in Swift. Those that a word tells apart become an enumeration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from . import enumerations, schema, words
from .checks import CHECKS, CORE, LATER, VOCABULARY, Kind
from .faults import ContractFault
from .schema import Member, Schema


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
    #: What is left out is the same as.
    empty: str | None = None


@dataclass
class Type:
    """A structure, and those inside it."""

    name: str
    description: str
    members: list[tuple[Member, Reading]] = field(default_factory=list)
    inner: list[Type | Words] = field(default_factory=list)
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
    #: Whether nothing in it is required, and one with all defaults stands for what is left out.
    has_empty: bool = False


@dataclass(frozen=True)
class Words:
    """An enumeration of one member."""

    name: str
    words: list[str]


@dataclass(frozen=True)
class Union:
    """Objects that a member tells apart."""

    name: str
    description: str
    #: The member, and the enumeration of its words.
    member: str
    words: enumerations.SwiftType
    #: The type by the case.
    cases: dict[str, str]


@dataclass(frozen=True)
class Contract:
    """What one file has that is read."""

    schemas: dict[str, Schema]
    checks: dict[str, Kind] = field(default_factory=lambda: CHECKS)
    #: The target of the types that are made elsewhere, by the names of their schemas.
    foreign: dict[str, str] = field(default_factory=dict)
    #: By the name of a schema: the enumeration of the words that tell its alternatives apart.
    unions: dict[str, str] = field(default_factory=dict)
    #: Whether an object that is left out, and has no required member, is as an empty one; and whether a check
    #: of an object leaves nothing in it to Swift that its own members do not name.
    is_configuration: bool = False


class Reader:
    """Makes types, and those that they refer to."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._schemas = contract.schemas
        #: The alternatives of unions, whose word has been read.
        self._told_apart: set[str] = set()
        #: Objects that are referred to, and whether Swift checks what was read of them.
        self._queue: list[tuple[str, bool]] = []

    def referred(self) -> Iterator[Type | Union]:
        """The objects that the types refer to which were made, and those that these refer to."""
        done: set[tuple[str, bool]] = set()
        while self._queue:
            name, is_checked = self._queue.pop(0)
            if (name, is_checked) in done:
                continue
            is_new = (name, not is_checked) not in done
            done.add((name, is_checked))
            if name in self._contract.unions:
                yield self._union(name)
                continue
            made = self.object(
                f"{name}Members", self._schemas[name], f"The members of `{name}`.", is_checked=is_checked
            )
            if is_new:
                yield made

    def _union(self, name: str) -> Union:
        value = self._schemas[name]
        kind = self._contract.unions[name]
        words = enumerations.swift_type(kind)
        if words is None:
            raise NotReadable(f"{name}: there is no enumeration {kind}")
        cases: dict[str, str] = {}
        members: set[str] = set()
        for inner in alternatives(value):
            made = schema.reference(inner) or ""
            properties = resolved(inner, self._schemas)["properties"]
            constants = {key: one["const"] for key, one in properties.items() if "const" in one}
            members |= set(constants)
            cases |= {word: f"{made}Members" for word in constants.values()}
            self._told_apart.add(made)
            self._queue.append((made, False))
        if len(members) != 1 or set(cases) != set(schema.values(self._schemas[kind]) or ()):
            raise NotReadable(f"{name}: {kind} does not tell its alternatives apart")
        description = schema.told(value) or f"One of the objects of `{name}`."
        return Union(f"{name}Members", description, members.pop(), words, cases)

    def add(self, member: Member, made: Type) -> None:
        made.members.append((member, self._reading(member.schema, Place(member.name, made))))

    def object(self, name: str, value: Schema, description: str, depth: int = 4, *, is_checked: bool) -> Type:
        """From an object, or from objects that are alternatives."""
        made = Type(name, description, depth=depth, has_presence=bool(value.get("x-presence")))
        made.is_checked = is_checked
        choices = [resolved(inner, self._schemas) for inner in alternatives(value)]
        objects = [inner for inner in choices if "properties" in inner]
        if not objects:
            raise NotReadable(f"{name} has no members")
        for each in objects:
            if each.get("additionalProperties") is not False and each.get("additionalProperties") is not True:
                raise NotReadable(f"{name} does not say whether it takes members that it does not name")
            made.is_open |= each["additionalProperties"]
        if len(choices) == 1:
            is_told_apart = name.removesuffix("Members") in self._told_apart
            for member in schema.members_only(objects[0]):
                if not (is_told_apart and "const" in member.schema):
                    self.add(member, made)
            made.has_empty = self._has_empty(objects[0])
            return made
        made.has_presence = True
        merged: dict[str, list[Member]] = {}
        for each in objects:
            for member in schema.members_only(each):
                merged.setdefault(member.name, []).append(member)
        for member_name, members in merged.items():
            first = members[0]
            inner = first.schema
            if any(plain(other.schema) != plain(inner) for other in members):
                inner = {"anyOf": [other.schema for other in members], "x-check": LATER}
            self.add(Member(member_name, inner, is_required=False, description=first.description), made)
        return made

    def _reading(self, value: Schema, place: Place, *, is_secret: bool = False) -> Reading:
        is_secret = is_secret or bool(value.get("x-secret"))
        if (check := value.get("x-check")) is not None:
            return self._checked(check, value, place)
        if (name := schema.reference(value)) is not None:
            return self._referred(name, place, is_secret=is_secret)
        if len(choices := alternatives(value)) == 1 and choices[0] is not value:
            inner = self._reading(choices[0], place, is_secret=is_secret)
            return Reading(inner.type, _unless_null(inner.call), inner.module, inner.cases)
        if len(choices) > 1 or "properties" in value:
            return self._inline(value, place, is_checked=place.type.is_checked)
        if (words := schema.values(value)) is not None:
            made = Words(capitalized(place.name), words)
            place.type.inner.append(made)
            return Reading(made.name, f".enumeration({made.name}.self)", None, {word: word for word in words})
        return self._simple(value, place, is_secret=is_secret)

    def _checked(self, check: str, value: Schema, place: Place) -> Reading:
        kind = self._kind(check, place)
        choices = alternatives(value)
        if check == LATER:
            for inner in choices:
                self._reading(inner, Place(place.name, Type("", "", is_checked=True)))
        elif (
            any("properties" in inner for inner in choices)
            and schema.reference(value) is None
            and not kind.reads_members
        ):
            self._inline(value, place, is_checked=True)
        return self._check(check, kind, value)

    def _referred(self, name: str, place: Place, *, is_secret: bool) -> Reading:
        value = self._schemas[name]
        if (kind := enumerations.swift_type(name)) is not None and kind.module in (CORE, VOCABULARY):
            cases = enumerations.swift_cases(name, schema.values(value) or [])
            return Reading(kind.name, f".enumeration({kind.name}.self)", kind.module, cases)
        if any("properties" in resolved(inner, self._schemas) for inner in alternatives(value)):
            check = value.get("x-check")
            foreign = self._contract.foreign.get(name)
            if foreign is None:
                self._queue.append((name, check is not None or place.type.is_checked))
            if check is not None:
                return self._check(check, self._kind(check, place), value)
            return Reading(f"{name}Members", f".object({name}Members.init)", foreign)
        return self._reading(value, place, is_secret=is_secret)

    def _inline(self, value: Schema, place: Place, *, is_checked: bool) -> Reading:
        name = capitalized(place.name)
        description = schema.told(value) or f"The members of `{place.name}`."
        made = self.object(name, value, description, place.type.depth + 2, is_checked=is_checked)
        place.type.inner.append(made)
        return Reading(name, f".object({name}.init)", empty=f"{name}()" if made.has_empty else None)

    def _kind(self, check: str, place: Place) -> Kind:
        if check not in self._contract.checks:
            raise NotReadable(f"{place.name}: no check {check}")
        return self._contract.checks[check]

    def _check(self, name: str, kind: Kind, value: Schema) -> Reading:
        if name == LATER:
            return Reading(kind.type, "")
        if kind.cases is not None:
            return Reading(kind.type, f".enumeration({kind.type}.self)", kind.module, kind.cases)
        bounds = _arguments(
            maximumBytes=value.get("x-maxBytes"),
            maximum=value.get("maxItems", value.get("maxProperties")),
            minimum=value.get("minItems"),
        )
        empty = "[:]" if kind.type.startswith("[") else f"{kind.type}()"
        return Reading(
            kind.type,
            f".{name}({bounds})",
            kind.module,
            empty=empty if self._has_empty(value) else None,
        )

    def _has_empty(self, value: Schema) -> bool:
        return self._contract.is_configuration and value.get("type") == "object" and not value.get("required")

    def _simple(self, value: Schema, place: Place, *, is_secret: bool) -> Reading:
        if self._contract.is_configuration or not place.type.is_checked:
            words.check_enforced(value, f"{place.type.name}.{place.name}")
        match value.get("type"):
            case "string":
                kind = ("Secret", ".secret", VOCABULARY) if is_secret else ("String", ".string", None)
                # Without a bound of its own the message's counts.
                most = number(value["x-maxBytes"]) if "x-maxBytes" in value else "Int.max"
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
                element = self._reading(value["items"], Place(place.name.removesuffix("s"), place.type))
                if "maxItems" not in value:
                    raise NotReadable(f"{place.name}: a list has a bound")
                bounds = _arguments(maximum=value["maxItems"], minimum=value.get("minItems"))
                return Reading(
                    f"[{element.type}]",
                    f".array({bounds}) {{ element throws(RPCError) in\n  try element{element.call}\n}}",
                    element.module,
                )
            case "object" if isinstance(value.get("additionalProperties"), dict):
                return self._map(value, place)
            case kind:
                raise NotReadable(f"{place.name}: {kind}")

    def _map(self, value: Schema, place: Place) -> Reading:
        """An object whose members' names are chosen."""
        element = self._reading(
            value["additionalProperties"], Place(place.name.removesuffix("s"), place.type)
        )
        if "maxProperties" not in value:
            raise NotReadable(f"{place.name}: an object whose names are chosen has a bound")
        names = value.get("propertyNames", {})
        if names:
            words.check_enforced({"type": "string", **names}, f"{place.type.name}.{place.name}")
        bounds = f"maximum: {number(value['maxProperties'])}"
        if "x-maxBytes" in names:
            bounds += f", nameBytes: {names.get('minLength', 0)}...{names['x-maxBytes']}"
        return Reading(
            f"[String: {element.type}]",
            f".map({bounds}) {{ element throws(RPCError) in\n  try element{element.call}\n}}",
            element.module,
            empty="[:]" if self._has_empty(value) else None,
        )


@dataclass(frozen=True)
class Place:
    """A member, and the type that it is in."""

    name: str
    type: Type


def alternatives(value: Schema) -> list[Schema]:
    """Those of a union, null left out; else the value."""
    union = [inner for name in ("anyOf", "oneOf") for inner in value.get(name, ())]
    return [inner for inner in union if inner.get("type") != "null"] or [value]


def resolved(value: Schema, schemas: dict[str, Schema]) -> Schema:
    name = schema.reference(value)
    return value if name is None else schemas[name]


def plain(value: Schema) -> Schema:
    """Without what does not concern the type."""
    if (name := schema.reference(value)) is not None:
        return {"$ref": name}
    return {
        key: plain(inner) if key == "schema" else inner
        for key, inner in value.items()
        if key not in ("description", "default", "minLength")
    }


def _unless_null(call: str) -> str:
    return f".unlessNull?{call}"


def capitalized(name: str) -> str:
    return {"tls": "TLS"}.get(name) or name[0].upper() + name[1:]


def _arguments(**bounds: int | None) -> str:
    return ", ".join(f"{name}: {number(bound)}" for name, bound in bounds.items() if bound)


def _range(value: Schema, least: str, most: str) -> str:
    low = number(value["minimum"]) if "minimum" in value else least
    high = number(value["maximum"]) if value.get("maximum", schema.LARGEST) < schema.LARGEST else most
    return f"{low}...{high}"


def number(value: float) -> str:
    return f"{value:_}" if abs(value) >= 10_000 else str(value)
