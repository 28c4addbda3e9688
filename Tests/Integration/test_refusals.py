"""What follows when the server refuses: counts, budgets, proposals, and never the same answer twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, USER, WRONG_PASSWORD
from Integration.wire import Json, Peer, kind_of, many, password, pause
from Support.exchange import Exchange
from Support.guards import BasicGuard, DigestGuard, Guard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, reply, stall_after

pytestmark = pytest.mark.core

Asked = tuple[Peer, str]


@pytest.fixture(params=["basic", "digest"])
def guard(request: pytest.FixtureRequest) -> Guard:
    if request.param == "basic":
        return BasicGuard("staff", USER, PASSWORD)
    return DigestGuard("staff", USER, PASSWORD)


def test_a_refused_credential_is_asked_for_again(asked: Asked, origin: ScriptedOrigin, guard: Guard) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    first = peer.challenge()
    peer.answer(first, password(USER, WRONG_PASSWORD))
    second = peer.challenge()
    assert second["challenge"] != first["challenge"]
    assert second["previousFailureCount"] == 1
    assert second["proposedCredential"]["user"] == USER
    assert second["failureResponse"]["status"] == 401
    peer.answer(second, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_the_same_credential_is_never_sent_twice(asked: Asked, origin: ScriptedOrigin, guard: Guard) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, WRONG_PASSWORD))
    challenge = peer.challenge()
    assert peer.answer(challenge, password(USER, WRONG_PASSWORD)) == {"accepted": True}
    assert peer.result(fetch)["status"] == 401
    assert len([request for request in origin.requests if request.authorization]) == 1


def test_default_handling_does_not_repeat_a_refused_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = BasicGuard("staff", USER, PASSWORD)
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, WRONG_PASSWORD))
    peer.dispose(peer.challenge(), "performDefaultHandling")
    assert peer.result(fetch)["status"] == 401
    assert guard.refused == 1


@pytest.mark.parametrize(("configuration", "budget"), [({}, 5), ({"refusalBudget": 2}, 2)])
def test_the_budget_ends_the_loop(
    peer: Peer, origin: ScriptedOrigin, configuration: Json, budget: int
) -> None:
    session = peer.open(tasks=["*"], configuration={"challenges": configuration})
    guard = BasicGuard("staff", USER, PASSWORD)
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    for count in range(budget):
        challenge = peer.challenge()
        assert challenge["previousFailureCount"] == count
        peer.answer(challenge, password(USER, f"{WRONG_PASSWORD}{count}"))
    assert peer.result(fetch)["status"] == 401
    peer.nothing_asked()
    assert guard.refused == budget


def test_counts_begin_again_with_every_task(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    for secret in (WRONG_PASSWORD, OTHER_PASSWORD):
        fetch = peer.start_fetch(session, url)
        challenge = peer.challenge()
        assert challenge["previousFailureCount"] == 0
        peer.answer(challenge, password(USER, secret))
        peer.answer(peer.challenge(), None)
        assert peer.result(fetch)["status"] == 401


def test_a_refused_credential_is_not_kept(asked: Asked, origin: ScriptedOrigin, guard: Guard) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, WRONG_PASSWORD))
    second = peer.challenge()
    assert peer.call("credential/list", {"session": session}) == {"credentials": []}
    peer.answer(second, None)
    peer.result(fetch)


def test_a_cached_credential_that_is_refused_later_is_removed(
    asked: Asked, origin: ScriptedOrigin, guard: Guard
) -> None:
    peer, session = asked
    url = origin.serve("/", guarded(guard))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    assert isinstance(guard, BasicGuard | DigestGuard)
    guard.password = OTHER_PASSWORD
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"]["user"] == USER
    assert peer.call("credential/list", {"session": session}) == {"credentials": []}
    peer.answer(challenge, password(USER, OTHER_PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert len(peer.metrics(session, url)["exchanges"]) == 1


def test_a_refused_credential_never_replaces_a_good_one(asked: Asked, origin: ScriptedOrigin) -> None:
    """Another path of the same realm wants another user; a wrong answer there costs the first one nothing."""
    peer, session = asked
    url = origin.serve("/a/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    other = origin.serve("/b/x", guarded(BasicGuard("staff", OTHER_USER, OTHER_PASSWORD)))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    fetch = peer.start_fetch(session, other)
    while True:
        challenge = peer.challenge()
        if challenge["previousFailureCount"] < 2:
            peer.answer(
                challenge, password(OTHER_USER, f"{WRONG_PASSWORD}{challenge['previousFailureCount']}")
            )
        else:
            peer.answer(challenge, None)
            break
    assert peer.result(fetch)["status"] == 401
    listed = peer.call("credential/list", {"session": session})["credentials"]
    assert OTHER_USER not in [entry["user"] for entry in listed]


def test_a_changed_realm_is_a_new_space(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = origin.serve("/", challenged('Basic realm="one"'), challenged('Basic realm="two"'), reply())
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    second = peer.challenge()
    assert second["protectionSpace"]["realm"] == "two"
    assert second["previousFailureCount"] == 0
    peer.answer(second, password(USER, OTHER_PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_a_credential_answered_by_another_realm_is_refused_in_its_own(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    one, two = 'Basic realm="one"', 'Basic realm="two"'
    space = {"protocol": "http", "host": "127.0.0.1", "port": origin.port, "realm": "one"}
    space |= {"authenticationMethod": "basic"}
    put = {"session": session, "protectionSpace": space, "credential": password(USER, PASSWORD)}
    peer.call("credential/set", put)
    fetch = peer.start_fetch(session, origin.serve("/", challenged(one), challenged(two), reply()))
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["realm"] == "two"
    assert peer.call("credential/list", {"session": session})["credentials"] == []
    # The other realm has refused nothing: the same password may be right there.
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_a_reply_answered_by_another_realm_is_refused_in_its_own(
    connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    """The others under that question wait for another answer; the new realm has refused nothing."""
    first, second = connect(), connect()
    first.open("s", tasks=["*"])
    second.open("s", tasks=["*"])
    one, two = 'Basic realm="one"', 'Basic realm="two"'
    fetch = first.start_fetch("s", origin.serve("/a", challenged(one), challenged(two), reply()))
    challenge = first.challenge()
    other = second.start_fetch("s", origin.serve("/b", guarded(BasicGuard("one", USER, OTHER_PASSWORD))))
    while first.call("challenge/describe", {"challenge": challenge["challenge"]})["waiterCount"] < 2:
        pause()
    first.answer(challenge, password(USER, PASSWORD))
    for peer, realm, secret in ((first, "two", PASSWORD), (second, "one", OTHER_PASSWORD)):
        challenge = peer.challenge()
        assert challenge["protectionSpace"]["realm"] == realm
        assert len(origin.requests_to("/b")) == 1
        peer.answer(challenge, password(USER, secret))
    assert first.result(fetch)["status"] == 200
    assert second.result(other)["status"] == 200


def test_a_credential_sent_ahead_and_answered_by_another_realm_is_kept(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/a", guarded(BasicGuard("one", USER, PASSWORD))))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    fetch = peer.start_fetch(session, origin.serve("/b", challenged('Basic realm="two"')))
    peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401
    assert origin.requests[-1].authorization is not None
    listed = peer.call("credential/list", {"session": session})["credentials"]
    assert [entry["protectionSpace"]["realm"] for entry in listed] == ["one"]


def test_the_refused_response_carries_no_cookies_or_authentication_info(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    fields = [
        ("WWW-Authenticate", 'Basic realm="staff"'),
        ("Set-Cookie", "secret=1"),
        ("Authentication-Info", "rspauth=x"),
        ("Proxy-Authentication-Info", "x=y"),
        ("X-Other", "kept"),
    ]
    fetch = peer.start_fetch(session, origin.serve("/", reply(401, b"", fields)))
    challenge = peer.challenge()
    names = {name.lower() for name, _ in challenge["failureResponse"]["headers"]}
    assert "x-other" in names
    assert names.isdisjoint({"set-cookie", "authentication-info", "proxy-authentication-info"})
    peer.answer(challenge, None)
    peer.result(fetch)


def test_the_body_of_an_answered_401_never_reaches_the_output(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    fetch = peer.start_fetch(session, url, output="stream")
    peer.answer(peer.challenge(), password(USER, WRONG_PASSWORD))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["body"] == {"size": 23}
    responses = [note for note in peer.notifications if note["method"] == "task/didReceiveResponse"]
    assert [note["params"]["status"] for note in responses] == [200]


def test_one_waiter_tries_a_new_credential_for_all(
    connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    """A thousand waiters cost one bad login, and after the good answer all of them go on."""
    guard = BasicGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    peer = connect(checked=False)
    session = peer.open(tasks=["*"])
    fetches = [peer.start_fetch(session, url) for _ in range(many(1000))]
    first = peer.challenge()
    origin.wait_for_requests(many(1000), "/")
    peer.answer(first, password(USER, WRONG_PASSWORD))
    second = peer.challenge()
    assert second["previousFailureCount"] == 1
    assert guard.refused == 1
    peer.answer(second, password(USER, PASSWORD))
    assert all(peer.result(fetch)["status"] == 200 for fetch in fetches)
    assert guard.refused == 1
    peer.nothing_asked()
    assert peer.counter("challenges.raised") == 2


def test_a_credential_is_visible_only_when_it_was_accepted(
    asked: Asked, connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    peer, session = asked
    gate = origin.gate()
    guard = BasicGuard("staff", USER, PASSWORD)

    async def slow(exchange: Exchange) -> None:
        if exchange.request.authorization:
            await gate.opened()
        await guarded(guard)(exchange)

    fetch = peer.start_fetch(session, origin.serve("/", slow))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    origin.wait_for_requests(2)
    assert peer.call("credential/list", {"session": session}) == {"credentials": []}
    gate.open()
    assert peer.result(fetch)["status"] == 200
    assert len(peer.call("credential/list", {"session": session})["credentials"]) == 1


def test_a_silent_server_hands_the_trial_to_the_next_waiter(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    gate = origin.gate()
    guard = BasicGuard("staff", USER, PASSWORD)
    trials = 0

    async def first_trial_is_silent(exchange: Exchange) -> None:
        nonlocal trials
        if exchange.request.authorization:
            trials += 1
            if trials == 1:
                await gate.opened()
        await guarded(guard)(exchange)

    url = origin.serve("/", first_trial_is_silent)
    fetches = [peer.start_fetch(session, url) for _ in range(3)]
    challenge = peer.challenge()
    origin.wait_for_requests(3)
    peer.answer(challenge, password(USER, PASSWORD))
    # Whose refusal came first tries first, and waits in vain; the two others do not.
    while sum(fetch in peer.replies for fetch in fetches) < 2:
        peer.call("ping")
    gate.open()
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200, 200, 200]
    assert peer.counter("challenges.raised") == 1


def test_a_cancelled_trial_goes_to_the_next_waiter(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = BasicGuard("staff", USER, PASSWORD)
    gate = origin.gate()
    trials = 0

    async def first_trial_is_silent(exchange: Exchange) -> None:
        nonlocal trials
        if exchange.request.authorization:
            trials += 1
            if trials == 1:
                await gate.opened()
        await guarded(guard)(exchange)

    url = origin.serve("/", first_trial_is_silent)
    fetches = {name: peer.start_fetch(session, url, task=name) for name in ("one", "two")}
    challenge = peer.challenge()
    while peer.call("challenge/describe", {"challenge": challenge["challenge"]})["waiterCount"] < 2:
        pause()
    peer.answer(challenge, password(USER, PASSWORD))
    origin.wait_for_requests(3)
    peer.call("task/cancel", {"task": challenge["task"]})
    other = "two" if challenge["task"] == "one" else "one"
    assert peer.result(fetches[other])["status"] == 200
    assert kind_of(lambda: peer.result(fetches[challenge["task"]])) == "taskCancelled"
    gate.open()


def test_a_newer_credential_is_tried_before_a_challenge(asked: Asked, origin: ScriptedOrigin) -> None:
    """A task refused with an old answer finds the newer one in the cache (generations)."""
    peer, session = asked
    guard = BasicGuard("staff", USER, PASSWORD)
    gate = origin.gate()
    url = origin.serve("/s/quick", guarded(guard))

    async def late(exchange: Exchange) -> None:
        await gate.opened()
        await guarded(guard)(exchange)

    slow = origin.serve("/s/slow", late)
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    waiting = peer.start_fetch(session, slow)
    origin.wait_for_requests(1, "/s/slow")
    guard.password = OTHER_PASSWORD
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, OTHER_PASSWORD))
    assert peer.result(fetch)["status"] == 200
    gate.open()
    assert peer.result(waiting)["status"] == 200
    peer.nothing_asked()
    assert peer.counter("challenges.raised") == 2


def test_the_timeouts_of_a_task_do_not_run_during_a_challenge(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    short = {"requestSeconds": 2, "resourceSeconds": 2}
    waiting = peer.start_fetch(session, url, timeouts=short)
    challenge = peer.challenge()
    # A stalled fetch with a longer limit is the clock of this test.
    stalled = origin.serve("/stall", stall_after())
    assert kind_of(lambda: peer.fetch(session, stalled, timeouts={"resourceSeconds": 3})) == "timedOut"
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(waiting)["status"] == 200
