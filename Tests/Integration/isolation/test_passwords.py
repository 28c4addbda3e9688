"""A password goes to its origin and its session only."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Callable, Iterator

import pytest

from Integration.isolation.scene import assert_never_seen, log_in, serve_staff
from Integration.sentinels import PASSWORD, USER, traces_in
from Integration.wire import Peer, RemoteError, kind_of, password
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.guards import BasicGuard, DigestGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, redirect, reply

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]
Origins = Callable[..., ScriptedOrigin]


def test_another_port_never_sees_the_password(asked: Asked, origins: Origins) -> None:
    peer, session = asked
    first, second = origins(), origins()
    log_in(peer, session, serve_staff(first))
    fetch = peer.start_fetch(session, serve_staff(second))
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401
    assert_never_seen(second)


@pytest.fixture
def unreachable() -> Iterator[str]:
    """A server that a connection never arrives at: none is accepted, and there is room for no more."""
    with contextlib.ExitStack() as sockets:
        server = sockets.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        for _ in range(4):
            client = sockets.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def connections(peer: Peer) -> dict[str, int]:
    return {entry["session"]: entry["connections"] for entry in peer.call("status")["sessions"]}


def test_an_attempt_to_connect_that_is_given_up_leaves_the_connections_of_others_alone(
    peer: Peer, origin: ScriptedOrigin, unreachable: str
) -> None:
    """libcurl closes a socket that did not connect without a word, and its number goes to another session."""
    failing, other = peer.open("failing"), peer.open("other")
    attempt = peer.start_fetch(failing, unreachable, task="attempt")
    while connections(peer)["failing"] == 0:
        assert peer.call("task/list", {"session": failing})["tasks"]
    peer.call("task/cancel", {"task": "attempt"})
    with pytest.raises(RemoteError):
        peer.result(attempt)
    gate = origin.gate()
    fetch = peer.start_fetch(other, origin.serve("/", held(gate, reply())))
    origin.wait_until(lambda: len(origin.requests) == 1)
    assert (connections(peer)["failing"], connections(peer)["other"]) == (0, 1)
    peer.call("session/invalidate", {"session": failing})
    gate.open()
    assert peer.result(fetch)["status"] == 200


def test_another_scheme_never_sees_the_password(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, authority: Authority
) -> None:
    session = peer.open(tasks=["basic"], configuration={"tls": {"roots": {"certificates": authority.pem}}})
    secure, plain = origins(tls_context), origins()
    log_in(peer, session, serve_staff(secure))
    serve_staff(plain)
    fetch = peer.start_fetch(session, f"http://localhost:{plain.port}/staff")
    peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401
    assert_never_seen(plain)


def test_another_name_of_the_same_host_never_sees_the_password(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    log_in(peer, session, serve_staff(origin))
    fetch = peer.start_fetch(session, f"http://localhost:{origin.port}/staff")
    assert peer.challenge()["origin"] == f"http://localhost:{origin.port}"
    assert origin.requests[-1].authorization is None
    peer.answer(peer.call("challenge/list", {"session": session})["challenges"][0], None)
    assert peer.result(fetch)["status"] == 401


def test_the_spelling_of_an_origin_does_not_matter(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    serve_staff(origin)
    log_in(peer, session, f"http://LOCALHOST:{origin.port}/staff")
    later = peer.metrics(session, f"HTTP://localhost:{origin.port}/staff")
    assert len(later["exchanges"]) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_origin_takes_no_password_along(
    asked: Asked, origins: Origins, status: int
) -> None:
    peer, session = asked
    first, second = origins(), origins()
    log_in(peer, session, serve_staff(first))
    target = second.serve("/landing", reply())
    guard = BasicGuard("staff", USER, PASSWORD)

    async def leads_away(exchange: Exchange) -> None:
        assert guard.passes(exchange.request)
        await redirect(target, status)(exchange)

    first.serve("/staff", leads_away)
    assert peer.fetch(session, f"{first.url}/staff")["status"] == 200
    assert_never_seen(second)


def test_nginx_redirecting_to_another_port_is_asked_for_its_own_password(asked: Asked, nginx: Nginx) -> None:
    peer, session = asked
    log_in(peer, session, f"{nginx.plain}/staff/small")
    before = len(nginx.exchanges())
    fetch = peer.start_fetch(session, f"{nginx.plain}/elsewhere")
    challenge = peer.challenge()
    assert challenge["origin"] == nginx.other
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401
    moved = [exchange for exchange in nginx.exchanges()[before:] if exchange.port == nginx.other_port]
    assert [exchange.authorization for exchange in moved] == ["-"]


def test_another_session_never_uses_the_password(
    connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    url = serve_staff(origin)
    first, second = connect(), connect()
    log_in(first, first.open("one", tasks=["*"]), url)
    before = len(origin.requests)
    assert second.fetch(second.open("two"), url)["status"] == 401
    assert second.fetch(second.open(), url)["status"] == 401
    assert [request.authorization for request in origin.requests[before:]] == [None, None]


def test_two_sessions_never_share_a_connection(connect: Callable[..., Peer], origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    peer = connect()
    used = []
    for name in ("one", "two", "one"):
        peer.fetch(peer.open(name), url)
        used.append(origin.requests[-1].connection)
    assert used[0] != used[1]
    assert used[2] == used[0]


def test_every_process_of_a_session_uses_the_password(
    connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    url = serve_staff(origin)
    first, second = connect(), connect()
    log_in(first, first.open("shared", tasks=["*"]), url)
    result = second.fetch("shared", url, metrics=True)
    assert result["status"] == 200
    assert len(result["metrics"]["exchanges"]) == 1


def test_a_session_on_default_is_shared_too(connect: Callable[..., Peer], origin: ScriptedOrigin) -> None:
    url = serve_staff(origin)
    first, second = connect(), connect()
    log_in(first, first.open("default", tasks=["*"]), url)
    result = second.call("fetch", {"url": url})
    assert result["status"] == 200
    assert result["session"] == "default"


def test_a_private_session_exists_for_its_own_connection_only(
    asked: Asked, connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    peer, session = asked
    stranger = connect()
    url = serve_staff(origin)
    fetch = peer.start_fetch(session, url, task="private")
    challenge = peer.challenge()
    assert kind_of(lambda: stranger.fetch(session, url)) == "sessionNotFound"
    for method in ("session/describe", "session/reset", "session/close", "session/invalidate"):
        assert kind_of(stranger.call, method, {"session": session}) == "sessionNotFound"
    for method in ("credential/list", "challenge/list", "task/list", "cookie/list"):
        assert kind_of(stranger.call, method, {"session": session}) == "sessionNotFound"
    for method in ("task/describe", "task/cancel", "task/suspend"):
        assert kind_of(stranger.call, method, {"task": "private"}) == "taskNotFound"
    assert kind_of(lambda: stranger.answer(challenge, password(USER, PASSWORD))) == "challengeNotPending"
    describe = {"challenge": challenge["challenge"]}
    assert kind_of(lambda: stranger.call("challenge/describe", describe)) == "challengeNotPending"
    assert stranger.call("challenge/list")["challenges"] == []
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_a_digest_answer_never_becomes_a_basic_one(asked: Asked, origin: ScriptedOrigin) -> None:
    """A password given for Digest is not sent in clear when the same realm asks for Basic."""
    peer, session = asked
    guard = DigestGuard("same", USER, PASSWORD)
    log_in(peer, session, origin.serve("/d/x", guarded(guard)))
    fetch = peer.start_fetch(session, origin.serve("/b/x", guarded(BasicGuard("same", USER, PASSWORD))))
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "basic"
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401
    assert traces_in(origin.received()) == []
