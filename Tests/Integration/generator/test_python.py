"""Python's types of the results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from Integration.generator.scene import ALSO_MADE, edit, generate
from Support.daemon import PROJECT


def test_a_result_of_python_has_the_members_of_the_contract(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        schemas = document["components"]["schemas"]
        schemas["ProxyChoice"]["properties"]["mood"] = {"type": "number"}
        schemas["IdentityDecision"]["properties"]["weather"] = {"$ref": "#/components/schemas/Weather"}
        schemas["IdentityDecision"]["required"].append("weather")
        schemas["Weather"] = {
            "type": "object",
            "properties": {"rain": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}},
            "required": ["rain"],
        }

    edit(copy, add)
    assert generate(copy).returncode == 0
    python = (copy / ALSO_MADE[2]).read_text()
    assert "class _ProxyChoice(TypedDict, total=False):\n    mood: float\n" in python
    assert "class ProxyChoice(_ProxyChoice):\n" in python
    assert "    weather: Weather\n" in python
    assert python.index("class Weather(TypedDict):") < python.index("class IdentityDecision(TypedDict):")
    assert "    rain: bool | None\n" in python


def test_python_has_a_type_for_every_kind_of_value(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        schemas = document["components"]["schemas"]
        schemas["Cookie"]["properties"] |= {
            "from": {"type": "string"},
            "shade": {"type": "string", "enum": ["light", "dark"]},
            "taste": {"type": "string", "enum": ["sweet"], "x-open": True},
            "sizes": {"type": "array", "items": {"type": "object", "properties": {"wide": {"const": True}}}},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "where": {"$ref": "#/components/schemas/Place"},
        }
        schemas["Place"] = {
            "anyOf": [
                {"type": "null"},
                {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]},
                {"type": "object", "properties": {"lake": {"type": "number"}}},
            ]
        }

    edit(copy, add)
    assert generate(copy).returncode == 0
    python = (copy / ALSO_MADE[2]).read_text()
    assert 'TypedDict("_CookieReservedOptional", {"from": "str"}, total=False)' in python
    assert '    shade: Literal["light", "dark"]\n' in python
    assert "    taste: str\n" in python
    assert "    sizes: list[CookieSize]\n" in python
    assert "class CookieSize(TypedDict, total=False):\n    wide: Literal[True]\n" in python
    assert "    counts: dict[str, int]\n" in python
    assert "    where: Place\n" in python
    assert "Place = Union[PlaceStreet, PlaceLake, None]\n" in python
    compile(python, "results.py", "exec")


def test_two_objects_of_one_name_are_refused(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        inner = {"type": "object", "properties": {"sides": {"type": "integer"}}}
        document["components"]["schemas"]["Cookie"]["properties"]["toSet"] = inner

    edit(copy, add)
    done = generate(copy)
    assert done.returncode != 0
    assert "CookieToSet" in done.stderr


def test_every_result_has_a_name() -> None:
    document = json.loads((PROJECT / "protocol/openrpc.json").read_text())
    results = {entry["name"]: entry["result"]["schema"] for entry in document["methods"]}
    assert [name for name, schema in results.items() if list(schema) != ["$ref"]] == []
