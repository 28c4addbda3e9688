"""Holds every message that passes during the tests against `protocol/openrpc.json` and `errors.json`.

Compiled checks accept nearly all of them. Of what these refuse, jsonschema, which takes many times as long,
says whether anything is wrong, and what.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import Any

import fastjsonschema
from jsonschema import Draft7Validator

from Support.daemon import PROJECT

Json = Any


@functools.cache
def document() -> Json:
    return json.loads((PROJECT / "protocol" / "openrpc.json").read_text())


@functools.cache
def errors() -> dict[int, Json]:
    return {entry["code"]: entry for entry in json.loads((PROJECT / "protocol" / "errors.json").read_text())}


def documented(name: str) -> list[str]:
    """The words of an enumeration."""
    return list(document()["components"]["schemas"][name]["enum"])


class Check:
    """One schema, which may refer to the components of the document."""

    def __init__(self, schema: Json) -> None:
        self.own = schema

    @functools.cached_property
    def _compiled(self) -> Callable[[Json], Json]:
        schema = {**_for_compiler(self.own), "components": _components_for_compiler()}
        return fastjsonschema.compile(schema, use_default=False, use_formats=False)

    @functools.cached_property
    def judge(self) -> Draft7Validator:
        return Draft7Validator({**self.own, "components": document()["components"]})

    def accepts_at_once(self, value: Json) -> bool:
        try:
            self._compiled(value)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    def faults(self, what: str, value: Json) -> list[str]:
        if self.accepts_at_once(value):
            return []
        return [
            f"{what}{''.join(f'[{part!r}]' for part in fault.path)}: {fault.message[:300]}"
            for fault in self.judge.iter_errors(value)
        ]


def _for_compiler(schema: Json) -> Json:
    """Its patterns escape `$` in brackets, which the compiler would take for an end."""
    if isinstance(schema, list):
        return [_for_compiler(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {name: _for_compiler(value) for name, value in schema.items()}
    if isinstance(pattern := copied.get("pattern"), str):
        copied["pattern"] = re.sub(r"\[[^]]*\]", lambda found: found[0].replace("$", r"\$"), pattern)
    return copied


@functools.cache
def _components_for_compiler() -> Json:
    return _for_compiler(document()["components"])


@functools.cache
def _results() -> dict[str, Check]:
    return {entry["name"]: Check(entry["result"]["schema"]) for entry in document()["methods"]}


def _notification_schema(entry: Json) -> Json:
    if "paramsSchema" in entry:
        return entry["paramsSchema"]
    params = entry["params"]
    return {
        "type": "object",
        "properties": {param["name"]: param["schema"] for param in params},
        "required": [param["name"] for param in params if param.get("required")],
    }


@functools.cache
def _notifications() -> dict[str, Check]:
    return {entry["name"]: Check(_notification_schema(entry)) for entry in document()["x-notifications"]}


def method_names() -> list[str]:
    return [entry["name"] for entry in document()["methods"]]


def check_error(error: Json) -> list[str]:
    """The code must be known, its kind and retry advice as in the table, and so the members of its data."""
    entry = errors().get(error.get("code"))
    if entry is None:
        return [f"unknown error code: {error}"]
    data = error.get("data") or {}
    expected = (entry["kind"], entry["retry"])
    given = (data.get("kind"), data.get("retry"))
    if given != expected:
        return [f"error {error} should have kind and retry {expected}"]
    foreign = set(data) - {"kind", "retry", "hop", "url", "proxy"} - set(entry.get("data", {}))
    if foreign:
        return [f"errors.json lists no {sorted(foreign)} in the data of {entry['kind']}"]
    for name, member in entry.get("data", {}).items():
        listed = [documented(one) for one in member.get("enumerations", [])]
        if listed and name in data and not any(data[name] in words for words in listed):
            return [f"errors.json lists no {name} {data[name]!r} of {entry['kind']}"]
    words = [data.get("reason", ""), *(reason["reason"] for reason in data.get("reasons", []))]
    told = [word for word in words if word != word.lower() and word in error["message"]]
    return [f"a word for programs in the message: {word}" for word in told]


def result_of(method: str) -> Check:
    """What a result of this method must be."""
    return _results()[method]


def check(message: Json, method: str | None) -> list[str]:
    """Faults of one message from the daemon; `method` is that of the request it replies to."""
    if "method" in message:
        notification = _notifications().get(message["method"])
        if notification is None or "id" in message:
            return [f"not a notification of the protocol: {str(message)[:300]}"]
        return notification.faults(message["method"], message.get("params"))
    if "error" in message:
        return check_error(message["error"])
    if result := _results().get(method or ""):
        return result.faults(f"result of {method}", message.get("result"))
    return [f"a reply to nothing: {str(message)[:300]}"]
