"""A copy of the contract that a test may change."""

from __future__ import annotations

import json
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
    "Sources/WatchwordMessages/Generated/Sent/Sent+Challenge.swift",
    "clients/python/src/watchword/_generated/enumerations.py",
    "clients/python/src/watchword/_generated/results.py",
)

MESSAGES = "Sources/WatchwordMessages/Generated"
REQUESTS = "Sources/WatchwordProtocol/Generated/Requests"


def generate(top: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, top / "protocol/generate", *arguments], capture_output=True, text=True, timeout=60
    )


def edit(top: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes the contract, in any layout."""
    file = top / "protocol/openrpc.json"
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))
