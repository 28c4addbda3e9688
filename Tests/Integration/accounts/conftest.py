"""Who watches the status while others make the daemon keep something."""

from __future__ import annotations

import pytest

from Integration.accounts.scene import Connect, Scene
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin


@pytest.fixture
def scene(connect: Connect, origin: ScriptedOrigin, daemon: Daemon) -> Scene:
    return Scene(connect, origin)
