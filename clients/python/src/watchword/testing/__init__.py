"""For the tests of programs that use Watchword: a private daemon, a protected origin, and recorded challenges.

In ``conftest.py``: ``pytest_plugins = ["watchword.testing"]``. Then tests have the fixtures ``watchword_daemon``,
``watchword_client`` and ``watchword_origin``. No test reaches the daemon, the vault or the keyring of the person who
runs it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .._client import Client
from ._daemon import PrivateDaemon, private_daemon
from ._origin import ProtectedOrigin, ReceivedRequest, protected_origin
from ._recording import Recording, record

__all__ = [
    "PrivateDaemon",
    "ProtectedOrigin",
    "ReceivedRequest",
    "Recording",
    "private_daemon",
    "protected_origin",
    "record",
    "watchword_client",
    "watchword_daemon",
    "watchword_origin",
]


@pytest.fixture
def watchword_daemon(monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateDaemon]:
    """A daemon of this test's own, which everything that the test starts finds by its environment."""
    with private_daemon() as daemon:
        for name, value in daemon.environment.items():
            monkeypatch.setenv(name, value)
        yield daemon


@pytest.fixture
def watchword_client(watchword_daemon: PrivateDaemon) -> Iterator[Client]:
    """A client of that daemon."""
    with watchword_daemon.client() as client:
        yield client


@pytest.fixture
def watchword_origin() -> Iterator[ProtectedOrigin]:
    """An origin whose pages the test chooses."""
    with protected_origin() as origin:
        yield origin
