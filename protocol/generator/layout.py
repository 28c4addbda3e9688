"""The one layout of `openrpc.json`: what fits into a line is one line."""

from __future__ import annotations

import json
from typing import Any

WIDTH = 120


def text(value: Any) -> str:
    return _laid_out(value, 0, 0) + "\n"


def _laid_out(value: Any, indent: int, used: int) -> str:
    """`used`: the characters before and after the value in its line, beside the indentation."""
    line = _line(value)
    if not isinstance(value, dict | list) or not value or indent + used + len(line) <= WIDTH:
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        members = (
            f"{pad}{_line(key)}: {_laid_out(member, indent + 2, len(_line(key)) + 3)}"
            for key, member in value.items()
        )
        return "{\n" + ",\n".join(members) + "\n" + " " * indent + "}"
    elements = (pad + _laid_out(element, indent + 2, 1) for element in value)
    return "[\n" + ",\n".join(elements) + "\n" + " " * indent + "]"


def _line(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_line(key)}: {_line(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_line, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
