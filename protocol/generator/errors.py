"""The table of errors as Swift, Python, the shell, OpenRPC and Markdown have it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from . import schema
from .contract import DataMember, ErrorRow
from .text import WIDTH

SOURCE = "protocol/errors.json"
#: The class above the kinds of a hundred; the standard codes have another.
GROUPS = {
    10: "SessionError",
    11: "TaskError",
    12: "ChallengeError",
    13: "TransportError",
    14: "StorageError",
}
#: What a person would not write as the kind says it.
PYTHON_NAMES = {"tlsFailed": "TLSFailed"}
#: Classes of Python that an error is beside its own.
PYTHON_BASES = {"timedOut": ("TimeoutError",)}


def swift(rows: list[ErrorRow]) -> str:
    """`ErrorKind`: one case for each kind, with its code and the advice whether to try again."""
    return (
        f"/// What went wrong, in one word. Made from `{SOURCE}` by `protocol/generate`.\n"
        "///\n"
        "/// The standard codes keep their meaning. Ours: 10xx session and peer, 11xx task, 12xx challenge,\n"
        "/// 13xx transport, 14xx storage.\n"
        "package enum ErrorKind: String, Sendable, CaseIterable {\n"
        + "".join(f"  {line}\n" for row in rows for line in [*_comment(row.meaning), f"case {row.kind}"])
        + "\n"
        "  package var code: Int {\n"
        "    switch self {\n" + "".join(f"    case .{row.kind}: {row.code}\n" for row in rows) + "    }\n"
        "  }\n\n"
        "  package var retry: Retry {\n"
        "    switch self {\n" + "".join(f"    case .{row.kind}: .{row.retry}\n" for row in rows) + "    }\n"
        "  }\n\n"
        "  /// With which a command-line client ends.\n"
        "  package var exitStatus: Int32 {\n"
        "    switch self {\n"
        + "".join(
            "    case " + ",\n      ".join(f".{kind}" for kind in kinds) + f":\n      {status}\n"
            for status, kinds in _exit_statuses(rows).items()
        )
        + "    default: 1\n    }\n"
        "  }\n"
        "}\n"
    )


def swift_errors(rows: list[ErrorRow]) -> str:
    """A function for each kind, which takes the members that its `data` has."""
    functions = "\n".join(_swift_error(row) for row in rows)
    return (
        "internal import WatchwordJSON\npackage import WatchwordVocabulary\n\n"
        f"// Made from `{SOURCE}` by `protocol/generate`.\n\nextension RPCError {{\n{functions}}}\n"
    )


def _swift_error(row: ErrorRow) -> str:
    told = [f"- {member.name}: {member.description}" for member in row.data]
    notes = [f"  /// `{row.kind}`."]
    if told:
        is_one = len(told) == 1
        notes += ["  ///", *([] if is_one else ["  /// - Parameters:"])]
        for line in told:
            wraps = textwrap.wrap(
                line.replace("- ", "- Parameter ", 1) if is_one else line,
                WIDTH - 8,
                initial_indent="" if is_one else "  ",
                subsequent_indent="  " if is_one else "    ",
            )
            notes += [f"  /// {each}" for each in wraps]
    parameters = ["_ message: String", *map(_swift_parameter, row.data)]
    details = [f'("{member.name}", {_swift_value(member)})' for member in row.data]
    call = f"RPCError(.{row.kind}, message)"
    if len(details) == 1:
        call = f"RPCError(.{row.kind}, message, [{details[0]}])"
    elif details:
        lines = "".join(f"        {detail},\n" for detail in details)
        call = f"RPCError(\n      .{row.kind}, message,\n      [\n{lines}      ])"
    opening = f"  package static func {row.kind}({', '.join(parameters)}) -> RPCError {{"
    if len(opening) > WIDTH:
        listed = textwrap.wrap(", ".join(p.replace(" ", "\0") for p in parameters), WIDTH - 4)
        lines = "".join(f"    {line}\n" for line in listed).replace("\0", " ")
        opening = f"  package static func {row.kind}(\n{lines}  ) -> RPCError {{"
    return "\n".join([*notes, opening, f"    {call}", "  }"]) + "\n"


def _swift_type(member: DataMember) -> str:
    if member.type == "array":
        return {"string": "[String]", "HeaderField": "[HeaderField]", "TrustReason": "[TrustFault]"}[
            member.items or ""
        ]
    if member.enumerations and not member.is_optional:
        return "some RawRepresentable<String>"
    return {"string": "String", "integer": "Int", "number": "Double", "boolean": "Bool"}[member.type]


def _swift_parameter(member: DataMember) -> str:
    return f"{member.name}: {_swift_type(member)}" + ("? = nil" if member.is_optional else "")


def _swift_value(member: DataMember) -> str:
    if member.is_optional:
        return f"{member.name}.map {{ JSONValue(sent: $0) }}"
    return f"JSONValue(sent: {member.name}{'.rawValue' if member.enumerations else ''})"


def shell(rows: list[ErrorRow]) -> str:
    """The patterns of a `case` over an error of the daemon, as JSON."""
    return "".join(
        "  " + " | \\\n    ".join(f'*\'"kind":"{kind}"\'*' for kind in kinds) + f") exit {status} ;;\n"
        for status, kinds in _exit_statuses(rows).items()
    )


def python(rows: list[ErrorRow], document: dict[str, Any]) -> str:
    """One class for each kind."""
    bases = sorted({_python_base(row) for row in rows})
    names = sorted(_python_name(row) for row in rows)
    items = {member.items for row in rows for member in row.data}
    return (
        f'"""One class for each kind of error reply. Made from ``{SOURCE}`` by ``protocol/generate``.\n\n'
        "::\n\n" + _tree(rows) + '"""\n\n'
        "from __future__ import annotations\n\n"
        "from .._errors import (\n"
        + "".join(f"    {name},\n" for name in [*bases, "error_kind", "strings", "text"])
        + ")\n"
        + ("from .._reasons import TrustReason\n" if "TrustReason" in items else "")
        + "\n__all__ = [\n"
        + "".join(f'    "{name}",\n' for name in names)
        + "]\n"
        + "".join(_python_class(row, document["components"]["schemas"]) for row in rows)
    )


def openrpc(rows: list[ErrorRow]) -> dict[str, Any]:
    """The document's `components.errors`."""
    return {
        row.kind: {
            "code": row.code,
            "message": row.meaning,
            "data": {"kind": row.kind, "retry": row.retry},
        }
        for row in rows
    }


def markdown(rows: list[ErrorRow]) -> str:
    """The table of errors for people, and that of the further members of `data`."""
    members: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for member in row.data:
            members.setdefault((member.name, _meaning(member)), []).append(row.kind)
    return (
        "| code | kind | retry | meaning |\n|---:|---|---|---|\n"
        + "".join(f"| {row.code} | `{row.kind}` | `{row.retry}` | {row.meaning} |\n" for row in rows)
        + "\nFurther members of `data`:\n\n| member | of | meaning |\n|---|---|---|\n"
        + "".join(
            f"| `{name}` | {', '.join(f'`{kind}`' for kind in kinds)} | {description} |\n"
            for (name, description), kinds in members.items()
        )
    )


def _meaning(member: DataMember) -> str:
    """The description, with links to the enumerations."""
    links = [f"[{name}](#{name.lower()})" for name in member.enumerations]
    return " ".join([schema.sentence(member.description), *([" or ".join(links) + "."] if links else [])])


def _exit_statuses(rows: Iterable[ErrorRow]) -> dict[int, list[str]]:
    """The kinds for each status that is not that of other errors, 1."""
    statuses: dict[int, list[str]] = {}
    for row in rows:
        if row.exit_status != 1:
            statuses.setdefault(row.exit_status, []).append(row.kind)
    return dict(sorted(statuses.items()))


def _comment(text: str) -> list[str]:
    return ["/// " + line for line in textwrap.wrap(text, WIDTH - 6)]


def _python_name(row: ErrorRow) -> str:
    return PYTHON_NAMES.get(row.kind, row.kind[0].upper() + row.kind[1:])


def _python_base(row: ErrorRow) -> str:
    return GROUPS.get(row.code // 100, "RequestError")


def _tree(rows: list[ErrorRow]) -> str:
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(_python_base(row), []).append(_python_name(row))
    return "".join(
        f"    {base}\n"
        + textwrap.indent("\n".join(textwrap.wrap(" ".join(names), WIDTH - 8)), " " * 8)
        + "\n"
        for base, names in groups.items()
    )


def _python_class(row: ErrorRow, schemas: dict[str, Any]) -> str:
    bases = ", ".join([_python_base(row), *PYTHON_BASES.get(row.kind, ())])
    return (
        f'\n\n@error_kind({row.code}, "{row.kind}", "{row.retry}")\n'
        f"class {_python_name(row)}({bases}):\n"
        + _docstring(row.meaning, 4)
        + "".join(_python_property(member, schemas) for member in row.data)
    )


def _docstring(value: str, indent: int) -> str:
    lines = textwrap.wrap(value.replace("\\", "\\\\"), WIDTH - indent)
    if len(lines) > 1:
        lines.append("")
    return textwrap.indent('"""' + "\n".join(lines) + '"""\n', " " * indent)


def _python_property(member: DataMember, schemas: dict[str, Any]) -> str:
    words = dict.fromkeys(word for name in member.enumerations for word in schemas[name]["enum"])
    told = " ".join([member.description, *([f"One of: {', '.join(words)}."] if words else [])])
    if member.type == "string":
        result, value = "str | None", f'text(self.data.get("{member.name}"))'
    elif member.type == "boolean":
        result, value = "bool", f'self.data.get("{member.name}") is True'
    elif member.items == "TrustReason":
        result, value = (
            "list[TrustReason]",
            f'TrustReason.all_of(self.data.get("{member.name}"))',
        )
    else:
        result, value = "list[str]", f'strings(self.data.get("{member.name}"))'
    return (
        f"\n    @property\n    def {member.name}(self) -> {result}:\n"
        + _docstring(told, 8)
        + f"        return {value}\n"
    )
