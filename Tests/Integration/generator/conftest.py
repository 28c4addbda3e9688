from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from Integration.generator.scene import ALSO_MADE, MADE
from Support.daemon import PROJECT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the contract, of the program and of what it makes."""
    shutil.copytree(PROJECT / "protocol", tmp_path / "protocol")
    for name in (*MADE, *ALSO_MADE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    return tmp_path
