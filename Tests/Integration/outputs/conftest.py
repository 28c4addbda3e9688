"""A session and a file for the bodies."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest

from Integration.wire import Peer


@pytest.fixture
def session(peer: Peer) -> str:
    return peer.open()


@pytest.fixture
def file() -> Iterator[int]:
    with tempfile.TemporaryFile() as stream:
        yield stream.fileno()
