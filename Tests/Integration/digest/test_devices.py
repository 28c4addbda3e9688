"""Devices whose nonces belong to connections, or serve once (methods.md 8.7 and 8.8)."""

from __future__ import annotations

import pytest

from Integration.digest.scene import assert_flawless, pass_once
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password, wait_for_waiters
from Support.apache import Apache
from Support.digest_device import DigestDevice
from Support.guards import DigestGuard
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]

COUNT = 12
#: That a session has to one host at the same time.
CONNECTIONS = 6


@pytest.fixture
def guard() -> DigestGuard:
    return DigestGuard("camera", USER, PASSWORD)


def statuses(peer: Peer, fetches: list[int]) -> list[int]:
    return [peer.result(fetch)["status"] for fetch in fetches]


def answer_for_all(peer: Peer, credential: Json) -> None:
    challenge = peer.challenge()
    wait_for_waiters(peer, challenge, COUNT)
    peer.answer(challenge, credential)


@pytest.mark.parametrize("says_stale", [False, True])
@pytest.mark.parametrize("persistence", ["forSession", "none"])
def test_parallel_tasks_answer_on_the_connections_of_their_nonces(
    asked: Asked, origin: ScriptedOrigin, guard: DigestGuard, persistence: str, says_stale: bool
) -> None:
    peer, session = asked
    url = origin.serve("/", DigestDevice(guard, says_stale=says_stale))
    for _ in range(3):
        fetches = [peer.start_fetch(session, url) for _ in range(COUNT)]
        if persistence == "none" or not guard.passed:
            answer_for_all(peer, password(USER, PASSWORD, persistence))
        assert statuses(peer, fetches) == [200] * COUNT
    peer.nothing_asked()
    assert_flawless(guard)


@pytest.mark.parametrize("algorithm", ["MD5", "MD5-sess", "SHA-256-sess"])
def test_warm_connections_keep_their_nonces(asked: Asked, origin: ScriptedOrigin, algorithm: str) -> None:
    """Once the nonces are known to belong to connections, a warm one needs no other exchange.

    The key of a session is that of its nonce: it is made of that and the first client nonce with it
    (RFC 7616 §3.4.2).
    """
    peer, session = asked
    guard = DigestGuard("camera", USER, PASSWORD, algorithm=algorithm)
    device = DigestDevice(guard)
    page, gate = origin.serve("/", device), origin.gate()
    occupied = origin.serve("/occupied", held(gate, reply(200)))
    pass_once(asked, page)
    fetches = []
    for number in range(1, CONNECTIONS):
        # With a field of the caller it takes no part in the authentication, and keeps the warm connection.
        fetches.append(peer.start_fetch(session, occupied, headers=[["Authorization", "Bearer none"]]))
        origin.wait_for_requests(number, "/occupied")
        # It is sent alone, on a new connection, with the nonce of another one.
        assert peer.fetch(session, page)["status"] == 200
    gate.open()
    assert statuses(peer, fetches) == [200] * len(fetches)
    misplaced, requests = device.misplaced, len(origin.requests)
    gate = origin.gate()
    again = origin.serve("/again", device.held(gate))
    fetches = [peer.start_fetch(session, again) for _ in range(CONNECTIONS)]
    origin.wait_until(lambda: guard.passed == 2 * CONNECTIONS)
    gate.open()
    assert statuses(peer, fetches) == [200] * CONNECTIONS
    assert len(origin.connections) == CONNECTIONS
    assert device.misplaced == misplaced
    assert len(origin.requests) - requests == CONNECTIONS
    peer.nothing_asked()
    assert_flawless(guard)


@pytest.mark.parametrize("place", ["netrc", "url", "session"])
def test_every_place_of_a_credential_serves_parallel_tasks(
    peer: Peer, origin: ScriptedOrigin, guard: DigestGuard, place: str
) -> None:
    configuration: Json = {}
    if place == "netrc":
        configuration["netrc"] = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}\n"}
    session = peer.open(configuration=configuration)
    url = origin.serve("/", DigestDevice(guard))
    if place == "url":
        url = url.replace("//", f"//{USER}:{PASSWORD}@")
    if place == "session":
        space = {
            "protocol": "http",
            "host": "127.0.0.1",
            "port": origin.port,
            "realm": "camera",
            "authenticationMethod": "digest",
        }
        credential = password(USER, PASSWORD)
        peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
    for _ in range(2):
        assert statuses(peer, [peer.start_fetch(session, url) for _ in range(COUNT)]) == [200] * COUNT
    assert_flawless(guard)


def test_a_wrong_password_costs_such_a_device_one_login(
    asked: Asked, origin: ScriptedOrigin, guard: DigestGuard
) -> None:
    peer, session = asked
    url = origin.serve("/", DigestDevice(guard))
    fetches = [peer.start_fetch(session, url) for _ in range(COUNT)]
    answer_for_all(peer, password(USER, "wrong"))
    again = peer.challenge()
    assert again["previousFailureCount"] == 1
    assert guard.refused == 1
    peer.answer(again, password(USER, PASSWORD))
    assert statuses(peer, fetches) == [200] * COUNT
    assert guard.refused == 1
    assert guard.faults == []


@pytest.mark.parametrize("status", [400, 403])
def test_a_device_that_refuses_a_second_use_is_asked_without_one(
    asked: Asked, origin: ScriptedOrigin, guard: DigestGuard, status: int
) -> None:
    """The refused request is repeated; those that come later carry no nonce that has served."""
    peer, session = asked
    device = DigestDevice(guard, binds=False, reuse_status=status)
    url = origin.serve("/", device)
    pass_once(asked, url)
    fetches = [peer.start_fetch(session, url) for _ in range(COUNT)]
    assert statuses(peer, fetches) == [200] * COUNT
    reused = device.reused
    for method in ("GET", "POST", "GET"):
        assert peer.fetch(session, url, method=method)["status"] == 200
    assert device.reused == reused
    peer.nothing_asked()
    assert_flawless(guard)


def test_a_request_that_may_not_be_repeated_ends_the_reuse(
    asked: Asked, origin: ScriptedOrigin, guard: DigestGuard
) -> None:
    peer, session = asked
    device = DigestDevice(guard, binds=False, reuse_status=403)
    url = origin.serve("/", device)
    pass_once(asked, url)
    assert peer.fetch(session, url, method="POST")["status"] == 403
    assert peer.fetch(session, url, method="POST")["status"] == 200
    assert device.reused == 1
    assert_flawless(guard)


def test_a_page_that_is_forbidden_costs_one_repetition(
    asked: Asked, origin: ScriptedOrigin, guard: DigestGuard
) -> None:
    """A server that takes a nonce twice is known from then on."""
    peer, session = asked
    device = DigestDevice(guard, binds=False)
    url = origin.serve("/", device)
    forbidden = origin.serve("/forbidden", device.forbidding)
    pass_once(asked, url)
    assert peer.fetch(session, forbidden)["status"] == 403
    before = len(origin.requests)
    assert peer.fetch(session, forbidden)["status"] == 403
    assert peer.fetch(session, url)["status"] == 200
    assert len(origin.requests) - before == 2
    assert_flawless(guard)


@pytest.mark.parametrize(("preemptive", "sent"), [("always", 1), ("never", 2), ("auto", 1)])
def test_the_configuration_decides_about_reuse(
    peer: Peer, origin: ScriptedOrigin, guard: DigestGuard, preemptive: str, sent: int
) -> None:
    methods = {"digest": {"preemptive": preemptive}}
    session = peer.open(tasks=["*"], configuration={"methods": methods})
    url = origin.serve("/", DigestDevice(guard, binds=False))
    pass_once((peer, session), url)
    assert len(peer.metrics(session, url)["exchanges"]) == sent
    described = peer.call("session/describe", {"session": session})["configuration"]
    assert described["methods"]["digest"] == methods["digest"]
    device = DigestDevice(DigestGuard("other", USER, PASSWORD), binds=False, reuse_status=403)
    url = origin.serve("/other/", device)
    pass_once((peer, session), url)
    assert peer.fetch(session, url)["status"] == (403 if preemptive == "always" else 200)
    assert device.reused == (0 if preemptive == "never" else 1)


@pytest.mark.parametrize("status", [400, 403])
def test_a_proxy_that_refuses_a_second_use_is_asked_without_one(
    peer: Peer, origin: ScriptedOrigin, guard: DigestGuard, status: int
) -> None:
    device = DigestDevice(guard, DigestDevice.PROXY, binds=False, reuse_status=status)
    origin.serve("http*", device)
    session = peer.open(tasks=["*"], configuration={"proxies": {"all": origin.url}})
    url = "http://web.watchword.test/page"
    for _ in range(3):
        fetches = [peer.start_fetch(session, url) for _ in range(COUNT)]
        if not guard.passed:
            answer_for_all(peer, password(USER, PASSWORD))
        assert statuses(peer, fetches) == [200] * COUNT
    assert_flawless(guard)


def test_apache_is_asked_once_for_parallel_tasks(peer: Peer, apache: Apache) -> None:
    """A server that takes a nonce on every connection, and more than once."""
    session = peer.open(tasks=["*"])
    url = f"{apache.steady}/digest/small"
    pass_once((peer, session), url)
    for _ in range(2):
        assert statuses(peer, [peer.start_fetch(session, url) for _ in range(COUNT)]) == [200] * COUNT
    before = len(apache.exchanges(apache.steady_port))
    assert statuses(peer, [peer.start_fetch(session, url) for _ in range(COUNT)]) == [200] * COUNT
    assert len(apache.exchanges(apache.steady_port)) - before == COUNT
