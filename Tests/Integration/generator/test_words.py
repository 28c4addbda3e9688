"""A schema that is not understood is refused in a line that says where."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from Integration.generator.scene import edit, generate

SETTINGS = "configuration.json"


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#/components/schemas/Id", "pattern": "^/"}, "Moon: pattern means nothing here"),
        ({"$ref": "#/components/schemas/Mood"}, "Moon: there is no #/components/schemas/Mood"),
        ({"type": "string", "enum": ["new", "full"], "pattern": "^n"}, "Moon: pattern means nothing here"),
        ({"type": "string", "format": "uri", "x-check": "host"}, "Moon: format means nothing here"),
        ({"type": "object", "properties": {}, "minPropertis": 1}, "Moon: minPropertis means nothing here"),
        ({"type": "object", "properties": {}, "required": ["age"]}, "Moon: there is no age"),
        ({"type": "object", "properties": {"age": {"type": "int"}}}, "Moon/age: there is no type int"),
        ({"type": "array", "items": {"type": "integer", "minimun": 1}}, "Moon[]: minimun means nothing here"),
        ({"anyOf": [{"type": "null"}, {"type": "text"}]}, "Moon/anyOf/1: there is no type text"),
        (
            {"type": "object", "additionalProperties": {"format": "uri"}},
            "Moon/additionalProperties: ",
        ),
        ({"type": "object", "additionalProperties": "false"}, "Moon: additionalProperties is a schema, true"),
        ({"allOf": [True]}, "Moon/allOf/0: a schema is an object"),
        ({"type": "object", "properties": {}, "required": True}, "Moon: required is a list of names"),
        (
            {"type": "object", "properties": {}, "dependencies": {"a": ["b"]}},
            "Moon/dependencies: there is no a",
        ),
        ({"type": "object", "properties": {}, "then": {"required": ["a"]}}, "Moon/then: there is no a"),
        ({"type": "object", "properties": {}, "then": {"requird": []}}, "Moon/then: requird means nothing"),
        ({"type": "object", "propertyNames": {"maxLenght": 9}}, "Moon/propertyNames: maxLenght means"),
        ({"type": "integer", "minimum": "1"}, "Moon: minimum is a number"),
    ],
)
def test_of_a_value(copy: Path, schema: dict[str, Any], expected: str) -> None:
    edit(copy, lambda document: document["components"]["schemas"].update(Moon=schema))
    assert f"openrpc.json/components/schemas/{expected}" in complaint(generate(copy))
    edit(copy, lambda document: document["components"]["schemas"].pop("Moon"))
    edit(copy, lambda settings: settings["definitions"].update(Moon=schema), SETTINGS)
    assert f"{SETTINGS}/definitions/{expected}" in complaint(generate(copy))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda method: method.update(sumary="x"), "sumary means nothing here"),
        (lambda method: method["result"].update(optional=True), "optional means nothing here"),
        (lambda method: method["params"][0].pop("schema"), "schema is missing"),
        (lambda method: method["params"][0].update({"x-maxBytes": 9}), "x-maxBytes means nothing here"),
        (lambda method: method.pop("result"), "result is missing"),
        (lambda method: method.pop("name"), "name is missing"),
        (lambda method: method.update({"x-restricted": "yes"}), "x-restricted is true or false"),
        (lambda method: method.pop("x-underLock"), "x-underLock is works, fails or empty"),
        (lambda method: method.update({"x-underLock": "empty"}), "whose one member is a list"),
        (
            lambda method: method.update({"x-paramsOf": "fetsh"}),
            "takes those of fetsh, which is no method",
        ),
    ],
)
def test_of_a_method(copy: Path, change: Callable[[dict[str, Any]], None], expected: str) -> None:
    edit(copy, lambda document: change(document["methods"][0]))
    assert expected in complaint(generate(copy))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda notification: notification.update(direction="clientToSrver"),
            "direction is ",
        ),
        (lambda notification: notification.update({"x-vault": True}), "x-vault means nothing here"),
    ],
)
def test_of_a_notification(copy: Path, change: Callable[[dict[str, Any]], None], expected: str) -> None:
    edit(copy, lambda document: change(document["x-notifications"][-1]))
    assert expected in complaint(generate(copy))


def test_a_default_is_a_word_of_its_enumeration(copy: Path) -> None:
    schema = {"type": "string", "enum": ["new", "full"], "default": "half"}
    edit(copy, lambda document: document["methods"][0]["params"].append({"name": "moon", "schema": schema}))
    assert "moon: there is no word half" in complaint(generate(copy))


def test_a_list_says_what_its_elements_are(copy: Path) -> None:
    schema = {"type": "array", "maxItems": 9}
    edit(copy, lambda document: document["methods"][0]["params"].append({"name": "moons", "schema": schema}))
    assert "moons: a list says what its elements are" in complaint(generate(copy))


@pytest.mark.parametrize("name", ["openrpc.json", SETTINGS, "errors.json", "exit-statuses.json"])
def test_a_file_that_is_no_json_is_named(copy: Path, name: str) -> None:
    file = copy / "protocol" / name
    file.write_text(file.read_text()[:-10])
    assert f"{name}: " in complaint(generate(copy))
