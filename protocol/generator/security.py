"""The page that says which test checks a rule of security.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .faults import ContractFault

FILE = "protocol/security-tests.md"
PAGE = "security.md"

INTRODUCTION = """# What checks the rules against attacks

<!-- Made from security.md and security-tests.json by protocol/generate. -->

A transcript of [`examples/`](examples/README.md) (`file.jsonl`), or a test in Python, Swift or the shell (the
function's name). A test checks that these exist.
"""
#: A heading with its number, or a rule with its text.
PART = re.compile(
    r"^## (?P<section>\d+) (?P<title>.*)$|^- \*\*(?P<rule>\d+\.\d+)\*\* (?P<text>.*(?:\n  .*)*)", re.M
)
#: What a transcript or a function is called; everything else is a sentence.
NAME = re.compile(r"\w[\w-]*\.jsonl|\w+")


class Unchecked(ContractFault):
    """A rule that nothing checks, or a check of no rule."""


def markdown(page: str, checks: dict[str, list[str]]) -> str:
    """The whole page.

    - Parameter checks: what checks a rule, by its number; everything in `security-tests.json`.
    """
    rules = {found["rule"] for found in PART.finditer(page) if found["rule"]}
    if differing := rules ^ {rule for rule, names in checks.items() if names}:
        raise Unchecked(f"security-tests.json: {', '.join(sorted(differing, key=_order))}")
    return INTRODUCTION + "".join(_tables(page, checks))


def _tables(page: str, checks: dict[str, list[str]]) -> Iterator[str]:
    heading = ""
    for found in PART.finditer(page):
        if found["section"]:
            heading = f"\n## {found['section']} {found['title']}\n\n| rule | checked by |\n|---|---|\n"
            continue
        yield heading
        heading = ""
        names = (f"`{name}`" if NAME.fullmatch(name) else name for name in checks[found["rule"]])
        yield f"| **{found['rule']}** {_first_sentence(found['text'])} | {', '.join(names)} |\n"


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?!]) ", " ".join(text.split()), maxsplit=1)[0].replace("|", "\\|")


def _order(rule: str) -> tuple[int, ...]:
    return tuple(map(int, rule.split(".")))
