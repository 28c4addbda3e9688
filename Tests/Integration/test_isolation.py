"""Where a credential is never seen: another origin, another scheme, another session."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Callable, Iterator

import pytest

from Integration.sentinels import MARK, PASSWORD, TOKEN, USER, traces_in
from Integration.wire import Peer, RemoteError, kind_of, password
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.guards import BasicGuard, DigestGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, held, redirect, reply

pytestmark = pytest.mark.core

Asked = tuple[Peer, str]
Origins = Callable[..., ScriptedOrigin]


def log_in(peer: Peer, session: str, url: str) -> None:
    """Answers the one challenge of a fetch that must then succeed."""
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def serve_staff(origin: ScriptedOrigin) -> str:
    return origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))


def assert_never_seen(origin: ScriptedOrigin) -> None:
    assert traces_in(origin.received()) == []
    assert b"authorization" not in origin.received().lower()


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
    """A server that a connection never arrives at: nobody takes any, and there is room for no more."""
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
    later = peer.fetch(session, f"HTTP://localhost:{origin.port}/staff")
    assert len(later["metrics"]["exchanges"]) == 1


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
    result = second.fetch("shared", url)
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


def test_userinfo_serves_this_task_and_is_cut_everywhere(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = serve_staff(origin)
    with_user = url.replace("http://", f"http://{USER}:{PASSWORD}@")
    result = peer.fetch(session, with_user)
    assert result["status"] == 200
    assert result["url"] == url
    assert peer.call("credential/list", {"session": session}) == {"credentials": []}
    assert peer.fetch(session, url)["status"] == 401
    assert origin.requests[-1].authorization is None
    assert all("@" not in request.target for request in origin.requests)
    assert [exchange["url"] for exchange in result["metrics"]["exchanges"]] == [url, url]


def test_userinfo_is_not_sent_unasked(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/open", reply()).replace("http://", f"http://{USER}:{PASSWORD}@")
    peer.fetch(peer.open(), url)
    assert_never_seen(origin)


def test_userinfo_is_decoded_once(peer: Peer, origin: ScriptedOrigin) -> None:
    origin.serve("/", guarded(BasicGuard("r", "a@b%20c", f"{MARK}:/")))
    url = f"http://a%40b%2520c:{MARK}%3A%2F@127.0.0.1:{origin.port}/"
    assert peer.fetch(peer.open(), url)["status"] == 200


@pytest.mark.parametrize("bad", ["a%0d%0ab:c", "a:b%0a", "a%00:b"])
def test_control_characters_in_userinfo_are_refused(peer: Peer, origin: ScriptedOrigin, bad: str) -> None:
    session = peer.open()
    assert kind_of(lambda: peer.fetch(session, f"http://{bad}@127.0.0.1:{origin.port}/")) == "invalidParams"
    assert origin.requests == []


def test_with_a_delegate_userinfo_that_failed_is_shown_as_refused(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    url = serve_staff(origin).replace("http://", f"http://{USER}:{MARK}-bad@")
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    if challenge["previousFailureCount"] == 0:
        assert challenge["proposedCredential"] == {"user": USER, "source": "url"}
        peer.dispose(challenge, "performDefaultHandling")
        challenge = peer.challenge()
    assert challenge["proposedCredential"]["user"] == USER
    assert "@" not in challenge["url"]
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_a_task_with_userinfo_is_not_coalesced_with_others(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = serve_staff(origin)
    waiting = peer.start_fetch(session, url)
    challenge = peer.challenge()
    with_user = url.replace("http://", f"http://{USER}:{PASSWORD}@")
    own = peer.start_fetch(session, with_user)
    own_challenge = None
    if not origin.wait_for_requests(2)[1].authorization:
        try:
            own_challenge = peer.challenge(seconds=2)
        except TimeoutError:
            own_challenge = None
    if own_challenge is not None:
        peer.dispose(own_challenge, "performDefaultHandling")
    assert peer.result(own)["status"] == 200
    assert waiting not in peer.replies
    peer.answer(challenge, None)
    assert peer.result(waiting)["status"] == 401


def test_userinfo_in_a_location_is_dropped(peer: Peer, origins: Origins) -> None:
    first, second = origins(), origins()
    serve_staff(second)
    target = f"http://{USER}:{PASSWORD}@127.0.0.1:{second.port}/staff"
    result = peer.fetch(peer.open(), first.serve("/", redirect(target)))
    assert result["status"] == 401
    assert_never_seen(second)


def test_an_authorization_field_of_the_caller_is_sent_as_it_is(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = serve_staff(origin)
    headers = [["Authorization", "Custom a=b, c"]]
    assert peer.fetch(session, url, headers=headers)["status"] == 401
    peer.nothing_asked()
    assert [request.all("Authorization") for request in origin.requests] == [["Custom a=b, c"]]
    log_in(peer, session, url)
    assert peer.fetch(session, url, headers=headers)["status"] == 401
    assert origin.requests[-1].all("Authorization") == ["Custom a=b, c"]
    assert len(peer.call("credential/list", {"session": session})["credentials"]) == 1


@pytest.mark.parametrize("name", ["Authorization", "Cookie", "X-Api-Key"])
def test_a_secret_field_is_dropped_for_another_origin_and_never_comes_back(
    peer: Peer, origins: Origins, name: str
) -> None:
    first, second = origins(), origins()
    back = first.serve("/back", reply())
    away = second.serve("/away", redirect(back))
    url = first.serve("/", redirect(away))
    headers = [[name, f"{MARK}-x"], ["X-Plain", "stays"]]
    result = peer.fetch(peer.open(), url, headers=headers, sensitiveHeaders=["x-api-key"])
    assert result["status"] == 200
    assert first.requests_to("/")[0].header(name) == f"{MARK}-x"
    assert second.requests[0].header(name) is None
    assert first.requests_to("/back")[0].header(name) is None
    assert second.requests[0].header("X-Plain") == "stays"
    assert traces_in(second.received()) == []


@pytest.mark.parametrize("name", ["Authorization", "Cookie", "X-Api-Key"])
def test_a_secret_field_of_the_session_is_dropped_for_another_origin_and_never_comes_back(
    peer: Peer, origins: Origins, name: str
) -> None:
    first, second = origins(), origins()
    back = first.serve("/back", reply())
    away = second.serve("/away", redirect(back))
    near = first.serve("/near", redirect(away))
    url = first.serve("/", redirect(near))
    session = peer.open(configuration={"headers": [[name, f"{MARK}-x"], ["X-Plain", "stays"]]})
    assert peer.fetch(session, url, sensitiveHeaders=["x-api-key"])["status"] == 200
    assert [request.header(name) for request in first.requests] == [f"{MARK}-x", f"{MARK}-x", None]
    assert second.requests[0].header(name) is None
    assert [request.header("X-Plain") for request in first.requests + second.requests] == ["stays"] * 4
    assert traces_in(second.received()) == []
    # Each task begins with them.
    peer.fetch(session, back)
    assert first.requests[-1].header(name) == f"{MARK}-x"


def test_an_allowed_downgrade_keeps_no_secret_field_of_the_session(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, authority: Authority
) -> None:
    secure, plain = origins(tls_context), origins()
    configuration = {
        "tls": {"roots": {"certificates": authority.pem}},
        "redirects": {"allowDowngrade": True},
        "headers": [["Authorization", f"Custom {MARK}"], ["Cookie", f"a={MARK}"], ["X-Plain", "stays"]],
    }
    url = secure.serve("/", redirect(plain.serve("/", reply())))
    assert peer.fetch(peer.open(configuration=configuration), url)["status"] == 200
    assert traces_in(plain.received()) == []
    assert plain.requests[0].header("X-Plain") == "stays"


def test_an_authorization_field_of_the_session_is_sent_as_it_is(peer: Peer, origin: ScriptedOrigin) -> None:
    """No challenge, no cached credential, and no second field beside it."""
    url = serve_staff(origin)
    session = peer.open(tasks=["*"], configuration={"headers": [["Authorization", "Custom a=b, c"]]})
    space = {"protocol": "http", "host": "127.0.0.1", "port": origin.port, "realm": "staff"}
    put = {"protectionSpace": {**space, "authenticationMethod": "basic"}, "session": session}
    peer.call("credential/set", {**put, "credential": password(USER, PASSWORD)})
    assert peer.fetch(session, url)["status"] == 401
    peer.nothing_asked()
    assert [request.all("Authorization") for request in origin.requests] == [["Custom a=b, c"]]
    (kept,) = peer.call("credential/list", {"session": session})["credentials"]
    assert kept["uses"] == 0
    assert peer.call("explain", {"session": session, "url": url})["credential"] is None


def test_the_user_of_a_url_goes_before_the_sessions_field_and_a_field_of_the_task_before_both(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    url = serve_staff(origin)
    named = url.replace("//", f"//{USER}:{PASSWORD}@")
    session = peer.open(configuration={"headers": [["Authorization", "Custom session"]]})
    assert peer.fetch(session, named)["status"] == 200
    assert [len(request.all("Authorization")) for request in origin.requests] == [0, 1]
    assert peer.fetch(session, named, headers=[["authorization", "Custom task"]])["status"] == 401
    assert origin.requests[-1].all("Authorization") == ["Custom task"]

    def explained(url: str) -> str:
        return str(peer.call("explain", {"session": session, "url": url})["authorizationHeader"])

    assert (explained(named), explained(url)) == ("none", "session")


@pytest.mark.parametrize("method", ["bearer", "digest"])
def test_no_credential_goes_to_a_url_that_a_challenge_names(
    asked: Asked, origins: Origins, method: str
) -> None:
    """CVE-2020-15157: a registry's client sent its password to the `realm` of a Bearer challenge."""
    peer, session = asked
    first, named = origins(), origins()
    url = named.serve("/token", reply())
    challenge = {
        "bearer": f'Bearer realm="{url}", authorization_uri="{url}", resource_metadata="{url}", scope="a"',
        "digest": f'Digest realm="{url}", nonce="n", qop="auth", domain="{url} /"',
    }[method]
    fetch = peer.start_fetch(session, first.serve("/", challenged(challenge)))
    peer.answer(peer.challenge(), {"token": TOKEN} if method == "bearer" else password(USER, PASSWORD))
    assert [offer["authenticationMethod"] for offer in peer.challenge()["offers"]] == [method]
    assert first.requests[-1].authorization is not None
    assert named.requests == []
    peer.call("task/cancel", {"task": peer.call("task/list", {"session": session})["tasks"][0]["task"]})
    assert kind_of(lambda: peer.result(fetch)) == "taskCancelled"


def test_a_field_for_proxies_is_never_sent_to_an_origin(peer: Peer, origin: ScriptedOrigin) -> None:
    headers = [["Proxy-Authorization", f"Basic {MARK}"]]
    url = origin.serve("/", reply())
    assert kind_of(lambda: peer.fetch(peer.open(), url, headers=headers)) == "invalidParams"
    assert origin.requests == []


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
