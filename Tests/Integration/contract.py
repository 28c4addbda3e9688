"""Holds every message that passes during the tests against `protocol/openrpc.json` and `errors.json`."""

from __future__ import annotations

import functools
import json
from typing import Any

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


def _validator(schema: Json) -> Draft7Validator:
    return Draft7Validator({**schema, "components": document()["components"]})


@functools.cache
def _results() -> dict[str, Draft7Validator]:
    return {entry["name"]: _validator(entry["result"]["schema"]) for entry in document()["methods"]}


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
def _notifications() -> dict[str, Draft7Validator]:
    return {entry["name"]: _validator(_notification_schema(entry)) for entry in document()["x-notifications"]}


def method_names() -> list[str]:
    return [entry["name"] for entry in document()["methods"]]


def _broken(what: str, validator: Draft7Validator, value: Json) -> list[str]:
    return [
        f"{what}{''.join(f'[{part!r}]' for part in fault.path)}: {fault.message[:300]}"
        for fault in validator.iter_errors(value)
    ]


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


def check(message: Json, method: str | None) -> list[str]:
    """Faults of one message from the daemon; `method` is that of the request it replies to."""
    if "method" in message:
        validator = _notifications().get(message["method"])
        if validator is None or "id" in message:
            return [f"not a notification of the protocol: {str(message)[:300]}"]
        return _broken(message["method"], validator, message.get("params"))
    if "error" in message:
        return check_error(message["error"])
    if method in _results():
        return _broken(f"result of {method}", _results()[method], message.get("result"))
    return [f"a reply to nothing: {str(message)[:300]}"]
