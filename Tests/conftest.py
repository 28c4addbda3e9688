"""What holds for every test here."""

from __future__ import annotations

import itertools
import os

import pytest

from Support import signals

# How many cases of one test run in a sanitizer build, which finds faults of code; the cases differ in values.
SANITIZED_CASES = {"address": 2, "thread": 1}

signals.pass_on_defaults()
# The daemon refuses a configuration file that others may write to.
os.umask(0o022)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    most = SANITIZED_CASES.get(os.environ.get("WATCHWORD_SANITIZED", ""))
    if most is None:
        return
    chosen = {
        case.nodeid for _, cases in itertools.groupby(items, _test) for case in _ends(list(cases), most)
    }
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]


def _test(item: pytest.Item) -> str:
    """The test whose case this is."""
    return item.nodeid.partition("[")[0]


def _ends(cases: list[pytest.Item], most: int) -> list[pytest.Item]:
    """Cases from both ends, at most so many."""
    return cases if len(cases) <= most else cases[: most - 1] + cases[-1:]
