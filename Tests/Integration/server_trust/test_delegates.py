"""Who decides: delegates that see every chain, and those that leave."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.server_trust.scene import asked_of_session, asked_of_task, rejected
from Integration.wire import PATIENCE, Json, Peer, kind_of, many, pause
from Support.exchange import Exchange
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
BY_CERTIFICATE = {"trust": "certificate", "persistence": "forSession"}


def test_a_delegate_is_asked_about_a_good_chain_too_and_may_be_stricter(
    connect: Connect, strange: ScriptedOrigin, known: Json
) -> None:
    peer = connect()
    session = peer.open(session=["serverTrust"], configuration=known)
    fetch = peer.start_fetch(session, strange.url + "/")
    challenge = asked_of_session(peer)
    assert challenge["protectionSpace"]["serverTrust"]["verdict"] == "trusted"
    assert challenge["protectionSpace"]["serverTrust"]["reasons"] == []
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert rejected(peer, fetch)["reasons"] == []
    assert strange.requests == []


def test_default_handling_of_a_good_chain_by_a_session_delegate_counts_for_the_session(
    connect: Connect, strange: ScriptedOrigin, known: Json
) -> None:
    peer = connect()
    session = peer.open(session=["serverTrust"], configuration=known)
    fetch = peer.start_fetch(session, strange.url + "/")
    peer.dispose(asked_of_session(peer), "performDefaultHandling")
    assert peer.result(fetch)["status"] == 200
    assert peer.metrics(session, strange.url + "/")["reused"]
    peer.nothing_asked()


def takes(peer: Peer, session: str, *methods: str) -> None:
    """The connection says again what it takes of its session's challenges."""
    peer.call("session/open", {"name": session, "delegate": {"session": list(methods)}})


def test_who_takes_certificates_no_more_leaves_the_question_to_the_next(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    first, second, caller = connect(), connect(), connect()
    for delegate in (first, second):
        delegate.open("s", session=["serverTrust"])
    caller.open("s")
    fetch = caller.start_fetch("s", strange.url + "/")
    challenge = asked_of_session(first)
    takes(first, "s", "negotiate")
    assert asked_of_session(second)["challenge"] == challenge["challenge"]
    second.answer(challenge, BY_CERTIFICATE)
    assert caller.result(fetch)["status"] == 200
    # Decided for the session: no delegate is asked again.
    takes(first, "s", "serverTrust")
    assert caller.fetch("s", strange.url + "/")["status"] == 200
    first.nothing_asked()


def test_when_no_delegate_takes_certificates_any_more_default_evaluation_decides(
    connect: Connect, strange: ScriptedOrigin, known: Json
) -> None:
    delegate, caller = connect(), connect()
    for name, configuration, succeeds in (("bad", {}, False), ("good", known, True)):
        delegate.open(name, session=["serverTrust"], configuration=configuration)
        caller.open(name)
        fetch = caller.start_fetch(name, strange.url + "/")
        challenge = asked_of_session(delegate)
        takes(delegate, name)
        if succeeds:
            assert caller.result(fetch)["status"] == 200
        else:
            assert {"reason": "unknownIssuer", "depth": 0} in rejected(caller, fetch)["reasons"]
        assert kind_of(delegate.answer, challenge, BY_CERTIFICATE) == "challengeNotPending"


def test_who_takes_certificates_from_now_on_sees_the_next_chain(
    connect: Connect, strange: ScriptedOrigin, known: Json
) -> None:
    gate = strange.gate()

    async def held(exchange: Exchange) -> None:
        await gate.opened()
        await exchange.respond(200)

    strange.serve("/held", held)
    delegate, caller = connect(), connect()
    delegate.open("s", configuration=known)
    caller.open("s")
    running = caller.start_fetch("s", strange.url + "/held")
    strange.wait_for_requests(1, "/held")
    takes(delegate, "s", "serverTrust")
    fetch = caller.start_fetch("s", strange.url + "/")
    delegate.dispose(asked_of_session(delegate), "cancelAuthenticationChallenge")
    rejected(caller, fetch)
    # What was under way before goes on.
    gate.open()
    assert caller.result(running)["status"] == 200


def test_a_delegate_may_ask_for_refused_chains_only(
    connect: Connect, strange: ScriptedOrigin, known: Json
) -> None:
    peer = connect()
    delegate = {"tasks": ["serverTrust"], "trustVerdicts": "refused"}
    session = peer.open(configuration=known, delegate=delegate)
    assert peer.fetch(session, strange.url + "/")["status"] == 200
    peer.nothing_asked()
    strict = peer.open(delegate=delegate)
    fetch = peer.start_fetch(strict, strange.url + "/")
    peer.answer(asked_of_task(peer), BY_CERTIFICATE)
    assert peer.result(fetch)["status"] == 200


def test_a_task_whose_delegate_sees_every_chain_uses_no_connection_that_was_not_decided(
    connect: Connect, strange: ScriptedOrigin, known: Json
) -> None:
    plain, careful = connect(), connect()
    plain.open("s", configuration=known)
    assert plain.fetch("s", strange.url + "/")["status"] == 200
    careful.open("s", tasks=["serverTrust"])
    fetch = careful.start_fetch("s", strange.url + "/", metrics=True)
    careful.answer(asked_of_task(careful), BY_CERTIFICATE)
    assert not careful.result(fetch)["metrics"]["reused"]
    assert careful.metrics("s", strange.url + "/")["reused"]
    assert plain.metrics("s", strange.url + "/")["reused"]


@pytest.mark.parametrize("version", ["http1", "http2"])
def test_a_thousand_tasks_raise_one_question(
    connect: Connect, strange: ScriptedOrigin, nginx: Nginx, version: str
) -> None:
    base = strange.url if version == "http1" else nginx.http2
    peer = connect()
    session = peer.open("crowd", session=["serverTrust"])
    fetches = [peer.start_fetch(session, base + "/open") for _ in range(many(1000))]
    challenge = asked_of_session(peer)
    while peer.call("challenge/describe", {"challenge": challenge["challenge"]})["waiterCount"] < 6:
        pause()
    peer.answer(challenge, BY_CERTIFICATE)
    for fetch in fetches:
        assert peer.result(fetch, 4 * PATIENCE)["status"] in (200, 404)
    assert peer.counter("challenges.raised") == 1
