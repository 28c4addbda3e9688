"""The configuration file of the daemon as Swift's types that decode themselves strictly (`reading.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import schema, structures
from .checks import CHECKS, SETTING_CHECKS
from .reading import Contract, Reader, Type, Union
from .schema import Schema
from .text import swift_name

SOURCE = "protocol/configuration.json"
#: It holds nothing but what is made.
FOLDER = "Sources/WatchwordServer/Generated/Settings"
FILE = f"{FOLDER}/DaemonSettings.swift"
PROTOCOL = "WatchwordProtocol"
#: The enumeration of the words that tell alternatives apart.
UNIONS = {"Source": "SourceKind"}


def swift(configuration: dict[str, Any], document: dict[str, Any]) -> dict[str, str]:
    """The file by its path."""
    text = structures.text(_types(configuration, document), SOURCE, PROTOCOL)
    return {FILE: "\n".join([text, *_changes(configuration)])}


def _types(configuration: dict[str, Any], document: dict[str, Any]) -> Iterator[Type | Union]:
    others: dict[str, Schema] = document["components"]["schemas"]
    reader = Reader(
        Contract(
            schemas=others | configuration["definitions"],
            checks=CHECKS | SETTING_CHECKS,
            foreign=dict.fromkeys(others, PROTOCOL),
            unions=UNIONS,
            is_configuration=True,
        )
    )
    made = reader.object("DaemonSettings", configuration, "The configuration file.", is_checked=False)
    made.check = configuration.get("x-check")
    yield made
    yield from sorted(reader.referred(), key=lambda each: each.name)


def _changes(configuration: dict[str, Any]) -> Iterator[str]:
    """What a reload has to say."""
    yield "extension DaemonSettings {"
    yield "  /// What is not as at the start, and counts from the next one only."
    yield "  func changes(since start: DaemonSettings) -> [String] {"
    yield "    var changes: [String] = []"
    for member in schema.members_only(configuration):
        if schema.needs_start(member):
            name = swift_name(member.name)
            verb = "change" if member.schema.get("type") == "array" else "changes"
            yield f'    if {name} != start.{name} {{ changes.append("{member.name} {verb}") }}'
    yield from ["    return changes", "  }", "}", ""]
