"""The page with every method, notification and object, and an example of each method."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from Integration.contract import Check
from Integration.generator.scene import edit, generate, link
from Support.daemon import PROJECT

PAGE = "protocol/reference.md"
CONTRACT: dict[str, Any] = json.loads((PROJECT / "protocol/openrpc.json").read_text())


def section(top: Path, name: str) -> str:
    """What is below the heading of a method or a notification."""
    return re.split(r"\n##+ ", (top / PAGE).read_text().split(f"\n### {name}\n", 1)[1], maxsplit=1)[0]


def add_transcript(top: Path, *lines: dict[str, Any]) -> None:
    """One that comes before all others."""
    (top / "protocol/examples/0.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def request(identifier: int, method: str, **params: Any) -> dict[str, Any]:
    return {"client": {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}}


def result(identifier: int, value: Any) -> dict[str, Any]:
    return {"server": {"jsonrpc": "2.0", "id": identifier, "result": value}}


def test_all_that_the_contract_has_is_there() -> None:
    headings = set(re.findall(r"^#{3,4} (.*)$", (PROJECT / PAGE).read_text(), re.MULTILINE))
    names = {entry["name"] for entry in (*CONTRACT["methods"], *CONTRACT["x-notifications"])}
    assert names <= headings
    assert set(CONTRACT["components"]["schemas"]) - headings == {"Request", "Reply", "Notification"}


def test_a_link_leads_to_its_object() -> None:
    page = (PROJECT / PAGE).read_text()
    headings = set(re.findall(r"^#{2,4} (.*)$", page, re.MULTILINE))
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = set(re.findall(r"\]\(#([^)]+)\)", page))
    assert len(links) > 200 and links <= anchors


def test_an_example_is_the_shortest_exchange_with_a_result(copy: Path) -> None:
    long = {"session": "a-long-name", "url": "http://origin.example/a/long/path"}
    add_transcript(
        copy,
        request(1, "ping"),
        {"server": {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}},
        request(2, "fetch", **long),
        request(3, "fetch", url="{{origin}}/x", session={"$bind": "s"}),
        result(2, {}),
        result(3, {"a": {"$any": "string"}, "url": {"$absent": True}}),
    )
    assert generate(copy).returncode == 0
    assert "error" not in section(copy, "ping")
    example = section(copy, "fetch")
    assert '"params": {"url": "http://origin.example/x", "session": "…s"}}\n← ' in example
    assert '"id": 3, "result": {"a": "…"}}\n' in example
    assert example.count("→") == 1


def test_a_secret_of_a_transcript_is_not_on_the_page() -> None:
    assert "sentinel-" not in (PROJECT / PAGE).read_text()
    assert "sentinel-" not in json.dumps(CONTRACT)


@pytest.mark.parametrize("method", [method["name"] for method in CONTRACT["methods"]])
def test_a_method_has_an_example_that_the_contract_allows(method: str) -> None:
    entry = next(entry for entry in CONTRACT["methods"] if entry["name"] == method)
    parameters = {
        "type": "object",
        "properties": {parameter["name"]: parameter["schema"] for parameter in entry["params"]},
        "required": [parameter["name"] for parameter in entry["params"] if parameter["required"]],
        "additionalProperties": False,
    }
    assert entry["examples"]
    for example in entry["examples"]:
        given = {parameter["name"]: parameter["value"] for parameter in example["params"]}
        assert Check(parameters).faults(method, given) == []


def test_texts_cite_rules_beside_them_and_the_page_has_links(copy: Path) -> None:
    def cite(document: dict[str, Any]) -> None:
        ping = next(method for method in document["methods"] if method["name"] == "ping")
        ping["description"] = "A sign of life."
        ping["x-rules"] = ["messages.md 3.3.1", "messages.md 3.3.2"]
        words = document["components"]["schemas"]["Feature"]
        words["x-rules"] = {**words["x-rules"], "restart": ["messages.md 4.1"]}

    edit(copy, cite)
    assert generate(copy).returncode == 0
    page = link("messages")
    assert f"A sign of life ({page} 3.3.1, {page} 3.3.2)." in section(copy, "ping")
    assert f"| `restart` | `server/restart` ({page} 4.1) |" in (copy / PAGE).read_text()
    described = (copy / "protocol/openrpc.json").read_text()
    assert '"A sign of life."' in described


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("description", "A sign of life (messages.md 3.3.1)."),
        ("x-rules", ["messages.md"]),
        ("x-rules", {"pong": ["messages.md 3.3.1"]}),
    ],
)
def test_a_citation_that_cannot_be_read_alone_is_refused(copy: Path, member: str, value: Any) -> None:
    def cite(document: dict[str, Any]) -> None:
        ping = next(method for method in document["methods"] if method["name"] == "ping")
        ping.setdefault("description", "A sign of life.")
        ping[member] = value

    edit(copy, cite)
    done = generate(copy)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) == 1


def test_errors_that_every_method_has_are_told_once(copy: Path) -> None:
    def fail(document: dict[str, Any]) -> None:
        for method in document["methods"]:
            method["errors"].append({"$ref": "#/components/errors/vaultDamaged"})

    edit(copy, fail)
    assert generate(copy).returncode == 0
    assert (
        "may also fail with `invalidParams` and `internalError` and `vaultDamaged`"
        in (copy / PAGE).read_text()
    )
    assert "vaultDamaged" not in section(copy, "ping")


def test_a_method_without_a_place_is_refused(copy: Path) -> None:
    def move(document: dict[str, Any]) -> None:
        document["methods"][0]["tags"] = [{"name": "moon"}]

    edit(copy, move)
    done = generate(copy)
    assert done.returncode != 0
    assert CONTRACT["methods"][0]["name"] in done.stderr
