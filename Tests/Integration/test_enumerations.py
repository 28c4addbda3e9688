"""Every enumeration is in `protocol/openrpc.json` once; those by hand in Swift have its words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from Integration.contract import document, errors
from Integration.contract import documented as words
from Integration.swift_enumerations import enumerations
from Support.daemon import PROJECT

#: Words of one message, or a part of the words of another.
PART = {
    "CredentialChange": "CredentialChange",
    "WebScheme": "ProxyType",
}
#: Some of their words are in a message.
WHOLE = {"VaultExport.ExportFault": "ImportFault"}
#: Words that no message has: of HTTP, of files, and of people.
ELSEWHERE = {
    "StatusParts.Order",
    "DigestAlgorithm",
    "DigestQualityOfProtection",
    "Finding.Severity",
    "NetrcFault.Kind",
    "OAuthClient.Grant",
    "OAuthClient.SecretPlace",
    "ReadableStore.Method",
    "RedirectFault",
    "SourceReport.Operation",
    "SynchronizationMark.Pending",
    "VaultRecord.Kind",
}
#: Reasons of errors that are no words: what the system reports, and one word only.
FREE = {("outputFailed", "reason"), ("malformedResponse", "reason")}
#: Enumerations of one member of one message.
INLINE = 2


@pytest.fixture(scope="module")
def swift() -> dict[str, list[str]]:
    return enumerations(PROJECT / "Sources")


def test_every_enumeration_by_hand_has_words_of_the_contract(swift: dict[str, list[str]]) -> None:
    assert set(swift) == set(PART) | set(WHOLE) | ELSEWHERE
    foreign = {name: set(swift[name]) - set(words(whole)) for name, whole in PART.items()}
    assert not any(foreign.values()), foreign
    unknown = {name: set(words(part)) - set(swift[name]) for name, part in WHOLE.items()}
    assert not any(unknown.values()), unknown


def test_every_reason_of_an_error_names_its_enumerations() -> None:
    members = {
        (row["kind"], name): member.get("enumerations", [])
        for row in errors().values()
        for name, member in row.get("data", {}).items()
    }
    assert {place for place, named in members.items() if place[1] == "reason" and not named} == FREE
    assert all(words(name) for named in members.values() for name in named)


def listed(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every enumeration of the document with its place."""
    if isinstance(value, dict):
        if isinstance(value.get("enum"), list):
            yield place, tuple(sorted(value["enum"]))
        for name, inner in value.items():
            yield from listed(inner, (*place, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from listed(inner, (*place, str(index)))


def test_no_enumeration_is_in_the_contract_twice() -> None:
    places: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for place, enumeration in listed(document()):
        if len(enumeration) >= INLINE and place[-1] != "DelegateMethod":
            places.setdefault(enumeration, []).append(place)
    # Two that mean something else may have the same words.
    assert {words: found for words, found in places.items() if len(found) > 1 and not named(found)} == {}


def named(places: list[tuple[str, ...]]) -> bool:
    return all(len(place) == len(("components", "schemas", "Name")) for place in places)


def test_cases_in_all_spellings_are_read(tmp_path: Path) -> None:
    (tmp_path / "A.swift").write_text(
        "package struct A {\n"
        "  package enum B: String, Sendable {\n"
        "    case a, b\n"
        "    /// Doc.\n"
        '    case c = "see", `default`\n'
        "    case long,\n"
        "      longer\n"
        "    var text: String {\n"
        "      switch self {\n"
        '      case .a: "x"\n'
        "      default: true\n"
        "      }\n"
        "    }\n"
        "  }\n"
        "}\n"
        "enum C: Int { case d }\n"
        "enum D: String {\n"
        "  case e\n"
        "}\n"
    )
    made = tmp_path / "Generated/E.swift"
    made.parent.mkdir()
    made.write_text("enum E: String {\n  case f\n}\n")
    assert enumerations(tmp_path) == {"A.B": ["a", "b", "see", "default", "long", "longer"], "D": ["e"]}
