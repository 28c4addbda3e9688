"""A session to meet them with."""

from __future__ import annotations

import pytest

from Integration.wire import Peer


@pytest.fixture
def session(peer: Peer) -> str:
    return peer.open()
