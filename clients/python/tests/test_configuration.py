"""The type of a session's configuration, as a type checker sees it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import watchword
from watchword import configuration

PACKAGE = Path(watchword.__file__).parent
PAGE = Path(__file__).parents[3] / "protocol" / "messages.md"
USE = "from watchword import Client\n\n\ndef use(client: Client) -> None:\n    client.session(None, {})\n"


def example() -> str:
    """Every member with its default, as the contract shows it."""
    found = re.search(r"^```[a-z]*\n(\{.credentialStorage.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    value: dict[str, object] = json.loads(found[1])
    return repr(value)


def complaints(settings: str, folder: Path) -> str:
    """What mypy says of a program that configures a session."""
    (folder / "program.py").write_text(USE.format(settings))
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(folder), "program.py"]
    is_installed = PACKAGE.parent.name == "site-packages"  # mypy finds it by itself, and refuses to be told
    environment = {**os.environ, "MYPYPATH": "" if is_installed else str(PACKAGE.parent)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    ).stdout


def test_the_example_of_the_contract_has_the_type(tmp_path: Path) -> None:
    assert complaints(example(), tmp_path) == ""
    for wrong in (
        "{'redirect': {}}",
        "{'redirects': {'limits': 3}}",
        "{'cookies': 'sometimes'}",
        "{'idleSeconds': '1'}",
    ):
        assert "SessionConfiguration" in complaints(wrong, tmp_path), wrong


def test_the_package_has_the_type() -> None:
    assert watchword.SessionConfiguration is configuration.SessionConfiguration
    code = "import sys, watchword; sys.exit('watchword._generated.configuration' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(PACKAGE.parent)}, check=True, timeout=60)
