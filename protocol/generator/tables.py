"""The reference tables of `README.md`: methods, notifications, members of objects, limits and settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from . import layout, schema
from .schema import Member, Schema

#: What is made: tables, or the example of the configuration file.
KINDS = (
    "methods|notifications|parameters|members|objects|words|causes"
    "|counters|limits|settings|alternatives|example"
)
#: The first line of one, and the last.
BEGIN = re.compile(rf"^<!-- made: ({KINDS})((?: \S+)*) -->$")
END = "<!-- end -->"
#: The name of a schema in what `schema.words` says; two letters may be a class of a regular expression.
NAMED = re.compile(r"\[(Id|[A-Z]\w{2,})\](?!\()")
#: What is JSON-RPC rather than a message of ours.
ENVELOPE = {"Request", "Reply", "Notification"}


#: A result with so many members, which nothing else refers to, is shown where its method is.
FEW = 3

#: Types that a member's name says already.
PLAIN = {"SessionIdentifier", "TaskIdentifier"}


class NotInTheContract(Exception):
    """A table asks for what `openrpc.json` does not have."""


class Missing(Exception):
    """What no table has."""


def readme(text: str, document: dict[str, Any], configuration: dict[str, Any]) -> str:
    """The page with each of its tables made again."""
    return "".join(_Page(text, document, configuration).lines())


class Cells:
    """What stands in the tables of a page: types, with links to the places of their members on that page."""

    def __init__(self, definitions: dict[str, Schema], places: dict[str, str]) -> None:
        #: The objects of the configuration file; those without a place are told where they are.
        self._definitions = definitions
        #: The headings under which the members of objects are; others have their own.
        self._places = places

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
        # What an identifier looks like is in the last section.
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
        return re.sub(
            NAMED,
            lambda found: f"[{found[1]}](#{self._places.get(found[1], found[1].lower())})",
            text,
        )


class _Page:
    def __init__(self, text: str, document: dict[str, Any], configuration: dict[str, Any]) -> None:
        self._lines = text.splitlines(keepends=True)
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        self._configuration = configuration
        #: The objects of the configuration file; the last section lacks them.
        self._definitions: dict[str, Schema] = configuration["definitions"]
        self._methods: dict[str, Schema] = {entry["name"]: entry for entry in document["methods"]}
        self._notifications: list[Schema] = document["x-notifications"]
        self._untold = set(self._methods)
        self._small_results = set(_small_results(document))
        #: The headings under which the members of objects are, beside those of the last section.
        self._places = {
            **dict(self._placed("members")),
            **dict(self._placed("alternatives")),
            **dict(self._placed("words")),
            **dict(self._placed("limits", "Limits")),
            **dict(self._placed("counters", "Counters")),
        }
        self._cells = Cells(self._definitions, self._places)
        self._parameter_places = dict(self._placed("parameters"))

    def lines(self) -> Iterator[str]:
        lines = iter(self._lines)
        for line in lines:
            yield self._placed_links(line)
            found = BEGIN.match(line.rstrip("\n"))
            if not found:
                continue
            yield from self._table(found[1], found[2].split())
            for old in lines:
                if old.rstrip("\n") == END:
                    yield old
                    break
            else:
                raise NotInTheContract(f"no end of: {line}")
        if self._untold:
            raise Missing(", ".join(sorted(self._untold)))

    def _placed(self, kind: str, *names: str) -> Iterator[tuple[str, str]]:
        heading = ""
        for line in self._lines:
            if line.startswith("#"):
                heading = anchor(line.lstrip("#").strip())
            elif (found := BEGIN.match(line.rstrip("\n"))) and found[1] == kind:
                for name in names or found[2].split():
                    yield name, heading

    def _table(self, kind: str, names: list[str]) -> Iterator[str]:
        match kind:
            case "methods":
                yield from self._method_table(names)
            case "notifications":
                yield from self._notification_table()
            case "parameters":
                yield from self._cells.member_table("parameter", schema.parameters(self._method(names[0])))
            case "limits":
                yield from self._limit_table()
            case "settings":
                yield from self._setting_table()
            case "alternatives":
                yield from self._alternative_table(names[0])
            case "example":
                yield f"```\n{layout.text(self._example(names))}```\n"
            case "counters":
                yield "| counter | counts |\n|---|---|\n"
                for member in schema.members(self._schema("Counters")):
                    yield row(f"`{member.name}`", schema.sentence(member.description))
            case "causes":
                yield from self._cause_table(self._method(names[0]))
            case "words":
                yield from self._word_table(self._schema(names[0]))
            case "members":
                yield from self._cells.member_table("member", schema.members(self._schema(names[0])))
            case _:
                yield from self._objects()

    def _method(self, name: str) -> Schema:
        if name not in self._methods:
            raise NotInTheContract(name)
        return self._methods[name]

    def _schema(self, name: str) -> Schema:
        if name not in self._schemas and name not in self._definitions:
            raise NotInTheContract(name)
        return self._schemas.get(name) or self._definitions[name]

    def _method_table(self, names: Iterable[str]) -> Iterator[str]:
        yield "| method | parameters | result | meaning |\n|---|---|---|---|\n"
        for name in names:
            method = self._method(name)
            self._untold.discard(name)
            meaning = " ".join(filter(None, (method["summary"], method.get("description"))))
            result = method["result"]
            told = [self._result(result["schema"]), schema.sentence(result.get("description", ""))]
            yield row(
                f"`{name}`",
                self._parameters(name),
                _sentences(told),
                schema.sentence(meaning),
            )

    def _parameters(self, name: str) -> str:
        """As entries, or where their own table is."""
        given = self._methods[name].get("params")
        for other, place in self._parameter_places.items():
            if given == self._methods[other].get("params"):
                return f"[those below](#{place})" if other == name else f"those of `{other}`"
        return self._cells.entries(schema.parameters(self._methods[name]))

    def _notification_table(self) -> Iterator[str]:
        yield "| notification | parameters | sent |\n|---|---|---|\n"
        for entry in self._notifications:
            if entry["direction"] != "serverToClient":
                continue
            whole = entry.get("paramsSchema")
            given = self._cells.value(whole) if whole else self._cells.entries(schema.parameters(entry))
            yield row(f"`{entry['name']}`", given, schema.sentence(entry["summary"]))

    def _result(self, value: Schema) -> str:
        name = schema.reference(value)
        return self._cells.value(self._schemas[name] if name in self._small_results else value)

    def _limit_table(self) -> Iterator[str]:
        """With what happens beyond each, `x-beyond`."""
        yield "| limit | default | of what | beyond it |\n|---|---|---|---|\n"
        for member in schema.members(self._schema("Limits")):
            beyond = schema.sentence(member.schema["x-beyond"])
            value = f"{member.schema['default']:,}" if "default" in member.schema else ""
            yield row(f"`{member.name}`", value, schema.sentence(member.description), beyond)

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

    def _cause_table(self, method: Schema) -> Iterator[str]:
        """Errors of a method with what they mean there, `x-causes`."""
        kinds = {str(schema.reference(entry)).rpartition("/")[2] for entry in method["errors"]}
        yield "| error | cause |\n|---|---|\n"
        for kind, cause in method["x-causes"].items():
            if kind not in kinds:
                raise NotInTheContract(f"{kind} of {method['name']}")
            yield row(f"`{kind}`", schema.sentence(cause))

    def _word_table(self, value: Schema) -> Iterator[str]:
        """The words of an enumeration with what they mean, `x-words`."""
        told: dict[str, str] = value.get("x-words", {})
        if list(told) != value["enum"]:
            raise Missing(f"x-words has not the words {', '.join(value['enum'])}")
        yield "| word | meaning |\n|---|---|\n"
        for word, meaning in told.items():
            yield row(f"`{word}`", schema.sentence(meaning))

    def _alternative_table(self, name: str) -> Iterator[str]:
        """The objects that a value may be, by their `kind`."""
        yield "| kind | members | meaning |\n|---|---|---|\n"
        for inner in self._schema(name)["oneOf"]:
            referred = schema.reference(inner) or ""
            value = self._schema(referred)
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

    def _objects(self) -> Iterator[str]:
        for name, value in sorted(self._schemas.items()):
            if name in ENVELOPE or name in self._places or name in self._small_results:
                continue
            yield from self._cells.object(name, value)
        yield "\n"

    def _placed_links(self, line: str) -> str:
        """A link to an object leads to where its table is."""
        return re.sub(
            r"\[([A-Z]\w+)\]\(#([a-z]+)\)",
            lambda found: f"[{found[1]}](#{self._places.get(found[1], found[2])})",
            line,
        )


def _small_results(document: dict[str, Any]) -> Iterator[str]:
    """The objects that are only the results of methods."""
    schemas = document["components"]["schemas"]
    notifications = document["x-notifications"]
    elsewhere = set(
        _references([schemas, notifications, [entry.get("params") for entry in document["methods"]]])
    )
    for entry in document["methods"]:
        name = schema.reference(entry["result"]["schema"])
        if name and name not in elsewhere and len(schemas[name].get("properties", {})) <= FEW:
            yield name


def _references(value: Any) -> Iterator[str]:
    """The names of all schemas that a value refers to."""
    if isinstance(value, dict):
        if isinstance(target := value.get("$ref"), str):
            yield target.removeprefix(schema.PREFIX)
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def _sentences(texts: Iterable[str]) -> str:
    """Texts that may end in a full stop, with one between them."""
    *first, last = list(filter(None, texts)) or [""]
    return "".join(f"{text.removesuffix('.')}. " for text in first) + last


def row(*cells: str) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|\n"


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
