"""Swift's enumerations of the words of the contract."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from Integration.generator.scene import edit, generate

NESTED = "Sources/WatchwordCore/Generated/NestedEnumerations/NestedEnumerations.swift"
VOCABULARY = "Sources/WatchwordVocabulary/Generated/Enumerations/Enumerations.swift"


def test_swift_has_the_words_with_their_meanings(copy: Path) -> None:
    words = {"default": "as the moon", "dark-side": "`never` seen", "x.2/y": "twice"}
    moon = {"type": "string", "enum": list(words), "description": "Of the moon.", "x-words": words}
    edit(copy, lambda document: document["components"]["schemas"].update(Hop=moon, Continuation=moon))
    done = generate(copy)
    assert done.returncode == 0, done.stderr
    cases = (
        "  /// As the moon.\n"
        "  case `default`\n"
        "  /// `never` seen.\n"
        '  case darkSide = "dark-side"\n'
        "  /// Twice.\n"
        '  case x2Y = "x.2/y"\n'
    )
    plain = f"\n/// Of the moon.\npackage enum Hop: String, CaseIterable, Sendable {{\n{cases}}}\n"
    assert plain in (copy / VOCABULARY).read_text()
    inner = "".join(f"  {line}\n" for line in plain.replace("Hop", "Continuation").split("\n") if line)
    assert f"\nextension PartialDownload {{\n{inner}}}\n" in (copy / NESTED).read_text()


def test_words_that_are_numbers_have_a_prefix(copy: Path) -> None:
    edit(copy, lambda document: document["components"]["schemas"]["TLSVersion"]["enum"].append("1.4"))
    assert generate(copy).returncode == 0
    assert '    case tls13 = "1.3"\n    case tls14 = "1.4"\n' in (copy / NESTED).read_text()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda schemas: schemas["BodyLimit"]["enum"].append("4"), "BodyLimit: 4 is no name of a case"),
        (lambda schemas: schemas["BodyLimit"]["enum"].append("Moon"), "BodyLimit: Moon is no name of a case"),
        (
            lambda schemas: schemas["BodyLimit"]["enum"].extend(["a-b", "aB"]),
            "BodyLimit: two words are one name of a case",
        ),
        (
            lambda schemas: schemas.update(PassedOverReason={"type": "string"}),
            "PassedOverReason is no enumeration of the contract",
        ),
        (
            lambda schemas: schemas["Protocol"]["enum"].append("moon"),
            "Protocol has not the words of ProxyType",
        ),
    ],
)
def test_what_makes_no_enumeration_is_refused_in_a_line(
    copy: Path, change: Callable[[dict[str, Any]], None], expected: str
) -> None:
    edit(copy, lambda document: change(document["components"]["schemas"]))
    done = generate(copy)
    assert done.returncode != 0
    assert done.stderr == f"protocol/generate: No enumeration can be made: {expected}\n"
