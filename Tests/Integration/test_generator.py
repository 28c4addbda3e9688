"""`protocol/generate`: what restates the contract is made from it and cannot be stale."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from Support.daemon import PROJECT

MADE = (
    "Sources/WatchwordVocabulary/Generated/ErrorKind.swift",
    "clients/python/src/watchword/_generated/errors.py",
    "clients/shell/watchword.sh",
    "protocol/openrpc.json",
    "protocol/README.md",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the contract, of the program and of what it makes."""
    shutil.copytree(PROJECT / "protocol", tmp_path / "protocol")
    for name in MADE:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    return tmp_path


def generate(top: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, top / "protocol/generate", *arguments], capture_output=True, text=True, timeout=60
    )


def test_what_is_committed_is_what_is_made() -> None:
    done = generate(PROJECT, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_error_that_is_added_appears_everywhere(copy: Path) -> None:
    table = copy / "protocol/errors.json"
    rows = json.loads(table.read_text())
    rows.append(
        {
            "code": 1499,
            "kind": "moonPhase",
            "meaning": "The moon is wrong.",
            "retry": "later",
            "exitStatus": 4,
            "data": {"phase": {"type": "string", "description": "What the moon is."}},
        }
    )
    table.write_text(json.dumps(rows))
    checked = generate(copy, "--check")
    assert checked.returncode == 1
    assert all(name in checked.stderr for name in MADE)

    assert generate(copy).returncode == 0
    assert generate(copy, "--check").returncode == 0
    swift, python, shell, document, readme = ((copy / name).read_text() for name in MADE)
    assert "case moonPhase\n" in swift
    assert "case .moonPhase: 1499\n" in swift
    assert "case .moonPhase: .later\n" in swift
    assert "case .serverTrustRejected,\n      .moonPhase:\n      4\n" in swift
    assert """*'"kind":"moonPhase"'*) exit 4 ;;""" in shell
    assert '@error_kind(1499, "moonPhase", "later")\nclass MoonPhase(StorageError):\n' in python
    assert "def phase(self) -> str | None:" in python
    entry = json.loads(document)["components"]["errors"]["moonPhase"]
    assert entry["data"] == {"kind": "moonPhase", "retry": "later"}
    assert (entry["code"], entry["message"]) == (1499, "The moon is wrong.")
    assert "| 1499 | `moonPhase` | `later` | The moon is wrong. |" in readme
    assert "| `phase` | `moonPhase` | What the moon is. |" in readme


def test_a_file_without_a_place_for_the_part_is_not_overwritten(copy: Path) -> None:
    readme = copy / "protocol/README.md"
    readme.write_text("nothing")
    assert generate(copy).returncode != 0
    assert readme.read_text() == "nothing"
