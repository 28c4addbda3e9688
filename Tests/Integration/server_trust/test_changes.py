"""Decisions that are removed, replaced or carried over to another origin."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.server_trust.scene import asked_of_session, asked_of_task, fine, rejected
from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
BY_KEY = {"trust": "publicKey", "persistence": "forSession"}
BY_CERTIFICATE = {"trust": "certificate", "persistence": "forSession"}
ONCE = {"trust": "certificate"}


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


def test_a_decision_ends_at_its_limits(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    for limits, is_asked_again in [({"maximumUses": 1}, True), ({"lifetimeSeconds": 3600}, False)]:
        fetch = peer.start_fetch(session, strange.url + "/")
        peer.answer(asked_of_task(peer), {**BY_KEY, "limits": limits})
        assert peer.result(fetch)["status"] == 200
        fetch = peer.start_fetch(session, strange.url + "/")
        if is_asked_again:
            assert peer.call("trust/list", {"session": session})["trust"] == []
            peer.dispose(asked_of_task(peer), "cancelAuthenticationChallenge")
            rejected(peer, fetch)
        else:
            assert peer.result(fetch)["status"] == 200
            [listed] = peer.call("trust/list", {"session": session})["trust"]
            assert listed["limits"] == limits
            assert 0 < listed["secondsLeft"] <= 3600


@pytest.mark.parametrize(("uses", "questions"), [(1, 2), (2, 1), (None, 1)])
def test_a_decision_for_a_task_ends_at_its_limits(
    connect: Connect, strange: ScriptedOrigin, uses: int | None, questions: int
) -> None:
    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, headers=[("Location", "/"), ("Connection", "close")])

    url = strange.serve("/moved", moved)
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, url)
    limits = {} if uses is None else {"limits": {"maximumUses": uses}}
    for _ in range(questions):
        peer.answer(asked_of_task(peer), {**ONCE, **limits})
    assert peer.result(fetch)["status"] == 200
    assert peer.call("trust/list", {"session": session})["trust"] == []


@pytest.mark.parametrize(
    ("persistence", "limits", "path"),
    [
        ("permanent", {"lifetimeSeconds": 5}, "limits"),
        ("forSession", {"pathPrefixes": ["/a"]}, "limits.pathPrefixes"),
        ("forSession", {"confirm": True}, "limits.confirm"),
        ("forSession", {"lifetime": 5}, "limits.lifetime"),
    ],
)
def test_a_limit_that_a_decision_cannot_have_is_refused(
    connect: Connect, strange: ScriptedOrigin, persistence: str, limits: Json, path: str
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, strange.url + "/")
    challenge = asked_of_task(peer)
    credential = {**ONCE, "persistence": persistence, "limits": limits}
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, credential)
    assert caught.value.data["path"] == f"params.credential.{path}"
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
