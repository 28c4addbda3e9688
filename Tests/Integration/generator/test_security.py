"""The page that says what checks the rules of security.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

from Integration.generator.scene import generate

PAGE = "protocol/security.md"
CHECKS = "protocol/security-tests.json"
MADE = "protocol/security-tests.md"


def add_rule(top: Path, text: str) -> str:
    """A rule behind the first ones; its number."""
    page = (top / PAGE).read_text()
    last = max(int(number) for number in re.findall(r"^- \*\*2\.(\d+)\*\*", page, re.M))
    number = f"2.{last + 1}"
    head, heading, rest = page.partition("\n## 3 ")
    (top / PAGE).write_text(f"{head}- **{number}** {text}\n{heading}{rest}")
    return number


def test_a_rule_has_what_checks_it(copy: Path) -> None:
    number = add_rule(copy, "The moon is no peer.\n  It has no uid. Against: a | tide.")
    checks = json.loads((copy / CHECKS).read_text())
    checks[number] = ["moon.jsonl", "test_the_moon", "a look at the sky"]
    (copy / CHECKS).write_text(json.dumps(checks))
    assert generate(copy).returncode == 0
    row = f"| **{number}** The moon is no peer. | `moon.jsonl`, `test_the_moon`, a look at the sky |\n"
    assert row in (copy / MADE).read_text().split("\n## 3 ")[0]


def test_a_rule_that_nothing_checks_is_refused(copy: Path) -> None:
    number = add_rule(copy, "The moon is no peer.")
    done = generate(copy)
    assert done.returncode != 0
    assert f"security-tests.json: {number}\n" in done.stderr


def test_a_check_of_no_rule_is_refused(copy: Path) -> None:
    checks = json.loads((copy / CHECKS).read_text())
    checks["99.1"] = ["test_the_moon"]
    (copy / CHECKS).write_text(json.dumps(checks))
    done = generate(copy)
    assert done.returncode != 0
    assert "security-tests.json: 99.1\n" in done.stderr
