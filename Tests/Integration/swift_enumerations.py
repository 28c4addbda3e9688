"""The enumerations of Swift whose raw values are strings, read from the source that people write."""

from __future__ import annotations

import re
from pathlib import Path

_ENUMERATION = re.compile(
    r"^( *)(?:(?:package|public|private|fileprivate|internal) )*enum (\w+): String\b[^{]*\{$"
)
_CASE = re.compile(r"^\s*case (`?\w.*)$")
_TYPE = re.compile(
    r"^( *)(?:(?:package|public|private|fileprivate|internal|final|indirect|@\w+) )*"
    r"(?:struct|enum|class|extension|actor) ([\w.]+).*\{$"
)


def enumerations(folder: Path) -> dict[str, list[str]]:
    """The words of each, by its name within the types around it."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.swift")):
        if "Generated" in file.relative_to(folder).parts:
            continue
        around: list[tuple[int, str]] = []
        words: list[str] | None = None
        continues = False
        for line in file.read_text().splitlines():
            depth = len(line) - len(line.lstrip())
            case = _CASE.match(line)
            if line.strip() == "}":
                if around and around[-1][0] == depth:
                    around.pop()
                    words = None
            elif kind := _TYPE.match(line):
                around.append((depth, kind[2]))
                if _ENUMERATION.match(line):
                    words = found.setdefault(".".join(name for _, name in around), [])
            elif words is not None and (continues or (case and depth == around[-1][0] + 2)):
                words += _words(case[1] if case else line.strip())
                continues = line.endswith(",")
    return found


def _words(cases: str) -> list[str]:
    code = cases.split("//")[0]
    return [raw or name for name, raw in re.findall(r"`?(\w+)`?(?: = \"([^\"]*)\")?(?:,|$)", code.rstrip())]
