"""The Swift of types that read themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .reading import NotReadable, Reading, Type, Words, alternatives, number
from .schema import Member, Schema
from .text import SOURCE, WIDTH, swift_name, wrapped

#: Types whose default can be written as a literal.
LITERALS = {"Bool", "Double", "Int", "String"}


def text(types: list[Type]) -> str:
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


def _default(member: Member, reading: Reading, made: Type) -> str | None:
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
    return f'"{value}"' if isinstance(value, str) else number(value)


def _modules(made: Type) -> Iterator[str | None]:
    yield from (reading.module for _, reading in made.members)
    for inner in made.inner:
        if isinstance(inner, Type):
            yield from _modules(inner)


def _structure(made: Type, of_parameters: str = "Sendable") -> list[str]:
    kind = of_parameters if made.name.endswith("Parameters") else "Sendable"
    lines = [*wrapped(made.description, "/// ", 6), f"package struct {made.name}: {kind} {{"]
    for inner in made.inner:
        words = _structure(inner) if isinstance(inner, Type) else _enumeration(inner)
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


def _enumeration(made: Words) -> list[str]:
    return [
        f"package enum {made.name}: String, CaseIterable, Sendable {{",
        *(f"  case {swift_name(word)}" for word in made.words),
        "}",
    ]


def _property(member: Member, reading: Reading, made: Type) -> list[str]:
    is_there = _is_sure(member) or _default(member, reading, made) is not None
    mark = "" if is_there else "?"
    return [
        *wrapped(member.description, "/// ", 6),
        f"package let {swift_name(member.name)}: {reading.type}{mark}",
    ]


def _is_sure(member: Member) -> bool:
    return member.is_required and len(alternatives(member.schema)) == _count(member.schema)


def _count(value: Schema) -> int:
    """With null."""
    return sum(len(value.get(name, ())) for name in ("anyOf", "oneOf")) or 1


def _statement(member: Member, reading: Reading, made: Type) -> list[str]:
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
