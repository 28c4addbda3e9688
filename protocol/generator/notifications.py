"""The notifications of the daemon as one enumeration of Swift, which it writes and clients read."""

from __future__ import annotations

from typing import Any

from . import schema
from .messages import FOLDER
from .schema import Schema
from .text import SOURCE, type_name, wrapped

FILE = f"{FOLDER}/Notification.swift"
#: Notifications with one of several objects: the type that reads it is by hand.
UNIONS = {"task/didFinish": "TaskEnd"}


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The enumeration's file by its path."""
    return {FILE: _enumeration(document["x-notifications"])}


def _enumeration(entries: list[Schema]) -> str:
    """One case for each that the daemon sends."""
    cases = []
    for entry in entries:
        if entry["direction"] != "serverToClient":
            continue
        name = type_name(entry["name"])
        given = schema.reference(entry["paramsSchema"]) if "paramsSchema" in entry else name
        cases.append((name[0].lower() + name[1:], entry, f"Sent.{given or UNIONS[entry['name']]}"))
    return "\n".join(
        [
            "package import WatchwordJSON",
            "",
            f"/// What the daemon sends unasked. Made from `{SOURCE}` by `protocol/generate`.",
            "package enum Notification: Sendable {",
            *(
                line
                for case, entry, kind in cases
                for line in [*wrapped(entry["summary"], "  /// ", 0), f"  case {case}({kind})"]
            ),
            "  /// Of a later version.",
            "  case other(method: String)",
            "",
            "  package init(_ method: String, _ parameters: JSONNode?) throws(ReadFault) {",
            "    func read<Value: Readable>() throws(ReadFault) -> Value {",
            '      guard let parameters else { throw ReadFault("is missing", at: "params") }',
            "      return try Value(reading: parameters)",
            "    }",
            "    switch method {",
            *(f'    case "{entry["name"]}": self = .{case}(try read())' for case, entry, _ in cases),
            "    default: self = .other(method: method)",
            "    }",
            "  }",
            "",
            "  package var method: String {",
            "    switch self {",
            *(f'    case .{case}: "{entry["name"]}"' for case, entry, _ in cases),
            "    case .other(let method): method",
            "    }",
            "  }",
            "",
            "  /// Writes the parameters.",
            "  package func write(to writer: inout JSONWriter) {",
            "    switch self {",
            *(f"    case .{case}(let parameters): parameters.write(to: &writer)" for case, _, _ in cases),
            "    case .other: Sent.Empty().write(to: &writer)",
            "    }",
            "  }",
            "}",
            "",
        ]
    )
