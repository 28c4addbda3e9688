"""`protocol/configuration.json` says of every file what the daemon says: it is read, or it is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from Integration import contract
from Integration.wire import Json, Peer, RemoteError
from Support.daemon import PROJECT, Daemon

SCHEMA: Json = json.loads((PROJECT / "protocol" / "configuration.json").read_text())
EXAMPLE: Json = SCHEMA["examples"][0]

#: An object in the file: its place, and its schema.
Place = tuple[tuple[str | int, ...], Json]


def inlined(schema: Json) -> Json:
    """With what it refers to in its place; the only one of `allOf` is one, too."""
    if "allOf" in schema:
        (referred,) = schema["allOf"]
        return {**inlined(referred), **{key: value for key, value in schema.items() if key != "allOf"}}
    if "$ref" not in schema:
        return schema
    page, path = schema["$ref"].split("#/")
    target = contract.document() if page or path.startswith("components") else SCHEMA
    for part in path.split("/"):
        target = target[part]
    return inlined(target)


def whole(value: Json) -> Json:
    """A schema without references."""
    if isinstance(value, list):
        return [whole(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {key: whole(inner) for key, inner in inlined(value).items()}


WHOLE = whole({key: value for key, value in SCHEMA.items() if key not in ("definitions", "examples")})


def places(value: Json, schema: Json, path: tuple[str | int, ...] = ()) -> Iterator[Place]:
    """Every value of the example with its schema."""
    if "oneOf" in schema:
        (schema,) = (one for one in schema["oneOf"] if one["properties"]["kind"]["const"] == value["kind"])
    yield path, schema
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(
                inner, schema.get("properties", {}).get(name) or schema["additionalProperties"], (*path, name)
            )
    if isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, schema["items"], (*path, index))


PLACES = dict(places(EXAMPLE, WHOLE))


def changed(path: tuple[str | int, ...], value: Json) -> Json:
    """The example with another value at a place."""
    file = copy.deepcopy(EXAMPLE)
    if not path:
        return value
    inner = file
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return file


def got(path: tuple[str | int, ...]) -> Json:
    value = EXAMPLE
    for part in path:
        value = value[part]
    return value


def without(value: Json, name: str) -> Json:
    return {key: inner for key, inner in value.items() if key != name}


def other_values(path: tuple[str | int, ...], schema: Json) -> Iterator[Json]:
    """Values at the bounds of a schema and beyond them, and of other types."""
    value = got(path)
    yield from (5, "word", True, [], {}, None)
    yield from schema.get("enum", ())
    for bound, step in (("minimum", -1), ("maximum", 1)):
        if bound in schema:
            yield from (schema[bound], schema[bound] + step)
    if isinstance(value, str):
        yield from ("", "a b")
        if (most := schema.get("maxLength")) is not None and schema.get("pattern", "").startswith("^/"):
            yield from ("/".ljust(most, "x"), "/".ljust(most + 1, "x"), "relative", "/")
        elif most is not None and "://" not in value and "const" not in schema:
            yield from ("x" * most, "x" * (most + 1))
    if isinstance(value, list) and value and "maxItems" in schema and not isinstance(value[0], dict):
        yield from (value[:1] * schema["maxItems"], value[:1] * (schema["maxItems"] + 1))
    if isinstance(value, dict):
        yield {**value, "unknown": 1} if "properties" in schema else {**value, "n" * 129: 1}
        yield from (without(value, name) for name in schema.get("properties", value))


#: What only the daemon says: what a URL, a host and a program are like, and how long a URL is in all.
NOT_IN_SCHEMA = {
    ("credentialSources", "store", "command", 0),
    ("restrictedSockets", 0, "rules", 0, "origin"),
    ("restrictedSockets", 0, "rules", 0, "path"),
    ("transportSecurity", "domains", 0, "domain"),
}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[tuple[Path, Peer]]:
    path = tmp_path / "configuration.json"
    path.write_text("{}")
    daemon = Daemon(["--configuration", str(path)])
    with Peer(daemon.socket) as peer:
        yield path, peer
    daemon.stop()


def refusal(daemon: tuple[Path, Peer], file: Json) -> str | None:
    """The place of what the daemon finds wrong; None: nothing."""
    path, peer = daemon
    path.write_text(json.dumps(file))
    try:
        peer.call("server/reload")
    except RemoteError as error:
        assert error.kind == "configurationInvalid"
        return str(error.data.get("path"))
    return None


def spelled(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def test_the_example_is_read(daemon: tuple[Path, Peer]) -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert refusal(daemon, EXAMPLE) is None
    assert [fault.message for fault in Draft7Validator(WHOLE).iter_errors(EXAMPLE)] == []


def test_the_example_has_every_member() -> None:
    """So that each is tried, at one place at least."""
    members = [name for schema in PLACES.values() for name in schema.get("properties", ())]
    tried = {path[-1] for path in PLACES if path}
    # Of another grant, and of rules that have tests of their own.
    untried = {
        "deviceEndpoint",
        "refreshTokenFile",
        "methods",
        "headers",
        "requestBytes",
        "responseBytes",
        "perMinute",
    }
    assert set(members) - tried == untried


@pytest.mark.parametrize("path", PLACES, ids=spelled)
def test_the_daemon_and_the_schema_agree(daemon: tuple[Path, Peer], path: tuple[str | int, ...]) -> None:
    validator = Draft7Validator(WHOLE)
    differing = []
    for value in other_values(path, PLACES[path]):
        file = changed(path, value)
        if not isinstance(file, dict):
            continue
        place = refusal(daemon, file)
        faults = [spelled(tuple(fault.absolute_path)) for fault in validator.iter_errors(file)]
        if path in NOT_IN_SCHEMA and place is not None:
            continue
        if (place is not None) != bool(faults):
            differing.append((str(value)[:80], place, faults))
    assert differing == []
