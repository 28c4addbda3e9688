"""`protocol/generate`: what restates the contract is made from it and cannot be stale."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from Support.daemon import PROJECT

MADE = (
    "Sources/WatchwordVocabulary/Generated/ErrorKind.swift",
    "clients/python/src/watchword/_generated/errors.py",
    "clients/shell/watchword.sh",
    "protocol/openrpc.json",
    "protocol/README.md",
)
ALSO_MADE = (
    "Sources/WatchwordMessages/Generated/Sent/Sent+Challenge.swift",
    "clients/python/src/watchword/_generated/enumerations.py",
    "clients/python/src/watchword/_generated/results.py",
)

MESSAGES = "Sources/WatchwordMessages/Generated"
REQUESTS = "Sources/WatchwordProtocol/Generated/Requests"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the contract, of the program and of what it makes."""
    shutil.copytree(PROJECT / "protocol", tmp_path / "protocol")
    for name in (*MADE, *ALSO_MADE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    return tmp_path


def generate(top: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, top / "protocol/generate", *arguments], capture_output=True, text=True, timeout=60
    )


def test_what_is_committed_is_what_is_made() -> None:
    done = generate(PROJECT, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_error_that_is_added_appears_everywhere(copy: Path) -> None:
    table = copy / "protocol/errors.json"
    rows = json.loads(table.read_text())
    rows.append(
        {
            "code": 1499,
            "kind": "moonPhase",
            "meaning": "The moon is wrong.",
            "retry": "later",
            "exitStatus": 4,
            "data": {"phase": {"type": "string", "description": "What the moon is."}},
        }
    )
    table.write_text(json.dumps(rows))
    checked = generate(copy, "--check")
    assert checked.returncode == 1
    assert all(name in checked.stderr for name in MADE)

    assert generate(copy).returncode == 0
    assert generate(copy, "--check").returncode == 0
    swift, python, shell, document, readme = ((copy / name).read_text() for name in MADE)
    assert "case moonPhase\n" in swift
    assert "case .moonPhase: 1499\n" in swift
    assert "case .moonPhase: .later\n" in swift
    assert "case .serverTrustRejected,\n      .moonPhase:\n      4\n" in swift
    assert """*'"kind":"moonPhase"'*) exit 4 ;;""" in shell
    assert '@error_kind(1499, "moonPhase", "later")\nclass MoonPhase(StorageError):\n' in python
    assert "def phase(self) -> str | None:" in python
    entry = json.loads(document)["components"]["errors"]["moonPhase"]
    assert entry["data"] == {"kind": "moonPhase", "retry": "later"}
    assert (entry["code"], entry["message"]) == (1499, "The moon is wrong.")
    assert "| 1499 | `moonPhase` | `later` | The moon is wrong. |" in readme
    assert "| `phase` | `moonPhase` | What the moon is. |" in readme


def test_a_file_without_a_place_for_the_part_is_not_overwritten(copy: Path) -> None:
    readme = copy / "protocol/README.md"
    readme.write_text("nothing")
    assert generate(copy).returncode != 0
    assert readme.read_text() == "nothing"


def edit(top: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes the contract, in any layout."""
    file = top / "protocol/openrpc.json"
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))


def test_a_member_that_is_added_appears_in_the_tables(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        schemas = document["components"]["schemas"]
        schemas["Challenge"]["properties"]["mood"] = {
            "type": "integer",
            "minimum": 1,
            "maximum": 9000,
            "default": 7,
            "description": "See task/list, README.md 6.1.2 and challenges.md 2.4.",
        }
        schemas["Waiter"]["properties"]["shape"] = {
            "anyOf": [
                {"type": "object", "properties": {"sides": {"$ref": "#/components/schemas/Id"}}},
                {"type": "null"},
            ]
        }

    edit(copy, add)
    assert generate(copy, "--check").returncode == 1
    assert generate(copy).returncode == 0
    readme = (copy / "protocol/README.md").read_text()
    page = Path("challenges").with_suffix(".md")
    meaning = f"See `task/list`, rule 6.1.2 and [{page}]({page}) 2.4."
    assert f"| `mood?` | integer, 1 to 9,000 | `7` | {meaning} |\n" in readme
    assert "| `shape?` | {`sides?`} or null | | |\n| `shape.sides?` |" in readme
    assert (copy / "protocol/openrpc.json").read_text().count("\n") > 1000
    swift = (copy / ALSO_MADE[0]).read_text()
    assert "    package let mood: Int?\n" in swift
    assert " mood: Int?\n    ) {" in swift
    assert '      if let mood { writer.member("mood", mood) }\n' in swift


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
    folder = copy / Path(ALSO_MADE[0]).parent
    swift = (folder / "Sent+Cookie.swift").read_text()
    assert "package import WatchwordVocabulary\n" in swift
    for member in (
        "`where`: String",
        "wait: Double",
        "sizes: [Sent.CookieSize]",
        "counts: [(name: String, value: Int)]",
        "fields: [HeaderField]",
        "id: JSONValue",
        "moon: Double??",
        "place: Sent.CookiePlace",
    ):
        assert f"    package let {member}\n" in swift
    assert '      writer.seconds("wait", wait)\n' in swift
    assert '      if let moon { writer.member("moon", moon) }\n' in swift
    # What not all alternatives have may be left out of the initializer, and nothing else.
    assert "wide: Bool?)" in (folder / "Sent+CookieSize.swift").read_text()
    assert (
        "init(hill: String? = nil, far: Bool? = nil, lake: String? = nil)"
        in (folder / "Sent+CookiePlace.swift").read_text()
    )


def test_a_type_that_is_not_sent_any_more_is_removed(copy: Path) -> None:
    folder = copy / Path(ALSO_MADE[0]).parent
    shutil.copytree(PROJECT / Path(ALSO_MADE[0]).parent, folder, dirs_exist_ok=True)
    (folder / "Sent+Former.swift").write_text("")
    assert "Sent+Former.swift" in generate(copy, "--check").stderr
    assert generate(copy).returncode == 0
    assert not (folder / "Sent+Former.swift").exists()


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
    assert "NameTaken: CookieToSet" in done.stderr


def test_every_result_has_a_name() -> None:
    document = json.loads((PROJECT / "protocol/openrpc.json").read_text())
    results = {entry["name"]: entry["result"]["schema"] for entry in document["methods"]}
    assert [name for name, schema in results.items() if list(schema) != ["$ref"]] == []


def test_a_parameter_and_a_result_that_are_added_appear_in_the_tables(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        method = next(entry for entry in document["methods"] if entry["name"] == "cookie/remove")
        method["params"].append({"name": "age", "schema": {"type": "number", "minimum": 0}})
        document["components"]["schemas"]["Removal"]["properties"]["left"] = {
            "type": "boolean",
            "description": "Some.",
        }

    edit(copy, add)
    assert generate(copy).returncode == 0
    (row,) = (
        line
        for line in (copy / "protocol/README.md").read_text().splitlines()
        if line.startswith("| `cookie/remove` |")
    )
    assert "<br>`age?`: number, 0 and more | " in row
    assert "<br>`left?`: boolean. Some. | " in row


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
    swift = (copy / REQUESTS / "CookieRemoveParameters.swift").read_text()
    assert swift.startswith("package import WatchwordSecret\n\n/// The parameters of `cookie/remove`.")
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
    request = (copy / MESSAGES / "Request/Request+CookieRemove.swift").read_text()
    assert "    package let `default`: String?\n" in request
    assert '      if let days { writer.member("days", days) }\n' in request


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"type": "moon"}, "moon"),
        ({"type": "string", "x-check": "moonPhase"}, "no check moonPhase"),
        ({"type": "array", "items": {"type": "string"}}, "a list has a bound"),
        ({"type": "object", "properties": {}}, "takes members that it does not name"),
    ],
)
def test_a_parameter_that_cannot_be_read_strictly_is_refused(
    copy: Path, schema: dict[str, Any], complaint: str
) -> None:
    edit(copy, lambda document: document["methods"][0]["params"].append({"name": "age", "schema": schema}))
    done = generate(copy)
    assert done.returncode != 0
    assert complaint in done.stderr


def test_what_nothing_makes_any_more_is_removed(copy: Path) -> None:
    assert generate(copy).returncode == 0
    old = copy / REQUESTS / "MoonPhaseParameters.swift"
    old.write_text("")
    assert old.name in generate(copy, "--check").stderr
    assert generate(copy).returncode == 0
    assert not old.exists()
    assert generate(copy, "--check").returncode == 0


def test_a_setting_and_a_limit_that_are_added_appear_in_the_tables(copy: Path) -> None:
    file = copy / "protocol/configuration.json"
    settings = json.loads(file.read_text())
    settings["properties"]["mood"] = {
        "type": "integer",
        "maximum": 9,
        "default": 3,
        "description": "Of the daemon.",
        "x-reload": "changes at once",
    }
    settings["definitions"]["FileSource"]["properties"]["age"] = {"type": "number"}
    settings["examples"][0]["mood"] = 7
    file.write_text(json.dumps(settings))

    def add(document: dict[str, Any]) -> None:
        document["components"]["schemas"]["Limits"]["properties"]["moods"] = {
            "type": "integer",
            "default": 5000,
            "description": "Moods of a uid.",
            "x-beyond": "limitExceeded",
        }

    edit(copy, add)
    assert generate(copy).returncode == 0
    readme = (copy / "protocol/README.md").read_text()
    assert "| `mood` | `3` | integer, at most 9 | Of the daemon. | changes at once |\n" in readme
    assert '  "mood": 7\n}\n```\n' in readme
    assert "<br>`age?`: number | The file's contents" in readme
    assert "| `moods` | 5,000 | Moods of a uid. | `limitExceeded` |\n" in readme
    assert file.read_text().count("\n") > 300


def test_a_word_without_a_meaning_is_refused(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        document["components"]["schemas"]["SourceFault"]["enum"].append("moody")

    edit(copy, add)
    done = generate(copy)
    assert done.returncode != 0
    assert "moody" in done.stderr


def test_a_method_that_no_table_has_is_refused(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        document["methods"].append({**document["methods"][0], "name": "moon/phase"})

    edit(copy, add)
    done = generate(copy)
    assert done.returncode != 0
    assert "moon/phase" in done.stderr
