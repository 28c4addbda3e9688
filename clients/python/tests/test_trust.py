"""Server trust against a scripted daemon: what a handler sees, what it can say, what is asked for."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge, response
from Support.fake_daemon import Peer
from watchword import Answer, Certificate, Challenge, Client, ServerTrust, TrustReason

KEY = "sha256/" + "A" * 42 + "E="
OTHER_KEY = "sha256/" + "B" * 42 + "E="
CERTIFICATE: dict[str, Any] = {
    "subject": "CN=dev",
    "issuer": "CN=dev",
    "serialNumber": "01",
    "notBefore": "2026-01-01T00:00:00Z",
    "notAfter": "2027-01-01T00:00:00Z",
    "subjectAlternativeNames": ["DNS:dev.test"],
    "keyType": "ec",
    "keyBits": 256,
    "sha256": "ab" * 32,
    "publicKey": KEY,
    "pem": "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
}
DECISION: dict[str, Any] = {
    "trust": "3",
    "origin": "https://dev.test:443",
    "subject": "CN=dev",
    "scope": "publicKey",
    "sha256": "ab" * 32,
    "publicKey": KEY,
    "excused": [{"reason": "selfSigned", "depth": 0}],
    "persistence": "forSession",
    "uses": 1,
    "lastUsed": None,
    "created": "2026-11-21T12:00:00Z",
}


def certificates(task: str, *reasons: str, **changes: Any) -> dict[str, Any]:
    question = challenge(task)
    question["protectionSpace"] = {
        "protocol": "https",
        "host": "dev.test",
        "port": 443,
        "realm": None,
        "authenticationMethod": "serverTrust",
        "serverTrust": {
            "certificates": [{**CERTIFICATE, **changes}],
            "verdict": "refused" if reasons else "trusted",
            "reasons": [{"reason": reason, "depth": 0} for reason in reasons],
        },
    }
    return question


def asked(handler: Callable[[Challenge], Any], *reasons: str, **changes: Any) -> dict[str, Any]:
    """What is replied when the handler is asked about a server's certificates."""
    replies: list[dict[str, Any]] = []

    def script(peer: Peer) -> None:
        peer.open_session()
        fetch = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", certificates(fetch["params"]["task"], *reasons, **changes))
        reply = peer.expect("challenge/reply")
        replies.append(reply["params"])
        peer.reply(reply, {"accepted": True})
        peer.reply(fetch, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.session(on_challenge=handler).fetch("https://dev.test/")
    return replies[0]


def test_a_handler_sees_typed_certificates() -> None:
    seen: list[ServerTrust] = []

    def handler(question: Challenge) -> Answer:
        assert question.server_trust is not None
        seen.append(question.server_trust)
        return watchword.trust_public_key(persistence="forSession")

    reply = asked(handler, "selfSigned", "expired")
    assert (reply["disposition"], reply["credential"]) == (
        "useCredential",
        {"trust": "publicKey", "persistence": "forSession"},
    )
    (trust,) = seen
    assert not trust.is_trusted
    assert trust.reasons == [TrustReason("selfSigned", 0), TrustReason("expired", 0)]
    assert str(trust.reasons[1]) == "expired (certificate 0)"
    assert isinstance(trust.certificate, Certificate)
    assert trust.public_key == KEY
    assert trust.certificate.not_after is not None
    assert trust.certificate.not_after.isoformat() == "2027-01-01T00:00:00+00:00"


def test_a_time_that_the_server_made_up_is_no_fault_of_the_daemons() -> None:
    seen: list[Any] = []

    def handler(question: Challenge) -> Answer:
        assert question.server_trust is not None
        assert question.server_trust.certificate is not None
        seen.append(question.server_trust.certificate.not_after)
        return watchword.cancel()

    asked(handler, "expired", notAfter="10000-01-01T00:00:00Z")
    assert seen == [None]


def test_an_acceptance_is_for_one_fetch_unless_said_otherwise() -> None:
    reply = asked(lambda _: watchword.trust_certificate(), "selfSigned")
    assert reply["credential"] == {"trust": "certificate", "persistence": "none"}


@pytest.mark.parametrize("accept", [watchword.trust_certificate, watchword.trust_public_key])
def test_an_acceptance_has_limits(accept: Callable[..., Answer]) -> None:
    reply = asked(lambda _: accept(limits=watchword.Limits(maximum_uses=2)), "selfSigned")
    assert reply["credential"]["limits"] == {"maximumUses": 2}


@pytest.mark.parametrize("answer", [watchword.use_credential("u", "p"), watchword.use_no_credential()])
def test_a_handler_of_passwords_says_nothing_about_certificates(answer: Answer) -> None:
    assert asked(lambda _: answer, "selfSigned") == {
        "challenge": "c1-5b1e90d2",
        "disposition": "performDefaultHandling",
    }


@pytest.mark.parametrize(
    ("options", "delegate"),
    [
        ({}, {"tasks": ["*"], "trustVerdicts": "refused"}),
        ({"methods": ["basic"]}, {"tasks": ["basic"]}),
        ({"methods": ["serverTrust"]}, {"tasks": ["serverTrust"]}),
        ({"trust_verdicts": "all"}, {"tasks": ["*"], "trustVerdicts": "all"}),
        (
            {"methods": ["serverTrust"], "trust_verdicts": "refused"},
            {"tasks": ["serverTrust"], "trustVerdicts": "refused"},
        ),
        (
            {"on_challenge": watchword.pin_handler({"dev.test": [KEY]})},
            {"tasks": ["*"], "trustVerdicts": "all"},
        ),
    ],
)
def test_whose_certificates_are_asked_about(options: dict[str, Any], delegate: dict[str, Any]) -> None:
    opened: list[Any] = []

    def script(peer: Peer) -> None:
        request = peer.expect("session/open")
        opened.append(request["params"]["delegate"])
        peer.reply(request, {"session": "private-1", "created": True})

    with FakeDaemon(script) as path, Client(path) as client:
        client.session(**{"on_challenge": lambda _: watchword.cancel(), **options})
    assert opened == [delegate]


@pytest.mark.parametrize(
    ("keys", "reasons", "disposition"),
    [
        ([OTHER_KEY, KEY], [], "performDefaultHandling"),
        ([KEY], ["selfSigned"], "useCredential"),
        ([KEY], ["selfSigned", "expired"], "performDefaultHandling"),
        ([OTHER_KEY], [], "cancelAuthenticationChallenge"),
        ([OTHER_KEY], ["selfSigned"], "cancelAuthenticationChallenge"),
    ],
)
def test_a_pin_handler_holds_a_host_to_its_keys(keys: list[str], reasons: list[str], disposition: str) -> None:
    assert asked(watchword.pin_handler({"DEV.test": keys}), *reasons)["disposition"] == disposition


def test_a_pin_handler_leaves_other_hosts_to_other_delegates() -> None:
    pins = {"other.test": [OTHER_KEY]}
    assert asked(watchword.pin_handler(pins), "selfSigned")["disposition"] == "performDefaultHandling"
    otherwise = watchword.pin_handler(pins, otherwise=lambda _: watchword.trust_certificate())
    assert asked(otherwise, "selfSigned")["disposition"] == "useCredential"


@pytest.mark.parametrize("keys", ["sha256/AAAA", [], ["sha256/AAAA"], [KEY.replace("256", "1")]])
def test_a_pin_that_is_none_is_refused(keys: Any) -> None:
    with pytest.raises(watchword.InvalidArgument):
        watchword.pin_handler({"dev.test": keys})


@pytest.mark.parametrize(
    "host",
    [
        "*",
        "*.dev.test",
        "dev.test:8443",
        "https://dev.test",
        "",
        "bücher.test",
        "dev..test",
        "127.1",
        "0x7f.1",
        "[dev.test]",
    ],
)
def test_a_pin_for_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(watchword.InvalidArgument, match="host"):
        watchword.pin_handler({host: [KEY]})


@pytest.mark.parametrize("host", ["dev.test.", "DEV.TEST"])
def test_a_pin_means_its_host_however_it_is_spelled(host: str) -> None:
    assert asked(watchword.pin_handler({host: [OTHER_KEY]}))["disposition"] == "cancelAuthenticationChallenge"


def test_a_refusal_has_typed_reasons() -> None:
    def script(peer: Peer) -> None:
        reasons = [{"reason": "expired", "depth": 1}, {"reason": 5}, 7]
        peer.fail(peer.expect("fetch"), 1204, "serverTrustRejected", reasons=reasons)

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(watchword.ServerTrustRejected) as caught:
            client.fetch("https://dev.test/")
    assert caught.value.reasons == [TrustReason("expired", 1)]


def test_decisions_are_listed_and_removed() -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("trust/list"), {"trust": [DECISION]})
        for wanted in (
            {"session": "default", "trust": "3"},
            {"session": "default", "origin": "https://dev.test/"},
            {"session": "default"},
        ):
            request = peer.expect("trust/remove")
            assert request["params"] == wanted
            peer.reply(request, {"removed": 1})

    with FakeDaemon(script) as path, Client(path) as client:
        session = client.default_session()
        (decision,) = session.list_trust()
        assert (decision.id, decision.scope, decision.excused) == ("3", "publicKey", [TrustReason("selfSigned", 0)])
        assert decision.last_used is None
        assert decision.created is not None
        assert session.remove_trust(decision) == 1
        assert session.remove_trust(origin="https://dev.test/") == 1
        assert session.remove_trust() == 1
