"""A stale password costs one bad login, from any place and for any number of tasks (challenges.md 12.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.credentials.scene import SourceScene, put, space, staff
from Integration.proxies.scene import REFUSAL, ScriptedProxy, open_through
from Integration.sentinels import OTHER_PASSWORD, PASSWORD, USER
from Integration.wire import Json, Peer, kind_of, many, password, pause, unanswered_for
from Support.certificates import Authority
from Support.guards import BasicGuard, BearerGuard, DigestGuard, Guard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import stall_after

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]
TASKS = many(1000)
#: Of methods that differ from Basic in their fields only: more than have a connection or fit into one turn.
FEWER = 100
#: Those that begin when the password is known to be stale.
LATER = 20
GUARDS: dict[str, Callable[[], Guard]] = {
    "basic": lambda: BasicGuard("staff", USER, OTHER_PASSWORD),
    "digest": lambda: DigestGuard("staff", USER, OTHER_PASSWORD),
    "bearer": lambda: BearerGuard("staff", OTHER_PASSWORD),
}


def crowd(method: str) -> int:
    return TASKS if method == "basic" else FEWER


def carried(origin: ScriptedOrigin) -> int:
    return sum(request.authorization is not None for request in origin.requests)


def stale(method: str, persistence: str = "forSession") -> Json:
    if method == "bearer":
        return {"token": PASSWORD, "persistence": persistence}
    return password(USER, PASSWORD, persistence)


def session_with(peer: Peer, origin: ScriptedOrigin, url: str, place: str, method: str) -> tuple[str, str]:
    """A session in which the stale credential is to be had from this place, and the URL to fetch."""
    if place == "netrc":
        netrc = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}"}
        return peer.open(configuration={"netrc": netrc}), url
    session = peer.open(configuration={"credentialStorage": "shared"} if place == "vault" else {})
    if place == "vault":
        put(peer, session, space(origin, method=method), stale(method, "permanent"))
    elif place == "session":
        put(peer, session, space(origin, method=method), stale(method))
    elif place == "url":
        url = url.replace("//", f"//{USER}:{PASSWORD}@", 1)
    return session, url


def statuses(peer: Peer, session: str, url: str, tasks: int = TASKS) -> set[int]:
    fetches = [peer.start_fetch(session, url) for _ in range(tasks)]
    return {peer.result(fetch, 60)["status"] for fetch in fetches}


PLACES = [
    (place, method)
    for place in ("vault", "session", "netrc", "url")
    for method in ("basic", "digest", "bearer")
    if method != "bearer" or place in ("vault", "session")
]


@pytest.mark.parametrize(("place", "method"), PLACES)
def test_parallel_tasks_with_a_stale_password_make_one_bad_login(
    connect: Connect, origin: ScriptedOrigin, place: str, method: str
) -> None:
    peer = connect()
    url = origin.serve("/x", guarded(GUARDS[method]()))
    session, url = session_with(peer, origin, url, place, method)
    for tasks in (crowd(method), LATER):
        assert statuses(peer, session, url, tasks) == {401}
        assert carried(origin) == 1


@pytest.mark.parametrize("place", ["netrc", "url"])
def test_what_was_refused_is_explained(peer: Peer, origin: ScriptedOrigin, place: str) -> None:
    guard = BasicGuard("staff", USER, OTHER_PASSWORD)
    session, url = session_with(peer, origin, origin.serve("/x", guarded(guard)), place, "basic")

    def passed_over() -> Json:
        return peer.call("explain", {"session": session, "url": url}).get("passedOver")

    assert passed_over() is None
    assert peer.fetch(session, url)["status"] == 401
    refused = {"user": USER, "realm": "staff", "authenticationMethod": "basic", "source": place}
    assert passed_over() == {**refused, "reason": "refused"}
    peer.call("session/reset", {"session": session})
    assert passed_over() is None


def test_refused_userinfo_of_a_proxy_is_explained(peer: Peer, origin: ScriptedOrigin) -> None:
    proxy = ScriptedProxy([REFUSAL])
    session = open_through(peer, f"http://{USER}:{PASSWORD}@127.0.0.1:{proxy.port}")
    url = staff(origin)
    assert kind_of(peer.fetch, session, url) == "proxyAuthenticationFailed"
    explained = peer.call("explain", {"session": session, "url": url})
    refused = {"user": USER, "realm": "p", "authenticationMethod": "basic", "source": "url"}
    assert explained["proxyPassedOver"] == {**refused, "reason": "refused"}
    assert "passedOver" not in explained


def test_after_a_reset_the_password_of_a_url_is_tried_again(peer: Peer, origin: ScriptedOrigin) -> None:
    """The account was unlocked."""
    guard = BasicGuard("staff", USER, OTHER_PASSWORD)
    session, url = session_with(peer, origin, origin.serve("/x", guarded(guard)), "url", "basic")
    assert peer.fetch(session, url)["status"] == 401
    guard.password = PASSWORD
    assert peer.fetch(session, url)["status"] == 401
    peer.call("session/reset", {"session": session})
    assert peer.fetch(session, url)["status"] == 200


@pytest.mark.parametrize("persistence", ["none", "forSession", "permanent"])
@pytest.mark.parametrize("method", ["basic", "digest", "bearer"])
def test_parallel_tasks_with_a_stale_reply_make_one_bad_login(
    connect: Connect, origin: ScriptedOrigin, method: str, persistence: str
) -> None:
    peer = connect()
    session = peer.open(tasks=["*"], configuration={"credentialStorage": "shared"})
    url = origin.serve("/x", guarded(GUARDS[method]()))
    fetches = [peer.start_fetch(session, url) for _ in range(crowd(method))]
    challenge = peer.challenge()
    while peer.counter("challenges.coalesced") < len(fetches) - 1:
        pause()
    peer.answer(challenge, stale(method, persistence))
    peer.answer(peer.challenge(), None)
    assert {peer.result(fetch, 60)["status"] for fetch in fetches} == {401}
    assert carried(origin) == 1


@pytest.mark.parametrize("method", ["basic", "digest", "bearer"])
def test_parallel_tasks_with_a_stale_source_make_one_bad_login(
    scene: SourceScene, origin: ScriptedOrigin, method: str
) -> None:
    url = origin.serve("/x", guarded(GUARDS[method]()))
    user = {} if method == "bearer" else {"user": USER}
    peer = scene.peer(pages={"kind": "file", "path": scene.file(PASSWORD), **user})
    session = peer.open()
    put(peer, session, space(origin, method=method), {"source": "pages"})
    for tasks in (crowd(method), LATER):
        assert statuses(peer, session, url, tasks) == {401}
        assert carried(origin) == 1


def test_a_thousand_tasks_with_a_right_password_that_no_server_has_judged_are_served(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    peer = connect()
    netrc = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}"}
    session = peer.open(configuration={"netrc": netrc})
    assert statuses(peer, session, staff(origin)) == {200}


def test_of_what_a_server_never_answers_the_others_are_not_held(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    """The first request with the password is a long poll."""
    peer = connect()
    netrc = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}"}
    session = peer.open(configuration={"netrc": netrc})
    guard = guarded(BasicGuard("staff", USER, PASSWORD))
    poll = peer.start_fetch(session, origin.serve("/poll", guard, stall_after()))
    origin.wait_for_requests(2, "/poll")
    assert statuses(peer, session, origin.serve("/x", guard), 20) == {200}
    assert poll not in peer.replies


@pytest.fixture
def changing(tmp_path: Path, authority: Authority) -> Iterator[Nginx]:
    """Its password changes."""
    server = Nginx(tmp_path / "changing", authority, USER, PASSWORD)
    yield server
    server.stop()


@pytest.mark.parametrize("place", ["session", "url"])
def test_a_changed_password_costs_one_bad_login_over_http2(
    connect: Connect, changing: Nginx, authority: Authority, place: str
) -> None:
    """A hundred streams of one connection would carry it at once."""
    peer = connect()
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    url = changing.http2 + "/staff/small"
    if place == "url":
        url = url.replace("//", f"//{USER}:{PASSWORD}@", 1)
    else:
        at: Json = {"protocol": "https", "host": "localhost", "port": changing.http2_port, "realm": "staff"}
        put(peer, session, {**at, "authenticationMethod": "basic"}, password(USER, PASSWORD))
    assert peer.fetch(session, url)["status"] == 200
    changing.set_password(OTHER_PASSWORD)
    unanswered_for(connect(), 1.5, changing.plain + "/archive/small")
    assert statuses(peer, session, url, 100) == {401}
    assert sum(line.status == 401 and line.authorization != "-" for line in changing.exchanges()) == 1


@pytest.mark.parametrize("place", ["url", "session", "vault"])
@pytest.mark.parametrize("is_tunnel", [False, True])
def test_a_stale_password_of_a_proxy_costs_one_bad_login(
    connect: Connect, origin: ScriptedOrigin, is_tunnel: bool, place: str
) -> None:
    peer = connect()
    proxy = ScriptedProxy([REFUSAL])
    userinfo = f"{USER}:{PASSWORD}@" if place == "url" else ""
    storage = "shared" if place == "vault" else "private"
    address = f"http://{userinfo}127.0.0.1:{proxy.port}"
    session = open_through(peer, address, credentialStorage=storage)
    if place != "url":
        at: Json = {"proxyType": "http", "host": "127.0.0.1", "port": proxy.port, "realm": "p"}
        persistence = "permanent" if place == "vault" else "forSession"
        put(
            peer,
            session,
            {**at, "protocol": "http", "authenticationMethod": "basic"},
            stale("basic", persistence),
        )
    url = "https://watchword.example/" if is_tunnel else staff(origin)
    for tasks in (TASKS, LATER):
        fetches = [peer.start_fetch(session, url) for _ in range(tasks)]
        assert {kind_of(peer.result, fetch, 60) for fetch in fetches} == {"proxyAuthenticationFailed"}
        assert sum(b"Proxy-Authorization" in head for head in proxy.heads) == 1
    proxy.stop()
