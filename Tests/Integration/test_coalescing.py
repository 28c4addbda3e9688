"""Many callers, one question; who speaks for whom (challenges.md 12)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, kind_of, many, password, pause, unanswered_for, wait_for_waiters
from Support.exchange import Exchange, head
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, stall_after

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]


@pytest.fixture
def guard() -> BasicGuard:
    return BasicGuard("staff", USER, PASSWORD)


@pytest.fixture
def staff(origin: ScriptedOrigin, guard: BasicGuard) -> str:
    return origin.serve("/staff", guarded(guard))


def wait_for_coalesced(peer: Peer, count: int) -> None:
    """More waiters than a challenge lists are counted in the status."""
    while peer.counter("challenges.coalesced") < count:
        pause()


def test_tasks_of_many_connections_share_one_challenge(connect: Connect, staff: str) -> None:
    delegate = connect()
    delegate.open("s", session=["*"])
    callers = [connect() for _ in range(20)]
    fetches = [(caller, caller.start_fetch("s", staff)) for caller in callers for _ in range(5)]
    challenge = delegate.challenge()
    wait_for_coalesced(delegate, 99)
    delegate.answer(challenge, password(USER, PASSWORD))
    assert all(caller.result(fetch)["status"] == 200 for caller, fetch in fetches)
    assert delegate.counter("challenges.raised") == 1
    assert delegate.counter("challenges.coalesced") == 99


def test_different_spaces_are_different_questions(
    connect: Connect, origin: ScriptedOrigin, staff: str
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    other = origin.serve("/archive", guarded(BasicGuard("archive", USER, PASSWORD)))
    fetches = [peer.start_fetch("s", staff), peer.start_fetch("s", other)]
    challenges = [peer.challenge(), peer.challenge()]
    assert {challenge["protectionSpace"]["realm"] for challenge in challenges} == {"staff", "archive"}
    for challenge in challenges:
        peer.answer(challenge, password(USER, PASSWORD))
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200, 200]


def test_an_answer_for_the_session_serves_every_waiter(connect: Connect, staff: str) -> None:
    first, second = connect(), connect()
    first.open("s", tasks=["*"])
    second.open("s")
    fetch = first.start_fetch("s", staff)
    challenge = first.challenge()
    other = second.start_fetch("s", staff)
    wait_for_waiters(first, challenge, 2)
    first.answer(challenge, password(USER, PASSWORD))
    assert first.result(fetch)["status"] == 200
    assert second.result(other)["status"] == 200


SELFISH: list[tuple[str, Json, str | int]] = [
    ("useCredential", None, 401),
    ("useCredential", password(USER, PASSWORD, "none"), 200),
    ("performDefaultHandling", None, 401),
    ("rejectProtectionSpace", None, 401),
    ("cancelAuthenticationChallenge", None, "userCancelledAuthentication"),
]


@pytest.mark.parametrize(("disposition", "credential", "outcome"), SELFISH)
def test_other_answers_settle_only_the_tasks_of_the_answerer(
    connect: Connect, staff: str, disposition: str, credential: Json, outcome: str | int
) -> None:
    first, second = connect(), connect()
    first.open("s", tasks=["*"])
    second.open("s", tasks=["*"])
    fetch = first.start_fetch("s", staff)
    challenge = first.challenge()
    other = second.start_fetch("s", staff)
    wait_for_waiters(first, challenge, 2)
    first.answer(challenge, credential, disposition)
    if isinstance(outcome, int):
        assert first.result(fetch)["status"] == outcome
    else:
        assert kind_of(first.result, fetch) == outcome
    assert other not in second.replies
    second.answer(second.challenge(), password(USER, PASSWORD))
    assert second.result(other)["status"] == 200


@pytest.mark.parametrize(("disposition", "credential", "outcome"), SELFISH)
def test_a_session_delegate_speaks_for_all(
    connect: Connect, staff: str, disposition: str, credential: Json, outcome: str | int
) -> None:
    delegate, first, second = connect(), connect(), connect()
    delegate.open("s", session=["*"])
    fetches = [(peer, peer.start_fetch("s", staff)) for peer in (first, second)]
    challenge = delegate.challenge()
    wait_for_waiters(delegate, challenge, 2)
    delegate.answer(challenge, credential, disposition)
    for peer, fetch in fetches:
        if isinstance(outcome, int):
            assert peer.result(fetch)["status"] == outcome
        else:
            assert kind_of(peer.result, fetch) == outcome
    delegate.nothing_asked()


@pytest.mark.parametrize(("disposition", "credential", "outcome"), SELFISH)
def test_a_person_who_is_neither_waiter_nor_delegate_speaks_for_all(
    connect: Connect, staff: str, disposition: str, credential: Json, outcome: str | int
) -> None:
    delegate, first, second, person = (connect() for _ in range(4))
    delegate.open("s", session=["*"])
    person.open("s")
    fetches = [(peer, peer.start_fetch("s", staff)) for peer in (first, second)]
    challenge = delegate.challenge()
    wait_for_waiters(delegate, challenge, 2)
    assert person.answer(challenge, credential, disposition) == {"accepted": True}
    for peer, fetch in fetches:
        if isinstance(outcome, int):
            assert peer.result(fetch)["status"] == outcome
        else:
            assert kind_of(peer.result, fetch) == outcome
    delegate.nothing_asked()


def test_who_was_asked_for_a_task_that_is_gone_does_not_speak_for_others(
    connect: Connect, staff: str
) -> None:
    """Its reply was on the way: it means its own task, and comes too late."""
    first, second = connect(), connect()
    first.open("s", tasks=["*"])
    second.open("s", tasks=["*"])
    first.call("task/start", {"session": "s", "url": staff, "task": "mine"})
    challenge = first.challenge()
    other = second.start_fetch("s", staff)
    wait_for_waiters(first, challenge, 2)
    first.call("task/cancel", {"task": "mine"})
    late = {"challenge": challenge["challenge"], "disposition": "cancelAuthenticationChallenge"}
    assert kind_of(first.call, "challenge/reply", late) == "challengeNotPending"
    second.answer(second.challenge(), password(USER, PASSWORD))
    assert second.result(other)["status"] == 200


def test_behind_a_redirect_tasks_share_what_their_urls_name_no_user_for(
    connect: Connect, origin: ScriptedOrigin, origins: Callable[[], ScriptedOrigin]
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    target = origins().serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    url = origin.serve("/", redirect(target)).replace("//", "//somebody:else@", 1)
    fetches = [peer.start_fetch("s", url) for _ in range(3)]
    challenge = peer.challenge()
    wait_for_waiters(peer, challenge, 3)
    peer.answer(challenge, password(USER, PASSWORD))
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200, 200, 200]
    assert peer.counter("challenges.raised") == 1


def test_the_others_get_default_handling_when_no_delegate_is_left_for_them(
    connect: Connect, staff: str
) -> None:
    first, second = connect(), connect()
    first.open("s", tasks=["*"])
    second.open("s")
    fetch = first.start_fetch("s", staff)
    challenge = first.challenge()
    other = second.start_fetch("s", staff)
    wait_for_waiters(first, challenge, 2)
    first.answer(challenge, None)
    assert first.result(fetch)["status"] == 401
    assert second.result(other)["status"] == 401


def test_a_cancel_is_remembered_for_tasks_in_flight(
    connect: Connect, origin: ScriptedOrigin, guard: BasicGuard
) -> None:
    peer = connect()
    session = peer.open(tasks=["*"])
    gate = origin.gate()
    quick = origin.serve("/quick", guarded(guard))

    async def late(exchange: Exchange) -> None:
        await gate.opened()
        await guarded(guard)(exchange)

    slow = origin.serve("/slow", late)
    in_flight = [peer.start_fetch(session, slow) for _ in range(4)]
    origin.wait_for_requests(4, "/slow")
    fetch = peer.start_fetch(session, quick)
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"
    gate.open()
    for waiting in in_flight:
        assert kind_of(peer.result, waiting) == "userCancelledAuthentication"
    peer.nothing_asked()


def test_a_cancel_does_not_silence_later_tasks(connect: Connect, staff: str) -> None:
    peer = connect()
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_a_cancel_of_one_connection_is_not_remembered_for_another(
    connect: Connect, origin: ScriptedOrigin, guard: BasicGuard
) -> None:
    first, second = connect(), connect()
    first.open("s", tasks=["*"])
    second.open("s", tasks=["*"])
    gate = origin.gate()

    async def late(exchange: Exchange) -> None:
        await gate.opened()
        await guarded(guard)(exchange)

    waiting = second.start_fetch("s", origin.serve("/slow", late))
    origin.wait_for_requests(1, "/slow")
    fetch = first.start_fetch("s", origin.serve("/quick", guarded(guard)))
    first.dispose(first.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(first.result, fetch) == "userCancelledAuthentication"
    gate.open()
    second.answer(second.challenge(), password(USER, PASSWORD))
    assert second.result(waiting)["status"] == 200


def test_a_refusal_that_was_still_arriving_uses_the_answer_given_meanwhile(
    connect: Connect, origin: ScriptedOrigin, guard: BasicGuard
) -> None:
    """The head of the 401 comes before another task's answer, its body after it: that answer serves, too."""
    peer = connect()
    session = peer.open(tasks=["*"])
    gate = origin.gate()

    async def slow_refusal(exchange: Exchange) -> None:
        if guard.passes(exchange.request):
            await exchange.respond(200, [], b"in")
        else:
            fields = [("WWW-Authenticate", guard.challenges(exchange.request)[0]), ("Content-Length", "4")]
            await exchange.send(head(401, fields))
            await gate.opened()
            await exchange.send(b"late")

    slow = origin.serve("/slow", slow_refusal)
    waiting = [peer.start_fetch(session, slow) for _ in range(3)]
    origin.wait_for_requests(3, "/slow")
    fetch = peer.start_fetch(session, origin.serve("/quick", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    gate.open()
    assert [peer.result(late)["status"] for late in waiting] == [200, 200, 200]
    peer.nothing_asked()
    assert peer.counter("challenges.raised") == 1


def test_a_server_that_is_slow_to_refuse_is_sent_one_login(
    connect: Connect, origin: ScriptedOrigin, guard: BasicGuard
) -> None:
    """Servers put bad logins off by seconds, so that passwords cannot be guessed."""
    peer = connect()
    session = peer.open(tasks=["*"])
    gate = origin.gate()

    async def slow_refusal(exchange: Exchange) -> None:
        if exchange.request.authorization is not None:
            await gate.opened()
        await guarded(guard)(exchange)

    url = origin.serve("/slow", slow_refusal)
    fetches = [peer.start_fetch(session, url) for _ in range(many(1000))]
    challenge = peer.challenge()
    wait_for_coalesced(peer, many(1000) - 1)
    peer.answer(challenge, password(USER, "wrong"))
    unanswered_for(connect(), 5, origin.serve("/other", guarded(BasicGuard("other", USER, PASSWORD))))
    gate.open()
    again = peer.challenge()
    assert again["previousFailureCount"] == 1
    assert guard.refused == 1
    peer.answer(again, password(USER, PASSWORD))
    assert {peer.result(fetch, 60)["status"] for fetch in fetches} == {200}


def test_a_request_that_is_never_answered_does_not_hold_the_others(
    connect: Connect, origin: ScriptedOrigin, guard: BasicGuard
) -> None:
    peer = connect()
    session = peer.open(tasks=["*"])
    poll = origin.serve("/poll", guarded(guard), stall_after())
    fetch = peer.start_fetch(session, poll)
    challenge = peer.challenge()
    others = [peer.start_fetch(session, origin.serve("/staff", guarded(guard))) for _ in range(20)]
    wait_for_coalesced(peer, 20)
    peer.answer(challenge, password(USER, PASSWORD))
    assert {peer.result(other, 30)["status"] for other in others} == {200}
    peer.nothing_asked()
    assert fetch not in peer.replies


def test_a_waiter_that_leaves_is_not_forgotten_by_the_others(connect: Connect, staff: str) -> None:
    peer, leaver = connect(), connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    challenge = peer.challenge()
    leaver.start_fetch("s", staff)
    wait_for_waiters(peer, challenge, 2)
    leaver.close()
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_two_thousand_tasks_wait_on_one_challenge(connect: Connect, origin: ScriptedOrigin) -> None:
    guard = BasicGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    delegate = connect(checked=False)
    delegate.open("s", session=["*"], configuration={"connectionsPerHost": 32})
    callers = [connect(checked=False) for _ in range(2)]
    fetches = [(caller, caller.start_fetch("s", url)) for caller in callers for _ in range(many(1000))]
    challenge = delegate.challenge()
    wait_for_coalesced(delegate, 2 * many(1000) - 1)
    delegate.answer(challenge, password(USER, PASSWORD))
    assert all(caller.result(fetch, 60)["status"] == 200 for caller, fetch in fetches)
    delegate.nothing_asked()
    assert delegate.counter("challenges.raised") == 1
