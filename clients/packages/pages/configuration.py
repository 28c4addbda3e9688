"""The manual page of the configuration file, made from its schema."""

from __future__ import annotations

import json
import re
from typing import Any

# The reader of schemas that makes the tables of the specification. write-pages adds its folder to the path.
from generator import schema
from generator.schema import Member

from .roff import Page, bold

_NAMED = re.compile(r"\[([A-Z]\w+)\]")


def page(configuration: dict[str, Any], version: str) -> Page:
    made = Page("watchword.json", 5, version, "configuration of watchwordd")
    made.section("DESCRIPTION")
    made.paragraphs(
        [
            "One JSON object, which watchwordd reads from the file that --configuration names, or else from "
            "~/.config/watchword/config.json where that exists, and again on HUP. All members are optional. "
            "An unknown one is an error: the daemon does not start, or keeps the configuration that it has.",
            "What is cited, as storage.md 7.3.1, is a rule on that page of the folder protocol.",
        ]
    )
    made.section("MEMBERS")
    _entries(made, list(schema.members(configuration)))
    for name, definition in configuration["definitions"].items():
        if "properties" in definition:
            made.subsection(name)
            made.paragraphs(filter(None, [_told(definition.get("description", ""))]))
            _entries(made, list(schema.members(definition)))
    made.section("EXAMPLE")
    example = configuration["examples"][0]
    made.example(json.dumps(example, indent=2, ensure_ascii=False).splitlines())
    made.references([("watchwordd", 8), ("systemd.exec", 5)])
    return made


def _entries(made: Page, members: list[Member]) -> None:
    for member in members:
        kind = _plain(schema.words(member.schema))
        parts = [kind] if kind else []
        if "default" in member.schema:
            parts.append(f"default {json.dumps(member.schema['default'], ensure_ascii=False)}")
        if reload := member.schema.get("x-reload"):
            parts.append(f"on reload: {_told(reload)}")
        told = _told(member.description)
        facts = f"({'; '.join(parts)})" if parts else ""
        made.entry(bold(member.name), " ".join(filter(None, [told, facts])))


def _plain(words: str) -> str:
    """Without the marks of names and of code; a pattern keeps its brackets."""
    return _NAMED.sub(r"\1", words).replace("`", "")


def _told(text: str) -> str:
    return text.replace("`", "")
