"""Which types of Swift read the parameters of each method: the daemon's, and for the tests a client's."""

from __future__ import annotations

import textwrap
from typing import Any

from .checks import TAKEN
from .requests import NO_PARAMETERS, parameters_name
from .text import SOURCE, WIDTH, type_name

#: The daemon's table, beside the folder of the types that it names.
FILE = "Sources/WatchwordProtocol/Generated/MethodName+Parameters.swift"
#: Of the files for the fuzz targets; it holds nothing else.
FUZZ_FOLDER = "Tests/Fuzz/Targets/Generated"


def swift(document: dict[str, Any]) -> dict[str, str]:
    """Each file by its path."""
    return {
        FILE: _daemons(document),
        f"{FUZZ_FOLDER}/MethodName+Request.swift": _clients(document),
    }


def _daemons(document: dict[str, Any]) -> str:
    entries = [
        *document["methods"],
        *(entry for entry in document["x-notifications"] if entry["direction"] == "clientToServer"),
    ]
    taken: dict[str, list[str]] = {}
    for entry in entries:
        taken.setdefault(parameters_name(entry), []).append(f'"{entry["name"]}"')
    plain = taken.pop(NO_PARAMETERS)
    cases = [line for name, words in taken.items() for line in _case(words, TAKEN.get(name, name))]
    cases += _wrapped(f"    // {', '.join(plain)}", "    // ")
    told = "The type of its parameters."
    return _table(
        [], told, "package var parameters: any MethodParameters.Type", cases, NO_PARAMETERS + ".self"
    )


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
