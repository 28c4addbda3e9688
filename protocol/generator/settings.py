"""The members of the configuration file, for the programs' help and for errors in the file."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from . import schema
from .schema import Schema
from .text import WIDTH

SOURCE = "protocol/configuration.json"
FILE = "Sources/WatchwordOptions/Generated/ConfigurationMembers.swift"
#: What is cited, in parentheses or as a link: a help has no links.
CITED = re.compile(rf" \((?:{'|'.join(map(re.escape, schema.RULES))}) [^)]*\)")
#: A link without its target.
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
#: With one of these, whether an object is right depends on more than one of its members.
DEPENDENT = {"required", "dependencies", "if", "oneOf", "anyOf"}


def swift(configuration: dict[str, Any], document: dict[str, Any]) -> dict[str, str]:
    """The file by its path."""
    objects = _Objects(configuration, document)
    lines = [
        "/// The members of the configuration file.",
        "///",
        f"/// Made from `{SOURCE}` by `protocol/generate`.",
        "package enum ConfigurationMembers {",
        "  /// The path of each member, and what it is for: the rows of a help.",
        "  package static let rows: [(name: String, text: String)] = [",
        *(line for name, text in _rows(objects.members) for line in _row(name, text)),
        "  ]",
        "",
        "  /// A member of the file itself.",
        "  package struct Outermost: Sendable {",
        "    package let name: String",
        "    /// As JSON; nil: there is none.",
        "    package let defaultText: String?",
        "    /// Whether a reload does not change it.",
        "    package let needsStart: Bool",
        "  }",
        "",
        "  package static let outermost: [Outermost] = [",
        *(f"    {_outermost(member)}," for member in schema.members_only(configuration)),
        "  ]",
        "",
        "  /// An object of the file.",
        "  package struct Object: Sendable {",
        "    /// Whether each member is right or wrong whatever the others are.",
        "    package let isOfIndependentMembers: Bool",
        "    /// None for an object whose members' names are chosen.",
        "    package let names: [String]",
        "  }",
        "",
        "  /// The objects by their path; `[]` is an element of a list, `*` a member whose name is chosen.",
        "  package static let objects: [String: Object] = [",
        *_objects(objects.found),
        "  ]",
        "}",
    ]
    return {FILE: "\n".join(lines) + "\n"}


def _text(value: str) -> str:
    """A literal of Swift."""
    return json.dumps(value, ensure_ascii=False)


def _outermost(member: schema.Member) -> str:
    default = _text(json.dumps(member.schema["default"])) if "default" in member.schema else "nil"
    return (
        f"Outermost(name: {_text(member.name)}, defaultText: {default},"
        f" needsStart: {'true' if schema.needs_start(member) else 'false'})"
    )


def _row(name: str, text: str) -> list[str]:
    lines = textwrap.wrap(text, WIDTH - 8, break_on_hyphens=False, break_long_words=False)
    texts = [f"      {line} \\" for line in lines[:-1]] + [f"      {line}" for line in lines[-1:]]
    return ["    (", f"      {_text(name)},", '      """', *texts, '      """', "    ),"]


def _rows(members: dict[str, Schema]) -> Iterator[tuple[str, str]]:
    for name, member in members.items():
        told = schema.told(member)
        sentence = CITED.sub("", LINK.sub(r"\1", told)).replace("`", "").partition(". ")[0].removesuffix(".")
        sentence = sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() else sentence
        yield name, sentence + _values(member)


def _values(value: Schema) -> str:
    """The words, or the type of what is no text, list or object, and the default."""
    parts = []
    if listed := schema.values(value):
        parts.append(", ".join(listed))
    elif value.get("type") in ("boolean", "number", "integer"):
        parts.append("true or false" if value["type"] == "boolean" else schema.words(value))
    if value.get("default") not in (None, [], {}):
        default = value["default"]
        parts.append(f"default {default if isinstance(default, str) else json.dumps(default)}")
    return f" ({'; '.join(parts)})" if parts else ""


def _objects(found: dict[str, tuple[set[str], bool]]) -> Iterator[str]:
    for path, (names, is_independent) in sorted(found.items()):
        yield f"    {_text(path)}: Object("
        yield f"      isOfIndependentMembers: {'true' if is_independent else 'false'},"
        texts = textwrap.wrap(", ".join(map(_text, sorted(names))), WIDTH - 8)
        if len(texts) > 1:
            yield from [
                "      names: [",
                *(f"        {text}" for text in texts[:-1]),
                f"        {texts[-1]},",
            ]
            yield "      ]),"
        else:
            yield f"      names: [{''.join(texts)}]),"


class _Objects:
    """Every object in the file by its path: the names of its members, and whether each stands for itself."""

    def __init__(self, configuration: dict[str, Any], document: dict[str, Any]) -> None:
        self._pages = {"": configuration, "openrpc.json": document}
        self.found: dict[str, tuple[set[str], bool]] = {}
        #: Each member by its path; of one that refers to a type, what the type says too.
        self.members: dict[str, Schema] = {}
        self._look(configuration, configuration, "")

    def _look(self, value: Schema, page: dict[str, Any], path: str) -> None:
        for inner in [*value.get("allOf", ()), *value.get("oneOf", ())]:
            self._look(inner, page, path)
        if "$ref" in value:
            self._look(*self._referred(value, page), path)
        if "properties" in value:
            names, is_independent = self.found.get(path, (set(), True))
            self.found[path] = (
                names | set(value["properties"]),
                is_independent and not DEPENDENT & set(value),
            )
        for name, inner in value.get("properties", {}).items():
            place = f"{path}.{name}" if path else name
            self.members.setdefault(place, self._referred(inner, page)[0] | inner)
            self._look(inner, page, place)
        if isinstance(extra := value.get("additionalProperties"), dict):
            self.found[path] = (set(), True)
            self._look(extra, page, f"{path}.*")
        if isinstance(items := value.get("items"), dict):
            self._look(items, page, f"{path}[]")

    def _referred(self, value: Schema, page: dict[str, Any]) -> tuple[Schema, dict[str, Any]]:
        """The type that a value refers to, and its page; the value itself if it refers to none."""
        if (target := value.get("$ref")) is None:
            return value, page
        name, _, place = target.partition("#/")
        page = self._pages[name] if name else page
        referred: Any = page
        for part in place.split("/"):
            referred = referred[part]
        return self._referred(referred, page)
