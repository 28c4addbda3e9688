"""Handlers that answer challenges and redirects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge, response, serve_fetches
from scripts import answering, client_session
from Support.fake_daemon import Peer
from watchword import Answer, Challenge, Client, ProtectionSpace, ServerTrust, TrustReason
from watchword._challenges import read_challenge

SECRET = "hunter2-sentinel"


def test_a_handler_answers_while_the_fetch_waits() -> None:
    asked: list[Challenge] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question)
        return watchword.use_credential("reader", SECRET, limits=watchword.Limits(maximum_uses=3))

    def script(peer: Peer) -> None:
        with pytest.raises(EOFError):
            answering()(peer)

    with (
        FakeDaemon(script) as path,
        Client(path) as client,
    ):
        session = client.session(on_challenge=handler, methods=["digest"])
        assert session.id == "private-1"
        got = session.fetch("https://intranet.example/q3.csv").json()
    assert got == {
        "challenge": "c1-5b1e90d2",
        "disposition": "useCredential",
        "credential": {
            "user": "reader",
            "password": SECRET,
            "persistence": "forSession",
            "limits": {"maximumUses": 3},
        },
    }
    (question,) = asked
    assert question.authentication_method == "digest"
    assert question.origin == "https://intranet.example:443"
    assert question.protection_space.realm == "staff"
    assert question.protection_space.parameters["nonce"] == "n"
    assert question.offers[0].authentication_method == "digest"
    assert question.unusable_offers == [watchword.UnusableOffer("Hawk", "unknownMethod")]
    assert question.unusable_offer_count == 1
    assert question.failure_response is not None
    assert question.failure_response.status == 401
    assert question.waiters[0].pid == 4711
    assert question.deadline is not None
    assert question.deadline.isoformat() == "2026-11-21T12:05:00+00:00"
    assert str(question) == "https://intranet.example:443 digest “staff”"


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"realm": ""}, "https://a.test:443 basic “”"),
        ({"realm": None}, "https://a.test:443 basic"),
        ({"authentication_method": "key", "field": "X-Key"}, "https://a.test:443 key X-Key"),
        (
            {
                "authentication_method": "serverTrust",
                "server_trust": ServerTrust([], "refused", [TrustReason("expired"), TrustReason("selfSigned", 1)]),
            },
            "https://a.test:443 serverTrust: expired (certificate 0), selfSigned (certificate 1)",
        ),
    ],
)
def test_a_space_says_what_it_has(members: dict[str, Any], text: str) -> None:
    space = ProtectionSpace("https", "a.test", 443, None, "basic")
    assert str(replace(space, **members)) == text


def test_a_code_is_left_to_the_person() -> None:
    asked: list[Challenge] = []
    parameters = {"verificationUri": "https://id.example/activate", "userCode": "WDJB-MJHT"}

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        space = {"authenticationMethod": "bearer", "parameters": parameters}
        question = challenge(request["params"]["task"], space=space, source="builds")
        peer.notify("task/didReceiveChallenge", question)
        settled = {"challenge": question["challenge"], "session": "private-1", "disposition": None}
        peer.notify("challenge/didSettle", {**settled, "outcome": "withdrawn"})
        peer.reply(request, response(text="page"))
        if peer.message()["method"] != "session/close":
            raise AssertionError

    with FakeDaemon(script) as path, Client(path) as client, client_session(client, asked.append) as session:
        assert session.fetch("https://intranet.example/q3.csv").text == "page"
    assert asked[0].device_code == watchword.DeviceCode("builds", "https://id.example/activate", "WDJB-MJHT")


def test_parameters_of_a_server_are_no_code() -> None:
    parameters = {"verificationUri": "https://evil.example/", "userCode": "EVIL"}
    space = {"authenticationMethod": "bearer", "parameters": parameters}
    assert read_challenge(challenge("t1", space=space)).device_code is None


@pytest.mark.parametrize(
    ("answer", "wire"),
    [
        (
            watchword.use_token("t0k", persistence="none"),
            {"disposition": "useCredential", "credential": {"token": "t0k", "persistence": "none"}},
        ),
        (watchword.use_no_credential(), {"disposition": "useCredential", "credential": None}),
        (watchword.perform_default_handling(), {"disposition": "performDefaultHandling"}),
        (watchword.reject(), {"disposition": "rejectProtectionSpace"}),
    ],
)
def test_every_disposition_has_its_wire_form(answer: Answer, wire: dict[str, Any]) -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, lambda _: answer)
        assert session.fetch("http://a/").json() == {"challenge": "c1-5b1e90d2", **wire}
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def test_a_session_that_is_left_after_the_daemon_has_gone_is_over_quietly() -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        with client_session(client, lambda _: watchword.reject()) as session:
            session.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def test_cancelling_fails_the_fetch_with_its_own_class() -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.cancel())
        with pytest.raises(watchword.UserCancelledAuthentication) as caught:
            session.fetch("http://a/")
        assert caught.value.code == 1203
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


@pytest.mark.parametrize("wrong", [None, "cancel", ("u", "p")])
def test_a_handler_that_returns_no_answer_cancels_and_says_so(wrong: Any) -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, lambda _: wrong)
        with pytest.raises(TypeError, match="a challenge handler returns an Answer"):
            session.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def test_a_handlers_exception_cancels_and_reaches_the_caller() -> None:
    def handler(_: Challenge) -> Answer:
        raise LookupError("no password for this one")

    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, handler)
        with pytest.raises(LookupError, match="no password for this one"):
            session.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def test_an_answer_that_the_daemon_refuses_is_cancelled_and_raised() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        peer.fail(peer.expect("challenge/reply"), 1202, "credentialUnusable", "a colon in the user name")
        reply = peer.expect("challenge/reply")
        assert reply["params"]["disposition"] == "cancelAuthenticationChallenge"
        peer.reply(reply, {"accepted": True})
        peer.fail(request, 1203, "userCancelledAuthentication")

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.use_credential("a:b", "c"))
        with pytest.raises(watchword.CredentialUnusable, match="a colon in the user name"):
            session.fetch("http://a/")


def test_a_late_answer_is_no_error() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        peer.fail(peer.expect("challenge/reply"), 1200, "challengeNotPending")
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.reject())
        assert session.fetch("http://a/").status == 200


def test_a_handler_may_use_the_client_itself() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        inner = peer.expect("fetch")
        peer.reply(inner, response(text="from the vault"))
        reply = peer.expect("challenge/reply")
        assert reply["params"]["credential"]["password"] == "from the vault"
        peer.reply(reply, {"accepted": True})
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.use_credential("u", client.fetch("http://vault/").text))
        assert session.fetch("http://a/").status == 200


def test_a_challenge_without_a_taker_gets_default_handling() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge("t1"))
        reply = peer.expect("challenge/reply")
        assert reply["params"]["disposition"] == "performDefaultHandling"
        peer.reply(reply, {"accepted": True})
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.fetch("http://a/")


def test_the_session_handler_answers_for_other_processes_while_serving() -> None:
    asked: list[str] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question.session)
        if len(asked) == 1:
            raise LookupError("first")
        return watchword.reject()

    def script(peer: Peer) -> None:
        request = peer.open_session()
        assert request["params"] == {"name": "shared", "delegate": {"session": ["basic"]}}
        for number in range(2):
            question = challenge("somebody-elses", f"c{number}", session="shared")
            peer.notify("task/didReceiveChallenge", question)
            reply = peer.expect("challenge/reply")
            peer.reply(reply, {"accepted": True})
        assert reply["params"] == {"challenge": "c1", "disposition": "rejectProtectionSpace"}

    with FakeDaemon(script) as path, Client(path) as client:
        client.session("shared", on_session_challenge=handler, session_methods=["basic"])
        with pytest.raises(watchword.DaemonConnectionLost):
            client.serve()
    assert asked == ["shared", "shared"]


def test_serving_ends_in_time() -> None:
    with FakeDaemon(serve_fetches) as path, Client(path) as client:
        client.serve(timeout=0.01)
        client.ping()


def test_a_space_may_be_of_any_realm() -> None:
    listed = {"protocol": "https", "host": "a", "port": 443, "authenticationMethod": "basic", "isProxy": False}
    entry = {"user": "reader", "kind": "password", "persistence": "forSession", "isDefault": True, "source": "session"}
    entry |= {"limits": {}, "uses": 0, "lastUsed": None, "created": "2026-11-21T12:05:00Z", "secondsLeft": None}
    spaces = [{**listed, "realm": None}, listed]

    def script(peer: Peer) -> None:
        peer.reply(peer.expect("credential/list"), {"credentials": [{**entry, "protectionSpace": s} for s in spaces]})
        for space in spaces:
            request = peer.expect("credential/remove")
            assert request["params"]["protectionSpace"] == space
            peer.reply(request, {"removed": 1})

    with FakeDaemon(script) as path, Client(path) as client:
        found = [entry.protection_space for entry in client.default_session().list_credentials()]
        assert [(space.realm, space.any_realm) for space in found] == [(None, False), (None, True)]
        assert [client.default_session().remove_credential(space) for space in found] == [1, 1]


def test_a_body_that_was_cut_says_so() -> None:
    def script(peer: Peer) -> None:
        for body in ({"text": "no", "truncated": True}, {"text": "no"}):
            peer.reply(peer.expect("fetch"), {**response(401), "body": body})

    with FakeDaemon(script) as path, Client(path) as client:
        assert [client.default_session().fetch("http://a/").truncated for _ in range(2)] == [True, False]


def test_redirects_are_asked() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("session/open")
        assert request["params"]["configuration"] == {"redirects": {"policy": "ask"}}
        peer.reply(request, {"session": "private-1", "created": True})
        for wanted in ({"method": "GET"}, None, None):
            request = peer.expect("fetch")
            task = request["params"]["task"]
            peer.notify(
                "task/willRedirect",
                {
                    "task": task,
                    "session": "private-1",
                    "response": {"status": 302, "headers": [["Location", "/b"]]},
                    "request": {"url": "http://a/b", "method": "POST", "headers": []},
                },
            )
            reply = peer.expect("redirect/reply")
            assert reply["params"] == {"task": task, "request": wanted}
            peer.reply(reply, {"task": task})
            peer.reply(request, response())

    answers: list[Any] = [watchword.follow(method="GET"), watchword.stop(), "neither"]
    with FakeDaemon(script) as path, Client(path) as client:
        session = client.session(on_redirect=lambda proposal: answers.pop(0))
        assert session.fetch("http://a/").status == 200
        assert session.fetch("http://a/").status == 200
        with pytest.raises(TypeError):
            session.fetch("http://a/")
