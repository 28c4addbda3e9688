"""An example of each method, from the transcripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

#: What stands for a value that a run chooses.
CHOSEN = "…"


@dataclass(frozen=True)
class Example:
    """A request of a transcript, and its reply."""

    #: Of the transcript.
    name: str
    request: dict[str, Any]
    reply: dict[str, Any]

    @property
    def text(self) -> str:
        return f"→ {_line(self.request)}\n← {_line(self.reply)}"

    @property
    def rank(self) -> tuple[bool, int]:
        """Of two examples the lower one is shown."""
        return ("descriptors" in self.request, len(self.text))

    @property
    def pairing(self) -> dict[str, Any]:
        """As OpenRPC has it: with values of the right type in place of those that a run chooses."""
        given: dict[str, Any] = _filled(self.request.get("params", {}), _Values())
        return {
            "name": self.name,
            "params": [{"name": name, "value": value} for name, value in given.items()],
            "result": {"name": "result", "value": _filled(self.reply["result"], _Values())},
        }


class _Words:
    """What stands for a value that a run chooses, for a person."""

    number: Any = CHOSEN
    word = CHOSEN

    def any(self, kind: str) -> Any:
        return {"object": {CHOSEN: CHOSEN}, "array": [CHOSEN]}.get(kind, CHOSEN)

    def bound(self, name: str) -> str:
        return f"{CHOSEN}{name}"


class _Values(_Words):
    """A value of the type, for a program."""

    number = 8401
    word = "1"

    def any(self, kind: str) -> Any:
        values = {"object": {}, "array": [], "integer": 1, "number": 1, "boolean": True, "null": None}
        return values.get(kind, "text")

    def bound(self, name: str) -> str:
        return name


def examples(transcripts: dict[str, str]) -> dict[str, Example]:
    """The shortest of each method that has a result, without a descriptor where there is one.

    Of two as short, that of the first file.
    """
    best: dict[str, Example] = {}
    for file, text in sorted(transcripts.items()):
        lines = [json.loads(line) for line in text.splitlines()]
        for example in _exchanges(file.removesuffix(".jsonl"), lines):
            method = example.request["method"]
            if method not in best or example.rank < best[method].rank:
                best[method] = example
    return best


def _exchanges(name: str, lines: list[dict[str, Any]]) -> Iterator[Example]:
    """The requests, each with the result for its id that comes after it."""
    asked: dict[tuple[str, Any], dict[str, Any]] = {}
    for line in lines:
        connection = line.get("connection", "a")
        message = line.get("client", line.get("server"))
        if not isinstance(message, dict) or not isinstance(message.get("id"), (int, str)):
            continue
        key = (connection, message["id"])
        if "client" in line and "method" in message:
            asked[key] = message
        elif "server" in line and "result" in message and key in asked:
            yield Example(name, asked.pop(key), message)


def _line(message: dict[str, Any]) -> str:
    shown = {name: value for name, value in message.items() if name != "jsonrpc"}
    return json.dumps({"jsonrpc": "2.0", **_filled(shown, _Words())}, ensure_ascii=False)


def _filled(value: Any, chosen: _Words) -> Any:
    """Without what the player of transcripts fills in or compares."""
    match value:
        case {"$bind": str(name)}:
            return chosen.bound(name)
        case {"$any": str(kind)}:
            return chosen.any(kind)
        case dict():
            absent = {"$absent": True}
            return {name: _filled(inner, chosen) for name, inner in value.items() if inner != absent}
        case list():
            return [_filled(inner, chosen) for inner in value]
        case str() if re.fullmatch(r"\{\{\w*[pP]ort\d?\}\}", value):
            return chosen.number
        case str():
            origins = re.sub(r"\{\{origin\d?\}\}", "http://origin.example", value)
            origins = re.sub(r"\{\{tlsOrigin\d?\}\}", "https://origin.example", origins)
            return re.sub(r"\{\{\w+\}\}", chosen.word, re.sub(r"sentinel-\w+", "secret", origins))
        case _:
            return value
