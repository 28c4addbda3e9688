"""A copy of the contract that a test may change."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

MADE = (
    "Sources/WatchwordVocabulary/Generated/ErrorKind.swift",
    "clients/python/src/watchword/_generated/errors.py",
    "clients/shell/watchword.sh",
    "clients/troubleshooting.md",
    "protocol/openrpc.json",
    "protocol/reference.md",
)
ALSO_MADE = (
    "Sources/WatchwordMessages/Generated/SentObjects.swift",
    "clients/python/src/watchword/_generated/enumerations.py",
    "clients/python/src/watchword/_generated/results.py",
)

REQUESTS = "Sources/WatchwordMessages/Generated/Requests.swift"
METHODS = "Sources/WatchwordProtocol/Generated/MethodName.swift"
PARAMETERS = "Sources/WatchwordProtocol/Generated/Requests/Parameters.swift"
SETTINGS = "Sources/WatchwordServer/Generated/Settings/DaemonSettings.swift"


def generate(top: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, top / "protocol/generate", *arguments], capture_output=True, text=True, timeout=60
    )


def edit(top: Path, change: Callable[[dict[str, Any]], None], name: str = "openrpc.json") -> None:
    """Changes a file of the contract, in any layout."""
    file = top / "protocol" / name
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))


def structure(file: Path, name: str) -> str:
    """A structure of a Swift file, with its description."""
    found = re.search(
        rf"(?:^ *///.*\n)*^( *)package struct {name}: .*\n(?:.*\n)*?\1}}\n", file.read_text(), re.M
    )
    assert found is not None, f"{file.name} has no {name}"
    return found[0]


def link(page: str) -> str:
    """As a table has the page of a rule that it cites."""
    return f"[{page}.md]({page}.md)"
