"""The page with each method, notification and object of `openrpc.json`, and an example of each method."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from . import errors, schema
from .contract import ErrorRow
from .examples import CHOSEN, Example
from .faults import ContractFault
from .schema import Schema
from .tables import ENVELOPE, Cells, NotInTheContract, anchor, row

#: The tags of methods, as headings.
GROUPS = {
    "session": "Sessions",
    "task": "Fetches and tasks",
    "challenge": "Challenges and redirects",
    "redirect": "Challenges and redirects",
    "credential": "Credentials",
    "trust": "Trust decisions",
    "identity": "Identities",
    "cookie": "Cookies",
    "peer": "Connections of callers",
    "vault": "The vault",
    "agent": "The agent",
    "server": "The daemon",
    "status": "The daemon",
}
INTRODUCTION = """# Reference

<!-- Made from openrpc.json and the transcripts by protocol/generate. -->

Each method, each notification, each object, each error and each limit of the protocol. The rules are on
[pages of their own](README.md); [client-guide.md](client-guide.md) says how to write a client. Every method
may also fail with {common} and the [errors](#errors) of JSON-RPC itself;
[troubleshooting](../clients/troubleshooting.md) says what to do about an error.

A member with `?` may be left out. The members of an object without a name follow the member that has it,
with a dot; `[]` stands for each element of a list. More words may be added where `…` ends a list of words
(`x-open` in [openrpc.json](openrpc.json)). What is secret (`x-secret`) is in memory that is wiped, and no
message returns it. A text of a request is bounded in bytes of UTF-8 (`x-maxBytes`). `x-words` has the meaning
of each word of an enumeration, `x-beyond` what happens beyond a limit, `x-causes` what the errors of a
method mean there, and `x-rules` the rules that say more. `x-underLock`, `x-restricted`, `x-vault` and `x-use`
say how a method behaves under the lock, for restricted connections, with the vault and as a use of the agent.

In an example, `→` is what the client sends and `←` what the daemon sends. `{chosen}` stands for what the
daemon, or the run, has chosen. A result may have more members than the example shows.
"""


class WithoutGroup(ContractFault):
    """A method has no tag that is a heading."""


def markdown(document: dict[str, Any], rows: list[ErrorRow], shown: dict[str, Example]) -> str:
    """The whole page.

    - Parameter rows: those of `errors.json`.
    - Parameter shown: an example by its method.
    """
    page = "".join(_Reference(document, rows, shown).parts())
    return re.sub(r"\n{3,}", "\n\n", page)


class _Reference:
    def __init__(self, document: dict[str, Any], rows: list[ErrorRow], shown: dict[str, Example]) -> None:
        self._rows = rows
        self._methods: list[Schema] = document["methods"]
        self._notifications: list[Schema] = document["x-notifications"]
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        self._examples = shown
        self._cells = Cells({}, {}, "")
        self._common = set.intersection(*(set(_errors(method)) for method in self._methods))

    def parts(self) -> Iterator[str]:
        common = " and ".join(f"`{kind}`" for kind in _errors(self._methods[0]) if kind in self._common)
        yield INTRODUCTION.format(common=common, chosen=CHOSEN)
        yield from self._index()
        for group, members in self._groups().items():
            yield f"\n## {group}\n"
            for method in members:
                yield from self._method(method)
        yield "\n## Notifications\n"
        for notification in self._notifications:
            yield from self._notification(notification)
        yield f"\n## Errors\n\n{errors.markdown(self._rows)}"
        yield "\n## Objects\n"
        for name, value in sorted(self._schemas.items()):
            if name == "Limits":
                yield from self._limits(value)
            elif name not in ENVELOPE:
                yield from self._cells.object(name, value)

    def _limits(self, value: Schema) -> Iterator[str]:
        """With what happens beyond each, `x-beyond`."""
        yield f"\n#### Limits\n\n{schema.sentence(value.get('description', ''))}\n\n"
        yield "| limit | default | of what | beyond it |\n|---|---|---|---|\n"
        for member in schema.members(value):
            default = f"{member.schema['default']:,}" if "default" in member.schema else ""
            beyond = schema.sentence(member.schema["x-beyond"])
            yield row(f"`{member.name}`", default, schema.sentence(member.description), beyond)

    def _groups(self) -> dict[str, list[Schema]]:
        groups: dict[str, list[Schema]] = {heading: [] for heading in GROUPS.values()}
        for method in self._methods:
            tags = [tag["name"] for tag in method.get("tags", ())]
            heading = next((GROUPS[tag] for tag in tags if tag in GROUPS), None)
            if heading is None:
                raise WithoutGroup(method["name"])
            groups[heading].append(method)
        return {heading: members for heading, members in groups.items() if members}

    def _index(self) -> Iterator[str]:
        yield "\n"
        for heading, members in self._groups().items():
            yield f"- {heading}: {', '.join(_link(method['name']) for method in members)}\n"
        yield f"- Notifications: {', '.join(_link(entry['name']) for entry in self._notifications)}\n"
        yield "- [Errors](#errors) · [Objects](#objects) · [Limits](#limits)\n"

    def _method(self, method: Schema) -> Iterator[str]:
        name: str = method["name"]
        yield f"\n### {name}\n\n"
        told = " ".join(filter(None, (method["summary"], method.get("description"))))
        yield f"{schema.sentence(told)}\n\n"
        yield from self._parameters(method)
        result = method["result"]
        said = [self._cells.value(result["schema"]), schema.sentence(result.get("description", ""))]
        yield f"Result: {'. '.join(text.removesuffix('.') for text in said if text)}.\n"
        causes = method.get("x-causes", {})
        if unknown := set(causes) - set(_errors(method)):
            raise NotInTheContract(f"{', '.join(sorted(unknown))} of {name}")
        further = [kind for kind in _errors(method) if kind not in self._common and kind not in causes]
        if further:
            yield f"\nErrors: {', '.join(f'`{kind}`' for kind in further)}.\n"
        if causes:
            yield "\n| error | cause |\n|---|---|\n"
            yield from (row(f"`{kind}`", schema.sentence(cause)) for kind, cause in causes.items())
        if name in self._examples:
            yield f"\n```\n{self._examples[name].text}\n```\n"

    def _notification(self, entry: Schema) -> Iterator[str]:
        yield f"\n### {entry['name']}\n\n"
        way = "From the client" if entry["direction"] == "clientToServer" else "From the daemon"
        yield f"{way}. {schema.sentence(entry['summary'])}\n\n"
        if whole := entry.get("paramsSchema"):
            yield f"Parameters: {self._cells.value(whole)}.\n"
        else:
            yield from self._parameters(entry)

    def _parameters(self, entry: Schema) -> Iterator[str]:
        given = schema.parameters(entry)
        if not given:
            yield "No parameters.\n\n"
            return
        yield from self._cells.member_table("parameter", given)
        yield "\n"


def _errors(method: Schema) -> list[str]:
    return [str(schema.reference(entry)) for entry in method["errors"]]


def _link(name: str) -> str:
    return f"[`{name}`](#{anchor(name)})"
