"""What the programs of the Swift tests have in common."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ELLIPTIC = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


@contextmanager
def folder() -> Iterator[Path]:
    """A folder of its own as the working directory, without the connections of the tests that started it."""
    os.closerange(3, 65536)
    with tempfile.TemporaryDirectory(prefix="watchword-swift-") as name:
        os.chmod(name, 0o755)  # noqa: PTH101
        os.chdir(name)
        yield Path(name)


def openssl(*arguments: str, may_fail: bool = False, days_ago: int = 0) -> None:
    clock = ["faketime", f"{days_ago} days ago"] if days_ago else []
    subprocess.run([*clock, "openssl", *arguments], check=not may_fail, capture_output=True)


def serve_until_told() -> None:
    """Says that all is printed; returns when the tests are over, which end the standard input."""
    print("ready", flush=True)
    sys.stdin.read()
