"""Nonces and their counts: stale, next, replaced, refused."""

from __future__ import annotations

import pytest

from Integration.digest.scene import assert_flawless, pass_once
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, many, password
from Support.exchange import Exchange
from Support.guards import DigestGuard, guarded, parameters_of
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]


def test_counts_rise_across_concurrent_tasks(asked: Asked, origin: ScriptedOrigin) -> None:
    """One nonce, no count twice, one exchange a fetch."""
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    before = len(origin.requests)
    fetches = [peer.start_fetch(session, url) for _ in range(200)]
    assert all(peer.result(fetch)["status"] == 200 for fetch in fetches)
    assert len(origin.requests) - before == 200
    assert len(guard.counts) == 201
    assert {count for _, count in guard.counts} == set(range(1, 202))
    assert_flawless(guard)


def test_a_stale_nonce_is_not_a_refusal(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=3)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    exchanges = [len(peer.metrics(session, url)["exchanges"]) for _ in range(9)]
    assert exchanges == [1, 1, 2, 1, 1, 2, 1, 1, 2]
    peer.nothing_asked()
    assert_flawless(guard)


def test_many_tasks_survive_a_nonce_that_goes_stale_under_them(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=20)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    fetches = [peer.start_fetch(session, url) for _ in range(200)]
    assert all(peer.result(fetch)["status"] == 200 for fetch in fetches)
    peer.nothing_asked()
    assert_flawless(guard)


def test_next_nonce_is_used_without_another_exchange(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, next_nonce_after=1, uses_per_nonce=1)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    for _ in range(5):
        assert len(peer.metrics(session, url)["exchanges"]) == 1
    assert_flawless(guard)


def fetch_many(peer: Peer, session: str, url: str, count: int, parallel: int = 64) -> list[Json]:
    """The results of `count` fetches, so many at a time."""
    fetches: list[int] = []
    results: list[Json] = []
    for _ in range(count):
        if len(fetches) == parallel:
            results.append(peer.result(fetches.pop(0)))
        fetches.append(peer.start_fetch(session, url, metrics=True))
    return results + [peer.result(fetch) for fetch in fetches]


FETCHES = many(1000)
PARTICULAR = [
    pytest.param({"in_order": True}, 1, id="counts in order"),
    pytest.param({"uses_per_nonce": 1, "says_stale": False}, FETCHES, id="each nonce once"),
    pytest.param({"uses_per_nonce": 7, "says_stale": False}, FETCHES // 7 + 1, id="each nonce 7 times"),
    pytest.param({"uses_per_nonce": 7, "says_stale": False, "in_order": True}, FETCHES // 7 + 1, id="both"),
]


@pytest.mark.parametrize(("rules", "repeated"), PARTICULAR)
def test_an_origin_that_is_particular_about_counts_delivers_no_401(
    peer: Peer, origin: ScriptedOrigin, rules: dict[str, Json], repeated: int
) -> None:
    """64 in flight share a nonce; what such an origin dislikes costs one more exchange, never a refusal."""
    session = peer.open(tasks=["*"], configuration={"connectionsPerHost": 64})
    guard = DigestGuard("staff", USER, PASSWORD, **rules)
    url = origin.serve("/", guarded(guard))
    pass_once((peer, session), url)
    results = fetch_many(peer, session, url, FETCHES)
    assert {result["status"] for result in results} == {200}
    peer.nothing_asked()
    assert_flawless(guard)
    # Beyond those that were in flight when counts began to be sent in order.
    assert guard.disliked <= repeated + 64
    if guard.uses_per_nonce is None:
        later = fetch_many(peer, session, url, 200)
        assert {len(result["metrics"]["exchanges"]) for result in later} == {1}


@pytest.mark.parametrize("parallel", [1, 64])
def test_a_changed_password_costs_one_bad_login_with_a_new_nonce(
    peer: Peer, origin: ScriptedOrigin, parallel: int
) -> None:
    session = peer.open(tasks=["*"], configuration={"connectionsPerHost": 64})
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once((peer, session), url)
    known = set(guard.issued)
    guard.password = PASSWORD + "2"
    before = len(origin.requests)
    fetches = [peer.start_fetch(session, url) for _ in range(parallel)]
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    tried = [
        parameters_of(request.authorization)["nonce"]
        for request in origin.requests[before:]
        if request.authorization
    ]
    # Those that were under way when the first was refused, and the one that tried again.
    assert len([nonce for nonce in tried if nonce not in known]) == 1
    peer.answer(challenge, password(USER, guard.password))
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    peer.nothing_asked()


def test_a_plain_401_to_a_reused_nonce_is_tried_once_more(asked: Asked, origin: ScriptedOrigin) -> None:
    """The server forgot its nonces and does not say stale: not a refusal, once."""
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    guard.issued.clear()
    result = peer.fetch(session, url, metrics=True)
    assert result["status"] == 200
    assert len(result["metrics"]["exchanges"]) == 2
    peer.nothing_asked()


def test_a_second_plain_401_is_a_refusal(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    guard.issued.clear()
    guard.password = "changed"
    before = len(origin.requests)
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"]["user"] == USER
    assert len(origin.requests) - before == 2
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_an_endless_row_of_stale_replies_ends(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=0)
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    while True:
        try:
            peer.answer(peer.challenge(seconds=5), None)
        except TimeoutError:
            break
        if fetch in peer.replies:
            break
    assert peer.result(fetch)["status"] == 401
    assert len(origin.requests) < 30


def test_a_nonce_that_is_given_again_continues_its_count(asked: Asked, origin: ScriptedOrigin) -> None:
    """After `session/reset` too, and for a credential that serves one task."""
    counts: list[str] = []

    async def answer(exchange: Exchange) -> None:
        authorization = exchange.request.authorization
        if authorization:
            counts.append(parameters_of(authorization)["nc"])
            return await exchange.respond(200, [], b"page")
        challenge = 'Digest realm="staff", nonce="fixed", qop="auth"'
        return await exchange.respond(401, [("WWW-Authenticate", challenge)], b"")

    peer, session = asked
    url = origin.serve("/fixed", answer)
    for persistence in ("none", "forSession", "none"):
        peer.call("session/reset", {"session": session})
        fetch = peer.start_fetch(session, url)
        peer.answer(peer.challenge(), {**password(USER, PASSWORD), "persistence": persistence})
        assert peer.result(fetch)["status"] == 200
    assert counts == ["00000001", "00000002", "00000003"]


def test_a_nonce_belongs_to_its_connection(asked: Asked, origin: ScriptedOrigin) -> None:
    """As of cameras: every answer has the nonce of its own 401."""
    nonces: list[str] = []
    refused: list[str] = []

    async def answer(exchange: Exchange) -> None:
        authorization = exchange.request.authorization
        if authorization:
            nonce = parameters_of(authorization)["nonce"]
            if nonce in nonces:
                nonces.remove(nonce)
                return await exchange.respond(200, [], b"page")
            refused.append(nonce)
        made = f"n{exchange.request.path}-{len(nonces)}-{len(refused)}"
        nonces.append(made)
        challenge = f'Digest realm="staff", nonce="{made}", qop="auth", stale=true'
        return await exchange.respond(401, [("WWW-Authenticate", challenge)], b"")

    peer, session = asked
    pass_once(asked, origin.serve("/0", answer))
    fetches = [peer.start_fetch(session, origin.serve(f"/{i}", answer)) for i in range(1, 13)]
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200] * 12
    assert len(refused) <= 12
