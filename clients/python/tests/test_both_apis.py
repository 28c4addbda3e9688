"""The asyncio API has the methods of the blocking one, with the same parameters and results."""

from __future__ import annotations

import inspect
import re

import pytest

import watchword

#: What one of a pair lacks, with its reason.
MISSING = {
    "Client.connect",  # __init__ has connected it
    "AsyncClient.serve",  # a loop answers while it runs
    "AsyncStream.status",  # a property cannot wait
    "AsyncStream.status_code",
    "AsyncWatch.next",  # asyncio.wait_for limits any wait
}
#: As in ``next``, no time limit.
OTHER_PARAMETERS = {"wait"}

PAIRS = [
    (watchword.Client, watchword.AsyncClient),
    (watchword.Session, watchword.AsyncSession),
    (watchword.Stream, watchword.AsyncStream),
    (watchword.Task, watchword.AsyncTask),
    (watchword.Watch, watchword.AsyncWatch),
]


def members(kind: type) -> dict[str, str]:
    """The public names of a class with their signatures, in the words of the blocking API."""
    found = {}
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        function = value.fget if isinstance(value, property) else value
        told = str(inspect.signature(function)) if callable(function) else ""
        found[name] = re.sub(r"\b(Async|Any(?=\w+Handler))", "", told)
    return found


@pytest.mark.parametrize(("blocking", "waiting"), PAIRS, ids=lambda kind: kind.__name__)
def test_a_pair_has_the_same_methods(blocking: type, waiting: type) -> None:
    first, second = members(blocking), members(waiting)
    lacking = {f"{blocking.__name__}.{name}" for name in second.keys() - first.keys()}
    lacking |= {f"{waiting.__name__}.{name}" for name in first.keys() - second.keys()}
    assert lacking == {name for name in MISSING if name.split(".")[0] in (blocking.__name__, waiting.__name__)}
    both = (first.keys() & second.keys()) - OTHER_PARAMETERS
    assert {name: first[name] for name in both} == {name: second[name] for name in both}
