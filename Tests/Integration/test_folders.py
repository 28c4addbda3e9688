"""No folder of a target uses types of another one that uses its own, be it through others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from Support.daemon import PROJECT

SOURCES = PROJECT / "Sources"
TARGETS = sorted({file.relative_to(SOURCES).parts[0] for file in SOURCES.rglob("*.swift")})
#: Arrows of circles that stay, by target: why.
ALLOWED: dict[str, dict[str, str]] = {}

#: A type that other files see: it belongs to the folder of the file that declares it.
DECLARED = re.compile(
    r"^(?!private|fileprivate)(?:[@\w]+(?:\([\w, :]*\))? )*"
    r"(?:struct|enum|class|actor|protocol|typealias) ([A-Z]\w*)",
    re.MULTILINE,
)
#: Names in comments and texts are no uses.
TOLD = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
NAME = re.compile(r"\b[A-Z]\w*\b")


def arrows(target: Path) -> dict[tuple[str, str], set[str]]:
    """Which types of another folder a folder uses: by the two folders."""
    texts = {file: TOLD.sub(" ", file.read_text()) for file in sorted(target.rglob("*.swift"))}
    folders = {file: file.parent.relative_to(target).as_posix() for file in texts}
    homes = {name: folders[file] for file, text in texts.items() for name in DECLARED.findall(text)}
    found: dict[tuple[str, str], set[str]] = {}
    for file, text in texts.items():
        for name in set(NAME.findall(text)) & homes.keys():
            if homes[name] != folders[file]:
                found.setdefault((folders[file], homes[name]), set()).add(name)
    return found


def circles(target: Path) -> list[str]:
    """The arrows that lead back to where they begin."""
    found = arrows(target)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            folder = waiting.pop()
            new = {used for user, used in found if user == folder} - seen
            seen |= new
            waiting += new
        return seen

    return [
        f"{user} uses {', '.join(sorted(names))} of {used}"
        for (user, used), names in sorted(found.items())
        if user in reached(used)
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_no_folders_use_each_other(target: str) -> None:
    assert circles(SOURCES / target) == list(ALLOWED.get(target, {}))


def test_a_circle_of_three_is_found(tmp_path: Path) -> None:
    for path, text in {
        "Ones/One.swift": "package struct One {\n  let two: Two\n}\n",
        "Twos/Two.swift": "@MainActor\npackage final class Two {\n  let three = Three()\n}\n",
        "Threes/Three.swift": "struct Three {\n  typealias Beginning = One\n}\n",
        # Comments, texts and types of one file alone are no uses.
        "Others/Other.swift": '/// Unlike One.\nprivate struct Two {\n  let name = "Three"\n}\n',
        "Others/Another.swift": "struct Another {\n  let one: One\n}\n",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert circles(tmp_path) == [
        "Ones uses Two of Twos",
        "Threes uses One of Ones",
        "Twos uses Three of Threes",
    ]
