"""What is made says what the contract says, and cannot be stale."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from Integration.generator.scene import (
    ALSO_MADE,
    MADE,
    PARAMETERS,
    REQUESTS,
    edit,
    generate,
    link,
    structure,
)
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
    swift, python, shell, page, document, reference = ((copy / name).read_text() for name in MADE)
    assert "case moonPhase\n" in swift
    assert "case .moonPhase: 1499\n" in swift
    assert "case .moonPhase: .later\n" in swift
    assert "case .serverTrustRejected,\n      .moonPhase:\n      4\n" in swift
    errors = (copy / "Sources/WatchwordProtocol/Generated/RPCError+Kinds.swift").read_text()
    assert "static func moonPhase(_ message: String, phase: String) -> RPCError {" in errors
    assert """*'"kind":"moonPhase"'*) exit 4 ;;""" in shell
    assert '@error_kind(1499, "moonPhase", "later")\nclass MoonPhase(StorageError):\n' in python
    assert "def phase(self) -> str | None:" in python
    entry = json.loads(document)["components"]["errors"]["moonPhase"]
    assert entry["data"] == {"kind": "moonPhase", "retry": "later"}
    assert (entry["code"], entry["message"]) == (1499, "The moon is wrong.")
    assert "| 1499 | `moonPhase` | `later` | The moon is wrong. |" in reference
    assert "| `phase` | `moonPhase` | What the moon is. |" in reference
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
    reference = (copy / "protocol/reference.md").read_text()
    (line,) = re.findall(r"^Result: .* Of this moment\.$", reference, re.MULTILINE)
    assert re.search(r"[^.]\. Of this moment\.$", line)
    assert not re.search(r"[^./]\.\.(?: |$)", reference)


def test_a_file_without_a_place_for_the_part_is_not_overwritten(copy: Path) -> None:
    page = copy / "protocol/administrator.md"
    page.write_text("nothing")
    assert generate(copy).returncode != 0
    assert page.read_text() == "nothing"


def test_a_member_that_is_added_appears_in_the_tables(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        schemas = document["components"]["schemas"]
        schemas["Challenge"]["properties"]["mood"] = {
            "type": "integer",
            "minimum": 1,
            "maximum": 9000,
            "default": 7,
            "description": "See task/list.",
            "x-rules": ["messages.md 6.1.2", "challenges.md 2.4"],
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
    reference = (copy / "protocol/reference.md").read_text()
    meaning = f"See `task/list` ({link('messages')} 6.1.2, {link('challenges')} 2.4)."
    assert f"| `mood?` | integer, 1 to 9,000 | `7` | {meaning} |\n" in reference
    assert "| `shape?` | {`sides?`} or null | | |\n| `shape.sides?` |" in reference
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
    reference = (copy / "protocol/reference.md").read_text()
    assert (
        "| `age?` | number, 0 and more | | |\n"
        in reference.split("\n### cookie/remove\n")[1].split("\n### ")[0]
    )
    assert "| `left?` | boolean | | Some. |\n" in reference.split("\n#### Removal\n")[1].split("\n#### ")[0]


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
    page = (copy / "protocol/administrator.md").read_text()
    assert "| `mood` | `3` | integer, at most 9 | Of the daemon. | changes at once |\n" in page
    assert '  "mood": 7\n}\n```\n' in page
    assert "<br>`age?`: number | The file's contents" in page
    reference = (copy / "protocol/reference.md").read_text()
    assert "| `moods` | 5,000 | Moods of a uid. | `limitExceeded` |\n" in reference
    assert file.read_text().count("\n") > 300


def test_a_word_without_a_meaning_is_refused(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        document["components"]["schemas"]["SourceFault"]["enum"].append("moody")

    edit(copy, add)
    done = generate(copy)
    assert done.returncode != 0
    assert "moody" in done.stderr


def test_a_rule_of_the_page_itself_is_cited_without_its_name(copy: Path) -> None:
    file = copy / "protocol/configuration.json"
    settings = json.loads(file.read_text())
    settings["properties"]["logLevel"]["description"] = "As administrator.md 15.2.2 says."
    settings["properties"]["access"]["description"] = "See administrator.md 8.2 and storage.md 7.3.1."
    file.write_text(json.dumps(settings))
    assert generate(copy).returncode == 0
    page = (copy / "protocol/administrator.md").read_text()
    assert "| As rule 15.2.2 says. |" in page
    assert f"| See section 8.2 and {link('storage')} 7.3.1. |" in page
    assert link("administrator") not in page


def test_a_method_that_no_table_has_is_refused(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        document["methods"].append({**document["methods"][0], "name": "moon/phase"})

    edit(copy, add)
    done = generate(copy)
    assert done.returncode != 0
    assert "moon/phase" in done.stderr


def test_a_method_has_the_parameters_of_the_one_that_it_names(copy: Path) -> None:
    def add(document: dict[str, Any]) -> None:
        fetch = next(method for method in document["methods"] if method["name"] == "fetch")
        fetch["params"].append({"name": "haste", "schema": {"type": "boolean", "default": False}})

    edit(copy, add)
    assert generate(copy).returncode == 0
    document = json.loads((copy / "protocol/openrpc.json").read_text())
    start = next(method for method in document["methods"] if method["name"] == "task/start")
    assert start["params"][-1]["name"] == "haste"
    assert structure(copy / REQUESTS, "TaskStart").count("haste: Bool") > 0
    assert structure(copy / PARAMETERS, "FetchParameters").count("haste: Bool") > 0
