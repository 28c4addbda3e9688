"""What `watchword status --metrics` tells a collector of each counter."""

from __future__ import annotations

from typing import Any

from .text import SOURCE, WIDTH

FILE = "Sources/WatchwordMessages/Generated/CounterHelp.swift"


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The file by its path."""
    counters = document["components"]["schemas"]["Counters"]["properties"]
    lines = [
        "/// What counters count, for a collector of metrics.",
        "///",
        f"/// Made from `{SOURCE}` by `protocol/generate`.",
        "package enum CounterHelp {",
        "  /// By the counter's name.",
        "  package static let texts = [",
        *(_entry(name, schema["description"]) for name, schema in counters.items()),
        "  ]",
        "}",
    ]
    return {FILE: "\n".join(lines) + "\n"}


def _entry(name: str, description: str) -> str:
    text = description.replace("`", "")
    line = f'    "{name}": "{text}",'
    return line if len(line) <= WIDTH else f'    "{name}":\n      "{text}",'
