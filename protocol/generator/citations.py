"""The rules that descriptions cite.

A description says enough by itself, since `rpc.discover` is read without the pages. `x-rules` beside it has
the rules that say more: `["messages.md 4.14"]`, or of an enumeration `{"configure": ["messages.md 4.16"]}`.
"""

from __future__ import annotations

import re
from typing import Any

from . import schema
from .faults import ContractFault

RULES = "x-rules"
_RULE = re.compile(rf"({'|'.join(map(re.escape, schema.RULES))}) \d+(\.\d+)*")


class CitationFault(ContractFault):
    """A text cites a rule in its words, or none can be cited:"""


def cited(value: Any, place: str = "") -> Any:
    """The value with the rules of `x-rules` at the end of each description, for those who have the pages."""
    if isinstance(value, list):
        return [cited(inner, f"{place}/{index}") for index, inner in enumerate(value)]
    if isinstance(value, str) and _RULE.search(value):
        raise CitationFault(f"{place}: {value}")
    if not isinstance(value, dict):
        return value
    made = {name: cited(inner, f"{place}/{name}") for name, inner in value.items() if name != RULES}
    match value.get(RULES):
        case None:
            pass
        case list(rules) if "description" in made:
            made["description"] = _with(made["description"], rules)
        # Of the words of an enumeration.
        case dict(by_word) if "x-words" in made and by_word.keys() <= made["x-words"].keys():
            words = {word: _with(made["x-words"][word], rules) for word, rules in by_word.items()}
            made["x-words"] = {**made["x-words"], **words}
        case _:
            raise CitationFault(f"{place}/{RULES}: there is no text that could cite them")
    return made


def _with(text: str, rules: list[str]) -> str:
    if wrong := [rule for rule in rules if not _RULE.fullmatch(rule)]:
        raise CitationFault(f"{wrong[0]} is no page with a number")
    stop = "." if text.endswith(".") else ""
    return f"{text.removesuffix('.')} ({', '.join(rules)}){stop}"
