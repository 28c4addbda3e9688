"""Modules import one way: no module reaches itself, type checking included."""

from __future__ import annotations

import ast
from pathlib import Path

import watchword

PACKAGE = Path(watchword.__file__).parent


def imports(file: Path) -> set[str]:
    """The modules of the package that a file imports, by their paths from the package."""
    folder = file.relative_to(PACKAGE).parent.parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder[: len(folder) - node.level + 1]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found.update(".".join((*base, name)) for name in names)
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {".".join(f.relative_to(PACKAGE).with_suffix("").parts): imports(f) for f in PACKAGE.rglob("*.py")}
    assert "_errors" in graph["_session"]

    def reached(module: str) -> set[str]:
        seen: set[str] = set()
        left = [module]
        while left:
            new = graph.get(left.pop(), set()) - seen
            seen |= new
            left += new
        return seen

    assert [module for module in graph if module in reached(module)] == []
