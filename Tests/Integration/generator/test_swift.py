"""Swift's types of the messages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from Integration.generator.scene import ALSO_MADE, METHODS, PARAMETERS, REQUESTS, edit, generate, structure


def test_swift_has_a_type_for_every_kind_of_value_that_is_sent(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        schemas = document["components"]["schemas"]
        schemas["Cookie"]["properties"] |= {
            "where": {"type": "string"},
            "wait": {"type": "number", "x-decimals": 6},
            "sizes": {"type": "array", "items": {"type": "object", "properties": {"wide": {"const": True}}}},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "fields": {"$ref": "#/components/schemas/Headers"},
            "id": {"$ref": "#/components/schemas/Id"},
            "moon": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "place": {
                "anyOf": [
                    {"type": "object", "properties": {"hill": {"type": "string"}, "far": {"const": True}}},
                    {"type": "object", "properties": {"lake": {"type": "string"}, "far": {"const": True}}},
                ]
            },
        }
        schemas["Cookie"]["required"] = list(schemas["Cookie"]["properties"])
        schemas["Cookie"]["required"].remove("moon")

    edit(copy, add)
    assert generate(copy).returncode == 0
    sent = copy / ALSO_MADE[0]
    assert "package import WatchwordVocabulary\n" in sent.read_text()
    swift = structure(sent, "Cookie")
    for member in (
        "`where`: String",
        "wait: Double",
        "sizes: [Sent.CookieSize]",
        "counts: [(name: String, value: Int)]",
        "fields: [HeaderField]",
        "id: OpenValue",
        "moon: Double??",
        "place: Sent.CookiePlace",
    ):
        assert f"    package let {member}\n" in swift
    assert '      writer.seconds("wait", wait)\n' in swift
    assert '      if let moon { writer.member("moon", moon) }\n' in swift
    # What not all alternatives have may be left out of the initializer, and nothing else.
    assert "wide: Bool?)" in structure(sent, "CookieSize")
    alternatives = "init(hill: String? = nil, far: Bool? = nil, lake: String? = nil)"
    assert alternatives in structure(sent, "CookiePlace")


def test_a_parameter_that_is_added_is_read_by_swift(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        method = next(entry for entry in document["methods"] if entry["name"] == "cookie/remove")
        phase = {"type": "string", "enum": ["new", "full"], "default": "full"}
        moon = {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"name": {"type": "string", "x-maxBytes": 12_000}},
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "key": {"type": "string", "x-secret": True, "x-maxBytes": 9, "x-minBytes": 1},
                    },
                    "required": ["key"],
                    "additionalProperties": False,
                },
            ]
        }
        days = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 1, "maxItems": 31}
        method["params"] += [
            {"name": "default", "schema": phase, "description": "Of the moon."},
            {"name": "moon", "required": True, "schema": {"anyOf": [moon, {"type": "null"}]}},
            {"name": "days", "schema": {"anyOf": [{"type": "null"}, days]}},
        ]

    edit(copy, add)
    assert generate(copy).returncode == 0
    assert "package import WatchwordVocabulary\n" in (copy / PARAMETERS).read_text()
    swift = structure(copy / PARAMETERS, "CookieRemoveParameters")
    assert swift.startswith("/// The parameters of `cookie/remove`.")
    assert (
        "  package enum Default: String, CaseIterable, Sendable {\n    case new\n    case full\n  }\n"
        in swift
    )
    assert "  /// Of the moon.\n  package let `default`: Default\n" in swift
    assert '    `default` = try reader["default"]?.enumeration(Default.self) ?? .full\n' in swift
    assert "  package let moon: Moon?\n" in swift
    assert '    moon = try reader.required("moon").unlessNull?.object(Moon.init)\n' in swift
    # The alternatives differ in this member: which of them is meant is for Swift to say.
    assert '      name = reader["name"]\n' in swift
    assert '      key = try reader["key"]?.secret(maximumBytes: 9, minimumBytes: 1)\n' in swift
    assert "  package let days: [Int]?\n" in swift
    assert (
        '    days = try reader["days"]?.unlessNull?.array(maximum: 31, minimum: 1) { element'
        " throws(RPCError) in\n      try element.integer(in: 1...Int.max)\n    }\n"
    ) in swift
    # What a client sends.
    request = structure(copy / REQUESTS, "CookieRemove")
    assert "    package let `default`: String?\n" in request
    assert '      if let days { writer.member("days", days) }\n' in request


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"type": "moon"}, "moon"),
        ({"type": "string", "x-check": "moonPhase"}, "no check moonPhase"),
        ({"type": "array", "items": {"type": "string"}}, "a list has a bound"),
        ({"type": "object", "properties": {}}, "takes members that it does not name"),
        ({"type": "string", "pattern": "^/", "x-maxBytes": 9}, "nothing enforces pattern"),
        ({"type": "string", "format": "uri", "x-maxBytes": 9}, "format means nothing here"),
        ({"type": "integer", "multipleOf": 2}, "multipleOf means nothing here"),
        (
            {"type": "array", "maxItems": 9, "uniqueItems": True, "items": {"type": "boolean"}},
            "nothing enforces uniqueItems",
        ),
        ({"type": "string", "maxLength": 9}, "maxLength counts characters"),
        ({"type": "string", "minLength": 2, "x-maxBytes": 9}, "minLength counts characters"),
        ({"type": "string", "x-maxByte": 9}, "openrpc.json/methods/0/params/"),
    ],
)
def test_a_parameter_that_cannot_be_read_strictly_is_refused(
    copy: Path, schema: dict[str, Any], complaint: str
) -> None:
    edit(copy, lambda document: document["methods"][0]["params"].append({"name": "age", "schema": schema}))
    done = generate(copy)
    assert done.returncode != 0
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_checked_by_hand_may_promise_more(copy: Path) -> None:
    inner = {"type": "string", "pattern": "^/", "maxLength": 9}
    body = {"type": "object", "properties": {"path": inner}, "additionalProperties": False}
    schema = body | {"x-check": "requestBody"}
    edit(copy, lambda document: document["methods"][0]["params"].append({"name": "moon", "schema": schema}))
    done = generate(copy)
    assert done.returncode == 0, done.stderr
    del schema["x-check"]
    edit(copy, lambda document: document["methods"][0]["params"][-1].update({"schema": schema}))
    assert "nothing enforces pattern" in generate(copy).stderr


def test_what_the_contract_says_of_a_method_is_in_the_tables_of_swift(copy: Path) -> None:
    said = {"x-restricted": True, "x-vault": True, "x-use": False, "x-underLock": "fails"}

    def say(document: dict[str, Any]) -> None:
        next(method for method in document["methods"] if method["name"] == "identity/tokens").update(said)

    def cases() -> dict[str, str]:
        """The tables that name the method in a case of its own or with others, by their names."""
        swift = (copy / METHODS).read_text()
        tables = re.findall(r"var (\w+): .*? {\n(.*?)\n  }\n", swift, re.S)
        found = {}
        for name, body in tables:
            for words, value in re.findall(r"case ((?:\.\w+[,\s]*)+):\s+(\S+)", body):
                if ".identityTokens" in words:
                    found[name] = value
        return found

    assert generate(copy).returncode == 0
    assert cases() == {"underLock": '.listsNothing("identities")'}
    edit(copy, say)
    assert generate(copy).returncode == 0
    expected = {"isForRestricted": "true", "usesVault": "true", "isUse": "false", "underLock": ".fails"}
    assert cases() == expected


@pytest.mark.parametrize("made", [PARAMETERS, REQUESTS])
def test_what_nothing_makes_any_more_is_removed(copy: Path, made: str) -> None:
    assert generate(copy).returncode == 0
    old = (copy / made).with_name("MoonPhase.swift")
    old.write_text("")
    assert old.name in generate(copy, "--check").stderr
    assert generate(copy).returncode == 0
    assert not old.exists()
    assert generate(copy, "--check").returncode == 0
