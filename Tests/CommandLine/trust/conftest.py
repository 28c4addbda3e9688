"""Questions that the fake daemon asks."""

from __future__ import annotations

import pytest

from CommandLine.trust.scene import asking, certificates_of
from Support.fake_daemon import FakeDaemon, Message


@pytest.fixture
def replies(daemon: FakeDaemon) -> list[Message]:
    return asking(daemon, **certificates_of())
