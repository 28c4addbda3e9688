"""The methods in Swift: what the daemon knows of each, and for the tests what a client sends."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

from . import schema
from .checks import TAKEN
from .faults import ContractFault
from .requests import NO_PARAMETERS, parameters_name
from .text import SOURCE, WIDTH, swift_name, type_name

#: The daemon's table, beside the folder of the types that it names.
FILE = "Sources/WatchwordProtocol/Generated/MethodName.swift"
#: Of the files for the fuzz targets; it holds nothing else.
FUZZ_FOLDER = "Tests/Fuzz/Targets/Generated"

Entry = dict[str, Any]


class MethodFault(ContractFault):
    """What is said of a method is not understood:"""


def swift(document: dict[str, Any]) -> dict[str, str]:
    """Each file by its path."""
    return {
        FILE: _daemons(document),
        f"{FUZZ_FOLDER}/MethodName+Request.swift": _clients(document),
    }


def case_name(method: str) -> str:
    """`session/open` is `sessionOpen`."""
    name = type_name(method.removeprefix("$/"))
    return swift_name(name[:1].lower() + name[1:])


def _daemons(document: dict[str, Any]) -> str:
    entries = [
        *document["methods"],
        *(entry for entry in document["x-notifications"] if entry["direction"] == "clientToServer"),
    ]
    lines = [
        "/// Every method, by its name on the wire.",
        "///",
        f"/// Made from `{SOURCE}` by `protocol/generate`.",
        "package enum MethodName: String, CaseIterable, Sendable {",
    ]
    for entry in entries:
        name = case_name(entry["name"])
        lines.append(f"  case {name}" + ("" if name == entry["name"] else f' = "{entry["name"]}"'))
    schemas = document["components"]["schemas"]
    for declaration, (told, value) in TABLES.items():
        values = [(case_name(entry["name"]).strip("`"), value(entry, schemas)) for entry in entries]
        lines += ["", *_property(told, declaration, values)]
    return "\n".join([*lines, "}"]) + "\n"


def _flag(entry: dict[str, Any], word: str, *, otherwise: bool) -> str:
    value = entry.get(word, otherwise)
    if not isinstance(value, bool):
        raise MethodFault(f"{entry['name']}: {word} is true or false")
    return str(value).lower()


def _under_lock(entry: dict[str, Any], schemas: dict[str, Any]) -> str:
    match entry.get("x-underLock"):
        case "works" | "fails" as word:
            return f".{word}"
        case "empty":
            result = entry.get("result", {}).get("schema", {})
            name = schema.reference(result)
            members = list(schema.members_only(schemas[name] if name else result))
            if [member.schema.get("type") for member in members] != ["array"]:
                raise MethodFault(f"{entry['name']}: empty is for a result whose one member is a list")
            return f'.listsNothing("{members[0].name}")'
    raise MethodFault(f"{entry['name']}: x-underLock is works, fails or empty")


#: What is said of each method, and its value, by the declaration of the property.
TABLES: dict[str, tuple[str, Callable[[Entry, Entry], str]]] = {
    "parameters: any MethodParameters.Type": (
        "The type of its parameters.",
        lambda entry, _: TAKEN.get(name := parameters_name(entry), name) + ".self",
    ),
    "isForRestricted: Bool": (
        "Whether a restricted connection may call it. The methods that name a task are for its own.",
        lambda entry, _: _flag(entry, "x-restricted", otherwise=False),
    ),
    "usesVault: Bool": (
        "Whether it uses what is in the vault, which is read first when it was forgotten (storage.md 9.8).",
        lambda entry, _: _flag(entry, "x-vault", otherwise=False),
    ),
    "isUse: Bool": (
        "Whether a call of it counts as a use of the agent (storage.md 9.11.13).",
        lambda entry, _: _flag(entry, "x-use", otherwise=True),
    ),
    "underLock: UnderLock": (
        "What becomes of it while the agent is locked (storage.md 9.11.3).",
        lambda entry, schemas: _under_lock(entry, schemas),
    ),
}


def _property(told: str, declaration: str, values: list[tuple[str, str]]) -> list[str]:
    """A switch over all methods; the value that most have comes last."""
    by_value: dict[str, list[str]] = {}
    for case, value in values:
        by_value.setdefault(value, []).append(f".{case}")
    usual = max(by_value, key=lambda text: (text == NO_PARAMETERS + ".self", len(by_value[text])))
    del by_value[usual]
    lines = [*_wrapped(f"  /// {told}", "  /// "), f"  package var {declaration} {{", "    switch self {"]
    for text, cases in by_value.items():
        named = _wrapped(f"    case {', '.join(cases)}:", "      ")
        lines += [*named, f"      {text}"] if len(named) > 1 else [f"{named[0]} {text}"]
    return [*lines, f"    default: {usual}", "    }", "  }"]


def _clients(document: dict[str, Any]) -> str:
    cases = [
        line
        for entry in document["methods"]
        for line in _case([f'"{entry["name"]}"'], f"Request.{type_name(entry['name'])}")
    ]
    told = "What a client sends for it; nil for what is no request."
    imports = ["internal import WatchwordMessages", "internal import WatchwordProtocol", ""]
    return _table(imports, told, "var request: (any (MethodRequest & SentObject).Type)?", cases, "nil")


def _table(imports: list[str], told: str, property_: str, cases: list[str], otherwise: str) -> str:
    lines = [
        *imports,
        "extension MethodName {",
        f"  /// {told}",
        "  ///",
        f"  /// Made from `{SOURCE}` by `protocol/generate`.",
        f"  {property_} {{",
        "    switch rawValue {",
        *cases,
        f"    default: {otherwise}",
        "    }",
        "  }",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _case(words: list[str], name: str) -> list[str]:
    lines = _wrapped(f"    case {', '.join(words)}:", "      ")
    return [*lines, f"      {name}.self"] if len(lines) > 1 else [f"{lines[0]} {name}.self"]


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
