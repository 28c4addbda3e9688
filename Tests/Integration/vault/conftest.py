"""An origin with a password, and a bus of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Support.guards import BasicGuard, guarded
from Support.private_bus import PrivateBus
from Support.scripted_origin import ScriptedOrigin


@pytest.fixture
def staff(origin: ScriptedOrigin) -> str:
    """The URL of a document behind Basic."""
    return origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[PrivateBus]:
    bus = PrivateBus(tmp_path / "bus")
    yield bus
    bus.stop()
