"""The types of what methods return as it comes, and of notifications."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import watchword
from watchword import results

PACKAGE = Path(watchword.__file__).parent


def test_the_package_has_the_types_of_its_methods() -> None:
    assert watchword.StatusSnapshot is results.StatusSnapshot
    assert watchword.Challenge is not results.Challenge  # type: ignore[comparison-overlap]
    with pytest.raises(AttributeError, match="NoSuchThing"):
        getattr(watchword, "NoSuchThing")  # noqa: B009


def test_a_program_that_names_no_type_loads_none() -> None:
    code = "import sys, watchword; sys.exit('watchword._generated.results' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(PACKAGE.parent)}, check=True, timeout=60)


def overloads(module: str) -> dict[str, str]:
    """What ``watch`` gives for each notification."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse((PACKAGE / module).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name == "watch" and node.decorator_list:
            given: Any = node.args.args[1].annotation
            words = [leaf.value for leaf in ast.walk(given) if isinstance(leaf, ast.Constant)]
            found.update((str(word), ast.unparse(node.returns) if node.returns else "") for word in words)
    return found


@pytest.mark.parametrize(("module", "watch"), [("_client.py", "Watch"), ("_async_client.py", "AsyncWatch")])
def test_every_notification_has_its_type(module: str, watch: str) -> None:
    found = overloads(module)
    listed = {name for name in results.__all__ if "Did" in name or "Will" in name}
    assert {"".join(part[0].upper() + part[1:] for part in method.split("/")) for method in found} == {
        name for name in listed if not name.startswith("TaskWillRedirectR")
    }
    for method, given in found.items():
        name = given.removeprefix(f"{watch}[results.").removesuffix("]")
        own = "".join(part[0].upper() + part[1:] for part in method.split("/"))
        assert getattr(results, name) is getattr(results, own)
