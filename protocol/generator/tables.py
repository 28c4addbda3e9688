"""The tables of the pages with rules: their methods, and the members of the configuration file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from . import layout, schema
from .faults import ContractFault
from .schema import Member, Schema

#: What is made: tables, or the example of the configuration file.
KINDS = "methods|notifications|members|settings|alternatives|example"
#: The first line of one, and the last.
BEGIN = re.compile(rf"^<!-- made: ({KINDS})((?: \S+)*) -->$")
END = "<!-- end -->"
#: The name of a schema in what `schema.words` says; two letters may be a class of a regular expression.
NAMED = re.compile(r"\[(Id|[A-Z]\w{2,})\](?!\()")
#: What is JSON-RPC rather than a message of ours.
ENVELOPE = {"Request", "Reply", "Notification"}

#: The page with all methods, notifications and objects.
REFERENCE = "reference.md"

#: Types that a member's name says already.
PLAIN = {"SessionIdentifier", "TaskIdentifier"}


class NotInTheContract(ContractFault):
    """A table asks for what the contract does not have."""


class Missing(ContractFault):
    """What no table has."""


def pages(texts: dict[str, str], document: dict[str, Any], configuration: dict[str, Any]) -> dict[str, str]:
    """The pages with each of their tables made again. Every method is in one of the tables.

    - Parameter texts: the pages by their paths from the top.
    """
    made = {
        path: _Page(path.rpartition("/")[2], text, document, configuration) for path, text in texts.items()
    }
    result = {path: "".join(page.lines()) for path, page in made.items()}
    told = {name for page in made.values() for name in page.told}
    if untold := {entry["name"] for entry in document["methods"]} - told:
        raise Missing(", ".join(sorted(untold)))
    return result


class Cells:
    """What stands in the tables of a page: types, with links to the places of their members."""

    def __init__(
        self, definitions: dict[str, Schema], places: dict[str, str], reference: str = REFERENCE
    ) -> None:
        #: The objects of the configuration file; those without a place are told where they are.
        self._definitions = definitions
        #: The headings of the page under which the members of objects are; others are on the reference.
        self._places = places
        #: The page with the objects of `openrpc.json`; empty on itself.
        self._reference = reference

    def value(self, value: Schema) -> str:
        """An object as its members, or what it is."""
        if "properties" in value:
            return self.entries(schema.members(value)) or "`{}`"
        if value.get("type") == "object":
            return "`{}`"
        return self.linked(schema.words(value))

    def entries(self, members: Iterable[Member]) -> str:
        return "<br>".join(map(self.entry, members))

    def entry(self, member: Member) -> str:
        # What an identifier looks like is among the objects.
        is_plain = schema.reference(member.schema) in PLAIN
        parts = [] if is_plain else [self.linked(schema.words(member.schema))]
        if value := schema.default(member.schema):
            parts.append(f"default {value}")
        told = [text for text in ("; ".join(parts), schema.sentence(member.description)) if text]
        return f"`{member.title}`" + (f": {'. '.join(told)}" if told else "")

    def member_table(self, title: str, members: Iterable[Member]) -> Iterator[str]:
        yield f"| {title} | type | default | meaning |\n|---|---|---|---|\n"
        for member in members:
            yield row(
                f"`{member.title}`",
                self.linked(schema.words(member.schema)),
                schema.default(member.schema),
                schema.sentence(member.description),
            )

    def object(self, name: str, value: Schema) -> Iterator[str]:
        """A section of its own for a named schema."""
        yield f"\n#### {name}\n\n"
        description = schema.sentence(value.get("description", ""))
        if "properties" in value:
            if description:
                yield f"{description}\n\n"
            yield from self.member_table("member", schema.members(value))
            return
        if "x-words" in value:
            more = " More may be added." if value.get("x-open") else ""
            yield f"{description}{more}\n\n".lstrip() if description or more else ""
            yield from word_table(value)
            return
        yield " ".join(filter(None, (self.linked(schema.words(value)) + ".", description))) + "\n"
        inner = list(schema.within(value, ""))
        if inner:
            yield "\n"
            plain = (Member(m.name.lstrip("."), m.schema, m.is_required, m.description) for m in inner)
            yield from self.member_table("member", plain)

    def linked(self, text: str) -> str:
        """With each `[Name]` as a link to the place of its members."""
        text = text.replace("|", "\\|")
        for name in set(re.findall(NAMED, text)) & set(self._definitions) - set(self._places):
            text = text.replace(f"[{name}]", schema.words(self._definitions[name]).replace("|", "\\|"))
        return re.sub(NAMED, lambda found: f"[{found[1]}]({self._place(found[1])})", text)

    def _place(self, name: str) -> str:
        if name in self._places:
            return f"#{self._places[name]}"
        return f"{self._reference}#{name.lower()}"


class _Page:
    def __init__(self, name: str, text: str, document: dict[str, Any], configuration: dict[str, Any]) -> None:
        self._name = name
        self._lines = text.splitlines(keepends=True)
        self._sections = set(re.findall(r"^##+ (\d[\d.]*) ", text, re.MULTILINE))
        self._configuration = configuration
        self._definitions: dict[str, Schema] = configuration["definitions"]
        self._methods: dict[str, Schema] = {entry["name"]: entry for entry in document["methods"]}
        self._notifications: list[Schema] = document["x-notifications"]
        #: The methods that the tables name.
        self.told: set[str] = set()
        self._places = {**dict(self._placed("members")), **dict(self._placed("alternatives"))}
        self._cells = Cells(self._definitions, self._places)

    def lines(self) -> Iterator[str]:
        lines = iter(self._lines)
        for line in lines:
            yield line
            found = BEGIN.match(line.rstrip("\n"))
            if not found:
                continue
            yield from map(self._at_home, self._table(found[1], found[2].split()))
            for old in lines:
                if old.rstrip("\n") == END:
                    yield old
                    break
            else:
                raise NotInTheContract(f"no end of: {line}")

    def _placed(self, kind: str) -> Iterator[tuple[str, str]]:
        heading = ""
        for line in self._lines:
            if line.startswith("#"):
                heading = anchor(line.lstrip("#").strip())
            elif (found := BEGIN.match(line.rstrip("\n"))) and found[1] == kind:
                for name in found[2].split():
                    yield name, heading

    def _table(self, kind: str, names: list[str]) -> Iterator[str]:
        match kind:
            case "methods":
                yield "| method | what it does |\n|---|---|\n"
                yield from map(self._method_row, names)
            case "notifications":
                yield "| notification | what it says |\n|---|---|\n"
                for entry in self._notifications:
                    if entry["direction"] == "serverToClient":
                        yield _told(entry)
            case "settings":
                yield from self._setting_table()
            case "alternatives":
                yield from self._alternative_table(names[0])
            case "example":
                yield f"```\n{layout.text(self._example(names))}```\n"
            case _:
                yield from self._cells.member_table("member", schema.members(self._definition(names[0])))

    def _at_home(self, line: str) -> str:
        """Rules of this page are cited without its name."""
        return re.sub(
            rf"\[{re.escape(self._name)}\]\({re.escape(self._name)}\) (\d[\d.]*\d|\d)",
            lambda found: f"{'section' if found[1] in self._sections else 'rule'} {found[1]}",
            line,
        )

    def _method_row(self, name: str) -> str:
        if name not in self._methods:
            raise NotInTheContract(name)
        self.told.add(name)
        return _told(self._methods[name])

    def _definition(self, name: str) -> Schema:
        if name not in self._definitions:
            raise NotInTheContract(name)
        return self._definitions[name]

    def _setting_table(self) -> Iterator[str]:
        """The members of the configuration file, with what a reload does."""
        yield "| member | default | values | meaning | on reload |\n|---|---|---|---|---|\n"
        for member in schema.members(self._configuration):
            yield row(
                f"`{member.name}`",
                schema.default(member.schema),
                self._cells.linked(schema.words(member.schema)),
                schema.sentence(member.description),
                schema.sentence(member.schema.get("x-reload", "")),
            )

    def _alternative_table(self, name: str) -> Iterator[str]:
        """The objects that a value may be, by their `kind`."""
        yield "| kind | members | meaning |\n|---|---|---|\n"
        for inner in self._definition(name)["oneOf"]:
            referred = schema.reference(inner) or ""
            value = self._definition(referred)
            members = [member for member in schema.members(value) if member.name != "kind"]
            entries = (
                f"[those below](#{self._places[referred]})"
                if referred in self._places
                else self._cells.entries(members)
            )
            kind = value["properties"]["kind"]["const"]
            yield row(f"`{kind}`", entries, schema.sentence(value["description"]))

    def _example(self, names: list[str]) -> Any:
        """The first example of the configuration file, or those of its members."""
        example = self._configuration["examples"][0]
        return {name: example[name] for name in names} if names else example


def word_table(value: Schema) -> Iterator[str]:
    """The words of an enumeration with what they mean, `x-words`."""
    told: dict[str, str] = value["x-words"]
    if list(told) != value["enum"]:
        raise Missing(f"x-words has not the words {', '.join(value['enum'])}")
    yield "| word | meaning |\n|---|---|\n"
    for word, meaning in told.items():
        yield row(f"`{word}`", schema.sentence(meaning))


def _told(entry: Schema) -> str:
    """The row of a method or a notification, with a link to its place on the reference."""
    name = entry["name"]
    return row(f"[`{name}`]({REFERENCE}#{anchor(name)})", schema.sentence(entry["summary"]))


def row(*cells: str) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|\n"


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
