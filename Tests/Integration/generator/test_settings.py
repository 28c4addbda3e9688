"""Swift's types of the configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from Integration.generator.scene import SETTINGS, edit, generate, structure

FILE = "configuration.json"


def add(copy: Path, name: str, schema: dict[str, Any]) -> str:
    """What generating with one more member of the file complains about."""
    edit(copy, lambda settings: settings["properties"].update({name: schema}), FILE)
    return generate(copy).stderr


def test_a_setting_that_is_added_is_read_by_swift(copy: Path) -> None:
    phase = {"type": "string", "enum": ["new", "full"], "default": "full"}
    moon = {
        "type": "object",
        "properties": {"phase": phase, "names": {"type": "array", "items": phase, "maxItems": 9}},
        "additionalProperties": False,
        "x-reload": "takes effect at the next start",
    }
    assert add(copy, "moon", moon) == ""
    swift = structure(copy / SETTINGS, "DaemonSettings")
    # Nothing in it is required: what is left out is as one that is empty.
    assert "\n  package var moon = Moon()\n" in swift
    assert '\n    moon = try reader["moon"]?.object(Moon.init) ?? moon\n' in swift
    assert "\n    package var phase: Phase = .full\n" in swift
    assert '\n      phase = try reader["phase"]?.enumeration(Phase.self) ?? phase\n' in swift
    assert "\n    package var names: [Name]?\n" in swift
    # A reload says that it does not change this one.
    assert 'if moon != start.moon { changes.append("moon changes") }\n' in (copy / SETTINGS).read_text()


def test_an_object_with_a_required_member_may_be_left_out(copy: Path) -> None:
    sea = {"type": "object", "properties": {"far": {"type": "boolean"}}, "required": ["far"]}
    assert add(copy, "sea", sea | {"additionalProperties": False, "x-reload": "takes effect"}) == ""
    swift = structure(copy / SETTINGS, "DaemonSettings")
    assert "\n  package var sea: Sea?\n" in swift
    assert "\n    package let far: Bool\n" in swift
    assert "start.sea" not in (copy / SETTINGS).read_text()


def test_chosen_names_are_read_by_swift(copy: Path) -> None:
    tides = {
        "type": "object",
        "maxProperties": 12,
        "propertyNames": {"minLength": 1, "maxLength": 9, "x-maxBytes": 9},
        "additionalProperties": {"type": "integer", "minimum": 0},
        "x-reload": "takes effect",
    }
    assert add(copy, "tides", tides) == ""
    swift = structure(copy / SETTINGS, "DaemonSettings")
    assert "\n  package var tides: [String: Int] = [:]\n" in swift
    assert (
        '\n      try reader["tides"]?.map(maximum: 12, nameBytes: 1...9) { element throws(RPCError) in\n'
        "        try element.integer(in: 0...Int.max)\n      } ?? tides\n"
    ) in swift


def test_alternatives_are_told_apart_by_their_word(copy: Path) -> None:
    def add_kind(document: dict[str, Any]) -> None:
        words = document["components"]["schemas"]["SourceKind"]
        words["enum"].append("moon")
        if "x-words" in words:
            words["x-words"]["moon"] = "The moon."

    def add_alternative(settings: dict[str, Any]) -> None:
        kind = {"const": "moon"}
        settings["definitions"]["MoonSource"] = {
            "type": "object",
            "description": "It shines.",
            "properties": {"kind": kind, "far": {"type": "boolean"}},
            "required": ["kind"],
            "additionalProperties": False,
        }
        settings["definitions"]["Source"]["oneOf"].append({"$ref": "#/definitions/MoonSource"})

    edit(copy, add_alternative, FILE)
    assert "SourceKind does not tell its alternatives apart" in generate(copy).stderr
    edit(copy, add_kind)
    assert generate(copy).stderr == ""
    swift = (copy / SETTINGS).read_text()
    assert "  case moon(MoonSourceMembers)\n" in swift
    assert "    case .moon: self = .moon(try MoonSourceMembers(&reader))\n" in swift
    # The word has been read when its object is.
    assert "kind" not in structure(copy / SETTINGS, "MoonSourceMembers")


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"type": "string", "pattern": "^/", "x-maxBytes": 9}, "nothing enforces pattern"),
        ({"type": "string", "maxLength": 9}, "maxLength counts characters"),
        ({"type": "string", "x-check": "moonPhase"}, "no check moonPhase"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "names are chosen has a bound"),
        (
            {
                "type": "object",
                "maxProperties": 9,
                "propertyNames": {"not": {"const": "x"}},
                "additionalProperties": {"type": "boolean"},
            },
            "nothing enforces not",
        ),
        # A check of an object is none of its members.
        (
            {
                "type": "object",
                "properties": {"age": {"type": "string", "pattern": "^/"}},
                "additionalProperties": False,
                "x-check": "kerberosFiles",
            },
            "nothing enforces pattern",
        ),
    ],
)
def test_a_setting_that_cannot_be_read_strictly_is_refused(
    copy: Path, schema: dict[str, Any], complaint: str
) -> None:
    told = add(copy, "age", {**schema, "x-reload": "takes effect"})
    assert complaint in told
    assert len(told.splitlines()) == 1
