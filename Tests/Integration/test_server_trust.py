"""Server trust: who is shown the certificates, what an answer covers and for how long (challenges.md 10)."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.nginx import Nginx
from Support.revocation import revocation_list
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
BY_KEY = {"trust": "publicKey", "persistence": "forSession"}
BY_CERTIFICATE = {"trust": "certificate", "persistence": "forSession"}
ONCE = {"trust": "certificate"}


async def fine(exchange: Exchange) -> None:
    await exchange.respond(200, body=b"fine")


@pytest.fixture
def strange(origins: Origins, tls_context: ssl.SSLContext) -> ScriptedOrigin:
    """An origin whose issuer no session here knows."""
    origin = origins(tls_context)
    origin.serve("/*", fine)
    return origin


def asked_of_task(peer: Peer) -> Json:
    return peer.notification("task/didReceiveChallenge")


def asked_of_session(peer: Peer) -> Json:
    return peer.notification("session/didReceiveChallenge")


def rejected(peer: Peer, fetch: int) -> Json:
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "serverTrustRejected"
    return caught.value.data


def test_a_caller_is_shown_the_certificates_and_the_verdict(
    connect: Connect, strange: ScriptedOrigin, authority: Authority
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    challenge = asked_of_task(peer)
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["host"], space["port"]) == (
        "serverTrust",
        "localhost",
        strange.port,
    )
    assert space["realm"] is None
    assert challenge["offers"] == [] and challenge["failureResponse"] is None
    trust = space["serverTrust"]
    assert trust["verdict"] == "refused"
    assert {"reason": "unknownIssuer", "depth": 0} in trust["reasons"]
    leaf = trust["certificates"][0]
    assert leaf["subject"] == "CN=scripted" and leaf["issuer"] == "CN=Watchword test root"
    assert leaf["subjectAlternativeNames"] == ["DNS:localhost", "IP:127.0.0.1"]
    assert (leaf["keyType"], leaf["keyBits"]) == ("ec", 256)
    assert ssl.PEM_cert_to_DER_cert(leaf["pem"]) == ssl.PEM_cert_to_DER_cert(
        (authority.directory / "scripted.pem").read_text()
    )
    peer.answer(challenge, BY_CERTIFICATE)
    assert peer.result(fetch)["status"] == 200


def test_an_accepted_chain_is_not_asked_about_again_by_another_process(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    first, second, elsewhere = connect(), connect(), connect()
    first.open("dev", tasks=["serverTrust"])
    fetch = first.start_fetch("dev", strange.url + "/")
    first.answer(asked_of_task(first), BY_KEY)
    assert first.result(fetch)["status"] == 200
    second.open("dev", tasks=["serverTrust"])
    assert second.fetch("dev", strange.url + "/")["status"] == 200
    second.nothing_asked()
    other = elsewhere.open("other", tasks=["serverTrust"])
    fetch = elsewhere.start_fetch(other, strange.url + "/")
    elsewhere.dispose(asked_of_task(elsewhere), "performDefaultHandling")
    assert {"reason": "unknownIssuer", "depth": 0} in rejected(elsewhere, fetch)["reasons"]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_name_that_does_not_match_can_be_accepted(
    connect: Connect, origins: Origins, authority: Authority, version: ssl.TLSVersion
) -> None:
    identity = authority.issue("elsewhere", alternatives="DNS:elsewhere.example")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    context.minimum_version = context.maximum_version = version
    origin = origins(context)
    origin.serve("/", fine)
    peer = connect()
    known = {"tls": {"roots": {"certificates": authority.pem}}}
    session = peer.open(tasks=["serverTrust"], configuration=known)
    fetch = peer.start_fetch(session, origin.url + "/")
    challenge = asked_of_task(peer)
    reasons = challenge["protectionSpace"]["serverTrust"]["reasons"]
    assert reasons == [{"reason": "hostMismatch", "depth": 0}]
    peer.answer(challenge, ONCE)
    assert peer.result(fetch)["status"] == 200
    # For that task only.
    assert rejected(peer, peer.start_fetch(peer.open(configuration=known), origin.url + "/"))


def test_without_a_persistence_the_answer_is_for_the_waiting_tasks_only(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    for _ in range(2):
        fetch = peer.start_fetch(session, strange.url + "/")
        peer.answer(asked_of_task(peer), ONCE)
        assert peer.result(fetch)["status"] == 200
    # Each had a connection of its own, which is closed now.
    strange.wait_until(lambda: not any(connection.open for connection in strange.connections))
    assert peer.call("trust/list", {"session": session})["trust"] == []


@pytest.mark.parametrize(
    "disposition", ["cancelAuthenticationChallenge", "rejectProtectionSpace", "performDefaultHandling"]
)
def test_every_other_answer_fails_closed(connect: Connect, strange: ScriptedOrigin, disposition: str) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    peer.dispose(asked_of_task(peer), disposition)
    assert {"reason": "unknownIssuer", "depth": 0} in rejected(peer, fetch)["reasons"]
    assert strange.requests == []


@pytest.mark.parametrize("credential", [None, {"user": "u", "password": "p"}, {"token": "t"}])
def test_a_credential_that_is_no_verdict_leaves_the_question_pending(
    connect: Connect, strange: ScriptedOrigin, credential: Json
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    challenge = asked_of_task(peer)
    assert kind_of(peer.answer, challenge, credential) == "credentialUnusable"
    peer.answer(challenge, BY_CERTIFICATE)
    assert peer.result(fetch)["status"] == 200


def test_a_handshake_that_was_stopped_to_ask_is_no_exchange(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    peer.answer(asked_of_task(peer), ONCE)
    metrics = peer.result(fetch)["metrics"]
    assert [exchange["status"] for exchange in metrics["exchanges"]] == [200]
    assert metrics["challengeWaitSeconds"] > 0 and metrics["tlsSeconds"] > 0
    assert peer.counter("exchanges") == 1


def test_with_nobody_to_ask_default_evaluation_decides(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open(tasks=["basic"])
    assert kind_of(peer.fetch, session, strange.url + "/") == "serverTrustRejected"
    peer.nothing_asked()


@pytest.fixture
def known(authority: Authority) -> Json:
    return {"tls": {"roots": {"certificates": authority.pem}}}


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
    assert peer.fetch(session, strange.url + "/")["metrics"]["reused"]
    peer.nothing_asked()


def takes(peer: Peer, session: str, *methods: str) -> None:
    """The connection says anew what it takes of its session's challenges."""
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
    # Decided for the session: nobody is asked again.
    takes(first, "s", "serverTrust")
    assert caller.fetch("s", strange.url + "/")["status"] == 200
    first.nothing_asked()


def test_when_nobody_takes_certificates_any_more_default_evaluation_decides(
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
    fetch = careful.start_fetch("s", strange.url + "/")
    careful.answer(asked_of_task(careful), BY_CERTIFICATE)
    assert not careful.result(fetch)["metrics"]["reused"]
    assert careful.fetch("s", strange.url + "/")["metrics"]["reused"]
    assert plain.fetch("s", strange.url + "/")["metrics"]["reused"]


@pytest.mark.parametrize("version", ["http1", "http2"])
def test_a_thousand_tasks_raise_one_question(
    connect: Connect, strange: ScriptedOrigin, nginx: Nginx, version: str
) -> None:
    base = strange.url if version == "http1" else nginx.http2
    peer = connect()
    session = peer.open("crowd", session=["serverTrust"])
    fetches = [peer.start_fetch(session, base + "/open") for _ in range(1000)]
    challenge = asked_of_session(peer)
    while peer.call("challenge/describe", {"challenge": challenge["challenge"]})["waiterCount"] < 6:
        pass
    peer.answer(challenge, BY_CERTIFICATE)
    for fetch in fetches:
        assert peer.result(fetch, 4 * PATIENCE)["status"] in (200, 404)
    assert peer.counter("challenges.raised") == 1


def test_a_swapped_certificate_is_asked_about_again(
    connect: Connect, origins: Origins, authority: Authority
) -> None:
    first = authority.issue("first", "DNS:localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(first.certificate, first.key)
    # A resumed session would rest on the chain that was decided.
    context.num_tickets = 0
    context.options |= ssl.OP_NO_TICKET
    origin = origins(context)

    async def closing(exchange: Exchange) -> None:
        await exchange.respond(200, body=b"fine", headers=[("Connection", "close")])

    url = origin.serve("/", closing)
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, url)
    peer.answer(asked_of_task(peer), BY_KEY)
    assert peer.result(fetch)["status"] == 200
    second = authority.issue("second", "DNS:localhost")
    context.load_cert_chain(second.certificate, second.key)
    fetch = peer.start_fetch(session, url)
    challenge = asked_of_task(peer)
    assert challenge["protectionSpace"]["serverTrust"]["certificates"][0]["subject"] == "CN=second"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    rejected(peer, fetch)


def test_removing_a_decision_closes_its_connections(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open("s", tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    peer.answer(asked_of_task(peer), BY_CERTIFICATE)
    peer.result(fetch)
    listed = peer.call("trust/list", {"session": session})["trust"]
    assert [(entry["origin"], entry["scope"]) for entry in listed] == [(strange.url, "certificate")]
    assert {"reason": "unknownIssuer", "depth": 0} in listed[0]["excused"]
    assert peer.call("session/list")["sessions"][0]["trust"] == 1
    assert peer.call("trust/remove", {"session": session, "trust": listed[0]["trust"]}) == {"removed": 1}
    strange.wait_until(lambda: not any(connection.open for connection in strange.connections))
    fetch = peer.start_fetch(session, strange.url + "/")
    peer.dispose(asked_of_task(peer), "cancelAuthenticationChallenge")
    rejected(peer, fetch)


def test_a_decision_that_makes_room_for_others_takes_its_connections_with_it(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    async def closing(exchange: Exchange) -> None:
        await exchange.respond(200, [("Connection", "close")])

    strange.serve("/closing", closing)
    peer = connect()
    capacity = peer.call("status")["limits"]["trustPerSession"]
    names = [f"h{number}.test" for number in range(capacity + 1)]
    addresses = {"resolve": {f"{name}:{strange.port}": "127.0.0.1" for name in names}}
    session = peer.open(session=["serverTrust"], configuration={"addresses": addresses})
    for name in names:
        path = "/" if name == names[0] else "/closing"
        fetch = peer.start_fetch(session, f"https://{name}:{strange.port}{path}")
        peer.answer(asked_of_session(peer), BY_CERTIFICATE)
        assert peer.result(fetch)["status"] == 200
    assert len(peer.call("trust/list", {"session": session})["trust"]) == capacity
    first = strange.requests_to("/")[0].connection
    strange.wait_until(lambda: not strange.connections[first].open)
    fetch = peer.start_fetch(session, f"https://{names[0]}:{strange.port}/")
    peer.dispose(asked_of_session(peer), "cancelAuthenticationChallenge")
    rejected(peer, fetch)


def test_a_task_in_line_does_not_use_a_connection_whose_decision_is_gone(
    connect: Connect, strange: ScriptedOrigin
) -> None:
    gate = strange.gate()

    async def held(exchange: Exchange) -> None:
        await gate.opened()
        await exchange.respond(200)

    strange.serve("/held", held)
    peer = connect()
    session = peer.open("s", tasks=["serverTrust"], configuration={"connectionsPerHost": 1})
    fetch = peer.start_fetch(session, strange.url + "/held")
    peer.answer(asked_of_task(peer), BY_CERTIFICATE)
    strange.wait_for_requests(1, "/held")
    in_line = peer.start_fetch(session, strange.url + "/next")
    assert peer.call("trust/remove", {"session": session}) == {"removed": 1}
    gate.open()
    assert peer.result(fetch)["status"] == 200
    peer.dispose(asked_of_task(peer), "cancelAuthenticationChallenge")
    rejected(peer, in_line)
    assert strange.requests_to("/next") == []


def test_after_a_redirect_the_new_origin_is_judged_afresh(
    connect: Connect, strange: ScriptedOrigin, origins: Origins, tls_context: ssl.SSLContext
) -> None:
    other = origins(tls_context)
    other.serve("/there", fine)

    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, headers=[("Location", other.url + "/there")])

    strange.serve("/here", moved)
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/here")
    first = asked_of_task(peer)
    assert first["origin"] == strange.url
    peer.answer(first, ONCE)
    second = asked_of_task(peer)
    assert second["origin"] == other.url
    peer.answer(second, ONCE)
    assert peer.result(fetch)["status"] == 200


def test_a_stream_body_survives_the_question(
    connect: Connect, strange: ScriptedOrigin, tmp_path: Path
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    reader, writer = os.pipe()
    os.write(writer, b"from a pipe")
    os.close(writer)
    fetch = peer.request(
        "fetch",
        {"session": session, "url": strange.url + "/in", "method": "POST", "body": {"descriptor": 0}},
        descriptors=[reader],
    )
    os.close(reader)
    peer.answer(asked_of_task(peer), ONCE)
    assert peer.result(fetch)["status"] == 200
    assert len(strange.requests_to("/in")) == 1


@pytest.fixture
def resumptions(
    strange: ScriptedOrigin,
) -> Callable[[Peer, str], list[bool]]:
    """Fetches twice over connections that the origin closes; whether each handshake resumed a TLS session."""

    def fetch(peer: Peer, session: str) -> list[bool]:
        seen: list[bool] = []

        async def closing(exchange: Exchange) -> None:
            seen.append(exchange.connection.writer.get_extra_info("ssl_object").session_reused)
            await exchange.respond(200, [("Connection", "close")])
            await exchange.close()

        url = strange.serve("/closing", closing)
        for _ in range(2):
            assert peer.fetch(session, url)["status"] == 200
        return seen

    return fetch


def test_a_tls_session_is_not_resumed_when_what_was_known_of_its_certificate_is_out_of_date(
    peer: Peer, strange: ScriptedOrigin, authority: Authority, known: Json, tmp_path: Path
) -> None:
    resumed: list[bool] = []

    async def closing(exchange: Exchange) -> None:
        resumed.append(exchange.connection.writer.get_extra_info("ssl_object").session_reused)
        await exchange.respond(200, [("Connection", "close")])
        await exchange.close()

    url = strange.serve("/closing", closing)
    soon = datetime.now(UTC) + timedelta(seconds=4)
    lists = revocation_list(authority, tmp_path, until=soon)
    session = peer.open(configuration={"tls": {**known["tls"], "revocationLists": lists}})
    with pytest.raises(RemoteError) as caught:
        while True:
            assert peer.fetch(session, url)["status"] == 200
    assert caught.value.data["reasons"] == [{"reason": "revocationUnknown", "depth": 0}]
    assert resumed[1] and all(resumed[1:])


def test_a_tls_session_is_resumed_in_its_session_only(
    peer: Peer, known: Json, resumptions: Callable[[Peer, str], list[bool]]
) -> None:
    for name in ("one", "other"):
        assert resumptions(peer, peer.open(name, configuration=known)) == [False, True]


def test_a_tls_session_is_not_resumed_when_its_decision_is_gone(
    peer: Peer, strange: ScriptedOrigin, resumptions: Callable[[Peer, str], list[bool]]
) -> None:
    session = peer.open("dev", tasks=["serverTrust"])

    def accept() -> None:
        fetch = peer.start_fetch(session, strange.url + "/")
        peer.answer(asked_of_task(peer), BY_KEY)
        assert peer.result(fetch)["status"] == 200

    accept()
    assert resumptions(peer, session)[1]
    peer.call("trust/remove", {"session": session})
    accept()
    # The connection that the second decision let through served the first of these.
    assert resumptions(peer, session) == [False, True]
