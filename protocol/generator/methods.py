"""Which type of Swift reads the parameters of each method."""

from __future__ import annotations

import textwrap
from typing import Any

from .checks import FOLDER, TAKEN
from .requests import NO_PARAMETERS, SOURCE, WIDTH, parameters_name


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The file by its path."""
    entries = [
        *document["methods"],
        *(entry for entry in document["x-notifications"] if entry["direction"] == "clientToServer"),
    ]
    taken: dict[str, list[str]] = {}
    for entry in entries:
        taken.setdefault(parameters_name(entry), []).append(f'"{entry["name"]}"')
    plain = taken.pop(NO_PARAMETERS)
    lines = [
        "extension MethodName {",
        f"  /// The type of its parameters. Made from `{SOURCE}` by `protocol/generate`.",
        "  package var parameters: any MethodParameters.Type {",
        "    switch rawValue {",
        *(line for name, words in taken.items() for line in _case(words, TAKEN.get(name, name))),
        *_wrapped(f"    // {', '.join(plain)}", "    // "),
        f"    default: {NO_PARAMETERS}.self",
        "    }",
        "  }",
        "}",
    ]
    return {f"{FOLDER}/MethodName+Parameters.swift": "\n".join(lines) + "\n"}


def _case(words: list[str], name: str) -> list[str]:
    lines = _wrapped(f"    case {', '.join(words)}:", "      ")
    return [*lines, f"      {name}.self"] if len(lines) > 1 else [f"{lines[0]} {name}.self"]


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
