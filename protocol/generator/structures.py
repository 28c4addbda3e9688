"""The Swift of types that read themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .reading import NotReadable, Reading, Type, Union, Words, alternatives, number
from .schema import Member, Schema
from .text import WIDTH, swift_name, wrapped

#: Types whose default can be written as a literal.
LITERALS = {"Bool", "Double", "Int", "String"}


def text(types: Iterable[Type | Union], source: str, *modules: str) -> str:
    """A file.

    - Parameter modules: what it imports beside the modules of the types.
    """
    types = list(types)
    used = {module for made in types for module in _modules(made) if module is not None}
    return "\n".join(
        [
            *(f"package import {module}" for module in sorted(used.union(modules))),
            "",
            f"// Made from `{source}` by `protocol/generate`.",
            *(line for made in types for line in ("", *_declaration(made))),
            "",
        ]
    )


def _default(member: Member, reading: Reading, made: Type) -> str | None:
    if reading.empty is not None:
        return reading.empty
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


def _modules(made: Type | Union) -> Iterator[str | None]:
    if isinstance(made, Union):
        return
    yield from (reading.module for _, reading in made.members)
    for inner in made.inner:
        if isinstance(inner, Type):
            yield from _modules(inner)


def _declaration(made: Type | Union) -> list[str]:
    if isinstance(made, Union):
        return _union(made)
    return _structure(made, "MethodParameters" if made.name.endswith("Parameters") else "Sendable")


def _union(made: Union) -> list[str]:
    return [
        *wrapped(made.description, "/// ", 6),
        f"package enum {made.name}: Sendable {{",
        *(f"  case {swift_name(word)}({kind})" for word, kind in made.cases.items()),
        "",
        "  package init(_ reader: inout ParameterReader) throws(RPCError) {",
        f'    switch try reader.required("{made.member}").enumeration({made.words.name}.self) {{',
        *(
            f"    case .{swift_name(word)}: self = .{swift_name(word)}(try {kind}(&reader))"
            for word, kind in made.cases.items()
        ),
        "    }",
        "  }",
        "}",
    ]


def _structure(made: Type, kind: str = "Sendable") -> list[str]:
    # What one with defaults stands for may have to be compared.
    if made.has_empty and all(reading.type in LITERALS for _, reading in made.members):
        kind += ", Equatable"
    lines = [*wrapped(made.description, "/// ", 6), f"package struct {made.name}: {kind} {{"]
    for inner in made.inner:
        words = _structure(inner) if isinstance(inner, Type) else _enumeration(inner)
        lines += [*_indented(words), ""]
    for member, reading in made.members:
        lines += _indented(_property(member, reading, made))
    if made.has_empty:
        lines += ["", "  /// What counts where nothing is said.", "  package init() {}"]
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
    default = _default(member, reading, made)
    mark = "" if _is_sure(member) or default is not None else "?"
    declared = f": {reading.type}{mark}"
    if made.has_empty and default is not None:
        # What says its type need not be given one.
        says_type = reading.type == "Bool" or default == f"{reading.type}()"
        declared = f" = {default}" if says_type else f"{declared} = {default}"
    return [
        *wrapped(member.description, "/// ", 6),
        f"package {'var' if made.has_empty else 'let'} {swift_name(member.name)}{declared}",
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
    name = swift_name(member.name)
    default = _default(member, reading, made)
    mark = "try " if reading.call or member.is_required else ""
    text = f"{mark}{value}{reading.call}" + (f" ?? {name if made.has_empty else default}" if default else "")
    first, *rest = text.split("\n")
    if len(first) + len(name) > WIDTH - 4 - made.depth or (rest and default):
        return [f"{name} =", *_indented(text.split("\n"))]
    return f"{name} = {text}".split("\n")


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]
