"""What is made says what the contract says, and cannot be stale."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from Integration.generator.scene import ALSO_MADE, MADE, edit, generate
from Support.daemon import PROJECT


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
            "remedy": "Wait for another moon.",
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
    swift, python, shell, page, document, readme = ((copy / name).read_text() for name in MADE)
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
    assert "| `moonPhase` | 4 | The moon is wrong. | Wait for another moon. |" in page


@pytest.mark.parametrize("table", ["errors", "exit-statuses"])
@pytest.mark.parametrize("remedy", [None, " "])
def test_what_happened_is_not_said_without_what_to_do(copy: Path, table: str, remedy: str | None) -> None:
    file = copy / f"protocol/{table}.json"
    rows = json.loads(file.read_text())
    rows[3]["remedy"] = remedy
    file.write_text(json.dumps(rows))
    page = (copy / "clients/troubleshooting.md").read_text()
    for arguments in ([], ["--check"]):
        done = generate(copy, *arguments)
        assert done.returncode != 0
        assert {"errors": "invalidParams", "exit-statuses": "exit status 3"}[table] in done.stderr
    assert (copy / "clients/troubleshooting.md").read_text() == page


def test_a_result_and_its_description_have_one_full_stop_between_them(copy: Path) -> None:
    def describe(document: dict[str, Any]) -> None:
        (method,) = [method for method in document["methods"] if method["name"] == "vault/import"]
        method["result"]["description"] = "Of this moment."

    edit(copy, describe)
    assert generate(copy).returncode == 0
    readme = (copy / "protocol/README.md").read_text()
    (row,) = re.findall(r"^\| `vault/import` .*$", readme, re.MULTILINE)
    assert re.search(r"[^.]\. Of this moment\. \|", row)
    assert not re.search(r"[^./]\.\.[ |]", readme)


def test_a_file_without_a_place_for_the_part_is_not_overwritten(copy: Path) -> None:
    readme = copy / "protocol/README.md"
    readme.write_text("nothing")
    assert generate(copy).returncode != 0
    assert readme.read_text() == "nothing"


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
