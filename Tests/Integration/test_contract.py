"""What the compiled checks of messages accept, jsonschema accepts as well."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import pytest

from Integration import contract
from Integration.wire import Json, Peer
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

#: One of each type.
OTHERS: list[Json] = [None, True, -1, 0.5, "a b\n", [None], {"x": 1}]


def altered(value: Json) -> Iterator[Json]:
    """The value with one part of it replaced or left out."""
    yield from OTHERS
    names = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for name in names:
        for part in altered(value[name]):
            other = copy.copy(value)
            other[name] = part
            yield other
        other = copy.copy(value)
        del other[name]
        yield other


@pytest.fixture
def results(peer: Peer, origin: ScriptedOrigin) -> dict[str, Json]:
    session = peer.open(tasks=["*"])
    url = origin.serve("/x", guarded(BasicGuard("staff", "u", "p")))
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    described = {"challenge": challenge["challenge"]}
    results = {
        "initialize": peer.call("initialize"),
        "challenge/describe": peer.call("challenge/describe", described),
        "session/describe": peer.call("session/describe", {"session": session}),
        "explain": peer.call("explain", {"session": session, "url": url}),
    }
    peer.dispose(challenge, "performDefaultHandling")
    return {**results, "fetch": peer.result(fetch)}


def test_compiled_checks_accept_what_jsonschema_accepts(results: dict[str, Json]) -> None:
    for method, result in results.items():
        check = contract.result_of(method)
        assert check.accepts_at_once(result), method
        verdicts = {True: 0, False: 0}
        for other in altered(result):
            accepted = check.accepts_at_once(other)
            verdicts[accepted] += 1
            assert not accepted or check.judge.is_valid(other), (method, other)
        assert all(verdicts.values()), (method, verdicts)
