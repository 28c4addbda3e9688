"""Text for man(7)."""

from __future__ import annotations

from collections.abc import Iterable

#: Of what groff(7) would read or print as something else.
_SPECIAL = {
    "\\": "\\(rs",
    "-": "\\-",
    "'": "\\(aq",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
    "…": "...",
    "\N{SECTION SIGN}": "\\(sc",
    "²": "\\(S2",
}


def escaped(text: str) -> str:
    made = "".join(_SPECIAL.get(letter, letter) for letter in text)
    return "\\&" + made if made.startswith((".", "\\(aq")) else made


def bold(text: str) -> str:
    return f"\\fB{escaped(text)}\\fR"


def italic(text: str) -> str:
    return f"\\fI{escaped(text)}\\fR"


class Page:
    """One page, line by line."""

    def __init__(self, name: str, section: int, version: str, summary: str) -> None:
        self.file = f"{name}.{section}"
        heading = escaped(name.upper())
        self._lines = [
            f'.TH "{heading}" {section} "" "Watchword {escaped(version)}" "Watchword"',
            ".nh",
            ".ad l",
        ]
        self.section("NAME")
        self.line(f"{escaped(name)} \\- {escaped(summary)}")

    def line(self, text: str) -> None:
        self._lines.append(text)

    def section(self, title: str) -> None:
        self.line(f".SH {title}")

    def subsection(self, title: str) -> None:
        self.line(f'.SS "{escaped(title)}"')

    def paragraphs(self, texts: Iterable[str]) -> None:
        for number, text in enumerate(texts):
            if number:
                self.line(".PP")
            self.line(escaped(text))

    def entry(self, label: str, text: str) -> None:
        """A label that is written for roff already, and its text."""
        self.line(".TP")
        self.line(label)
        self.line(escaped(text))

    def example(self, lines: Iterable[str]) -> None:
        self.line(".RS 4\n.nf")
        for line in lines:
            self.line(escaped(line))
        self.line(".fi\n.RE")

    def references(self, names: Iterable[tuple[str, int]]) -> None:
        self.section("SEE ALSO")
        self.line(",\n".join(f"{bold(name)}({section})" for name, section in names))

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"
