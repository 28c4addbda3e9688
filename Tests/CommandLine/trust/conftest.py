"""Questions that the fake daemon asks."""

from __future__ import annotations

import pytest

from CommandLine.fake_daemon import FakeDaemon, Message
from CommandLine.trust.scene import asking, certificates_of


@pytest.fixture
def replies(daemon: FakeDaemon) -> list[Message]:
    return asking(daemon, **certificates_of())
