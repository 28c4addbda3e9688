"""What the help of a program says, read from its text, which is made from the table of its options."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: Where the second column begins (WatchwordOptions/HelpColumns.swift).
COLUMN = 28
OPTION = re.compile(r"(?:(-\S), |    )(--[a-z][a-z0-9.-]*)(?: (.+))?")
CODE = re.compile(r"  ([ \d]\d)  (.+)")


class Unreadable(Exception):
    """A help that is not written as the programs write theirs."""


@dataclass(frozen=True)
class Row:
    """A line of two columns: an option, a command or a member of a file, and what it is for."""

    label: str
    text: str

    @property
    def is_option(self) -> bool:
        return self.label.lstrip().startswith("-")

    @property
    def option(self) -> Option:
        found = OPTION.fullmatch(self.label)
        if not found:
            raise Unreadable(f"no option: {self.label}")
        return Option(found[1], found[2], found[3], self.text)


@dataclass(frozen=True)
class Option:
    #: `-X`, or nothing.
    short: str | None
    long: str
    #: The name of its argument; nothing for a switch.
    argument: str | None
    text: str


@dataclass
class Group:
    """Rows under a title, which is empty where there is one group."""

    title: str
    rows: list[Row] = field(default_factory=list)


@dataclass
class Help:
    """The help of a command, or of a program."""

    #: Paragraphs before the groups.
    about: list[str]
    #: Without `usage: `.
    usage: str
    groups: list[Group]
    #: Paragraphs between the groups and the example.
    remarks: list[str]
    #: The numbers of exit codes with their meanings.
    codes: list[tuple[int, str]]
    example: list[str]

    @property
    def rows(self) -> list[Row]:
        return [row for group in self.groups for row in group.rows]

    @property
    def options(self) -> list[Option]:
        return [row.option for row in self.rows if row.is_option]


def read(text: str) -> Help:
    """Every word of the text is in the result: what fits nowhere is an error."""
    usage = re.search(r"^usage: (.+)$", text, re.MULTILINE)
    if not usage:
        raise Unreadable("no line begins with usage:")
    body, found, example = (text[: usage.start()] + text[usage.end() :]).rpartition("\nexample:\n")
    if not found:
        raise Unreadable("there is no example")
    made = Help([], usage[1], [], [], [], [line[2:] for line in example.splitlines()])
    for block in re.split(r"\n\n+", body.strip("\n")):
        _read_block(block.splitlines(), made)
    return made


def _read_block(lines: list[str], made: Help) -> None:
    if lines[0].startswith("exit codes"):
        made.codes = _codes(lines)
    elif lines[0].startswith(" "):
        made.groups.append(Group("", _rows(lines)))
    elif lines[0].endswith(":") and len(lines) > 1 and lines[1].startswith(" "):
        made.groups.append(Group(lines[0][:-1], _rows(lines[1:])))
    else:
        (made.remarks if made.groups else made.about).append(" ".join(" ".join(lines).split()))


def _codes(lines: list[str]) -> list[tuple[int, str]]:
    if len(lines) == 1:
        pairs = [part.strip().split(" ", 1) for part in lines[0].partition(":")[2].split(",")]
        return [(int(number), meaning) for number, meaning in pairs]
    found = [CODE.fullmatch(line) for line in lines[1:]]
    return [(int(match[1]), match[2]) for match in found if match]


def _rows(lines: list[str]) -> list[Row]:
    rows: list[tuple[str, list[str]]] = []
    for line in lines:
        if not line[:COLUMN].strip():
            if not rows:
                raise Unreadable(f"a text without a name: {line}")
            rows[-1][1].append(line.strip())
        elif len(line) > COLUMN and line[COLUMN - 1] == " " and line[COLUMN] != " ":
            rows.append((line[2:COLUMN].rstrip(), [line[COLUMN:]]))
        else:
            rows.append((line[2:], []))
    return [Row(label, " ".join(texts)) for label, texts in rows]
