"""A sample of mutated replies on warm sessions; `Integration.storm` runs as many as there is time for."""

from __future__ import annotations

import asyncio

import pytest

from Integration.storm import storm
from Support.daemon import Daemon

pytestmark = pytest.mark.core

SEED = 20261122
COUNT = 600


def test_mutants_leave_the_daemon_and_other_replies_whole(daemon: Daemon) -> None:
    print(f"seed {SEED}")
    outcomes = asyncio.run(storm(daemon.socket, SEED, range(COUNT)))
    assert outcomes.total() == COUNT
    assert outcomes["200"] > 0 and outcomes["malformedResponse"] > 0
